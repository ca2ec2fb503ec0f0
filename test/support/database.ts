/** A database of its own for a test file: a copy of the migrated template, which takes a moment only. */
import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';

/** Name of the template; the setup of the servers makes it. */
const template = 'template_hosted_sms';

export interface TestDatabase {
  readonly url: string;
  /** Raw access, for what the product has no read for. */
  readonly sql: postgres.Sql;
  drop(): Promise<void>;
}

export async function createDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await server.unsafe(`create database ${name} template ${template}`);
  const url = new URL(serverUrl);
  url.pathname = name;
  const sql = postgres(url.href, { max: 2, onnotice: () => {} });
  return {
    url: url.href,
    sql,
    drop: async () => {
      await sql.end({ timeout: 1 });
      await server.unsafe(`drop database if exists ${name} with (force)`);
      await server.end({ timeout: 1 });
    },
  };
}
