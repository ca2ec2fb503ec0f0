/** Migrations meet rows of the version before: nothing that is in use is lost. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrateDatabase } from '../../db/client.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'hosted-sms-migrations-'));
});
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Empties the database, and brings it to where it was before a migration. */
async function migrateUpTo(tag: RegExp): Promise<void> {
  await database.sql`drop schema if exists drizzle cascade`;
  await database.sql`drop schema public cascade`;
  await database.sql`create schema public`;
  await cp(fileURLToPath(new URL('../../db/migrations', import.meta.url)), folder, { recursive: true });
  const journalFile = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(await readFile(journalFile, 'utf8')) as { entries: { tag: string }[] };
  const first = journal.entries.findIndex((entry) => tag.test(entry.tag));
  await writeFile(journalFile, JSON.stringify({ ...journal, entries: journal.entries.slice(0, first) }));
  const client = postgres(database.url, { max: 1, onnotice: () => {} });
  await migrate(drizzle(client), { migrationsFolder: folder });
  await client.end();
}

it('sessions that are open when they get an end stay open, of lines and of the console', async () => {
  await migrateUpTo(/_session_expiry$/);
  const { sql } = database;
  await sql`insert into sessions (key_hash, account_sid, line, date_created) values
    ('line', 'AC1', '+14155550123', now() - interval '1 year'),
    ('console', 'AC1', 'console', now() - interval '1 hour')`;
  await migrateDatabase(database.url);
  const rows =
    await sql`select key_hash, extract(epoch from expires_at - now()) / 3600 as hours from sessions`;
  const hours = Object.fromEntries(rows.map((row) => [row['key_hash'], Math.round(Number(row['hours']))]));
  expect(hours).toEqual({ line: 90 * 24, console: 11 });
});
