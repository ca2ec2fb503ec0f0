/** Sessions of the Zipwhip calls and of the console. */
import { eq } from 'drizzle-orm';
import type { Queryable } from '../client.ts';
import { sessions } from '../schema/messages.ts';

export async function findSession(
  db: Queryable,
  keyHash: string,
): Promise<typeof sessions.$inferSelect | undefined> {
  const [row] = await db.select().from(sessions).where(eq(sessions.keyHash, keyHash));
  return row;
}
