/** The one way to a database connection. */
import { fileURLToPath } from 'node:url';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import * as tables from './tables.ts';

export type Db = PostgresJsDatabase<typeof tables>;
/** A database or an open transaction on it: what every read and write takes first. */
export type Queryable = Pick<
  Db,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute' | 'transaction'
>;

export interface Database {
  readonly db: Db;
  close(): Promise<void>;
}

/** Time PostgreSQL gives a statement, waiting for locks included; most take milliseconds. A migration may take longer. */
const statementTimeoutMs = 20_000;

/** Opens a pool. Drizzle rewrites its client's parsers, so this client is used by nothing else. */
export function openDatabase(url: string, poolSize = 10): Database {
  const client = postgres(url, {
    max: poolSize,
    onnotice: () => {},
    connection: { application_name: 'hosted-sms', statement_timeout: statementTimeoutMs },
  });
  return {
    db: drizzle(preparing(client), { schema: tables, casing: 'snake_case' }),
    close: () => client.end({ timeout: 5 }),
  };
}

/**
 * Parameters above which a statement is sent once and forgotten. One that long has as many as its rows or values are, so
 * its text is another each time, and prepared it would stay, here and in PostgreSQL, for the life of the connection. Of
 * the statements whose text is always the same the longest, which stores an order, has about 50.
 */
const maxPreparedParameters = 100;

/**
 * Makes nearly every statement a prepared one, kept by its text for each connection. Drizzle by itself sends one-off
 * statements unless they were prepared by name: with a round trip before each to learn its types, and a plan that costs
 * several times what most of ours take to run.
 */
function preparing(client: postgres.Sql): postgres.Sql {
  const begin = client.begin.bind(client);
  const inTransaction = (work: (sql: postgres.TransactionSql) => unknown): unknown =>
    begin((sql) => work(withPrepared(sql)));
  return Object.assign(withPrepared(client), { begin: inTransaction });
}

function withPrepared<Client extends postgres.ISql>(client: Client): Client {
  const unsafe = client.unsafe.bind(client);
  const prepared: typeof unsafe = (statement, parameters, options) =>
    unsafe(statement, parameters, {
      ...options,
      prepare: (parameters?.length ?? 0) <= maxPreparedParameters,
    });
  return Object.assign(client, { unsafe: prepared });
}

/** Number every process takes its migration lock with. Any constant will do; it must not change. */
const migrationLock = 7_240_001;

/** Brings the schema up to date. Safe to call from several processes at once. */
export async function migrateDatabase(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await client`select pg_advisory_lock(${migrationLock})`;
    const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));
    await migrate(drizzle(client, { casing: 'snake_case' }), { migrationsFolder });
    await client`select pg_advisory_unlock(${migrationLock})`;
  } finally {
    await client.end({ timeout: 5 });
  }
}
