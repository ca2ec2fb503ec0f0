/** Sessions of the Zipwhip calls and of the console. */
import { and, eq, gt } from 'drizzle-orm';
import type { Queryable } from '../client.ts';
import { sessions } from '../schema/sessions.ts';

/** One that has expired by then is not there, whether its row is or not. */
export async function findSession(
  db: Queryable,
  keyHash: string,
  at: Date,
): Promise<typeof sessions.$inferSelect | undefined> {
  const [row] = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.keyHash, keyHash), gt(sessions.expiresAt, at)));
  return row;
}
