/** Whether the database answers. */
import { sql } from 'drizzle-orm';
import type { Queryable } from '../client.ts';

export async function pingDatabase(db: Queryable): Promise<void> {
  await db.execute(sql`select 1`);
}
