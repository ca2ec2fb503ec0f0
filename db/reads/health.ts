/** Whether the database answers, and what a start looks for in it. */
import { sql } from 'drizzle-orm';
import type { Queryable } from '../client.ts';
import { accounts } from '../schema/accounts.ts';

/** `read-only`: a standby, or what a failover left as one. It answers, and takes no changes. */
export async function pingDatabase(db: Queryable): Promise<'writable' | 'read-only'> {
  const [row] = await db.execute<{ read_only: string }>(
    sql`select current_setting('transaction_read_only') as read_only`,
  );
  return row?.read_only === 'on' ? 'read-only' : 'writable';
}

/** Anything at all that was sealed with the service's key; `undefined` in a database without accounts or tables. */
export async function findSealedToken(db: Queryable): Promise<string | undefined> {
  // A worker may come before the API that makes the tables.
  const [schema] = await db.execute<{ is_there: boolean }>(
    sql`select to_regclass('accounts') is not null as is_there`,
  );
  if (schema?.is_there !== true) return undefined;
  const [row] = await db.select({ sealed: accounts.authTokenSealed }).from(accounts).limit(1);
  return row?.sealed;
}
