/** Migrations meet rows of the version before: nothing that is in use is lost. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateDatabase, openDatabase } from '../../db/client.ts';
import { changeOnce, claimIdempotencyKey } from '../../db/writes/idempotency.ts';
import { withoutText } from '../../domain/message-payload.ts';
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

it('changes that were made with an Idempotency-Key before keys knew it are not made a second time', async () => {
  await migrateUpTo(/_done_keys$/);
  const { sql } = database;
  const row = { accountSid: 'AC1', key: 'POST /rotate', seed: 'seed' };
  await sql`insert into idempotency_keys (account_sid, key, request_hash, seed, date_created)
    values (${row.accountSid}, ${row.key}, 'hash', ${row.seed}, now())`;
  await migrateDatabase(database.url);
  const opened = openDatabase(database.url);
  const { db } = opened;
  let changes = 0;
  const change = async (): Promise<void> => void (changes += 1);
  await changeOnce(db, row, change);
  expect(changes).toBe(0);
  const key = {
    accountSid: 'AC1',
    key: 'POST /rotate again',
    requestHash: 'hash',
    at: new Date(),
    lifeMs: 1000,
  };
  const kept = await claimIdempotencyKey(db, key);
  for (let round = 0; round < 2; round++) await changeOnce(db, kept, change);
  expect(changes).toBe(1);
  await opened.close();
});

describe('webhooks that tell of a text', () => {
  const told = (body: string): string =>
    JSON.stringify({
      body,
      bodySize: Buffer.byteLength(body),
      address: 'ptn:/+2',
      hasAttachment: true,
      id: 1,
    });
  const secret = told('a "secret" \\');
  const optOut = JSON.stringify({ messageBody: 'a "secret" \\', line: '+1', type: 'STOP' });
  const events = [
    { about: 'SMkept', kind: 'message/receive', payload: told('kept') },
    { about: 'SMredacted', kind: 'message/receive', payload: secret },
    { about: 'SMredacted', kind: 'optout/change', payload: optOut },
    { about: 'SMremoved', kind: 'message/delete', payload: secret },
    { about: 'MMmedia', kind: 'message/receive', payload: told('') },
  ] as const;
  const address = (kind: string): string => `https://customer.example/${kind}?key=1`;

  async function insertMessage(sid: string, body: string, deleted: Date | null): Promise<void> {
    await database.sql`insert into messages
      (sid, account_sid, direction, line, contact, body, num_segments, status, date_deleted, date_created, date_updated)
      values (${sid}, 'AC1', 'inbound', '+1', '+2', ${body}, 1, 'received', ${deleted}, now(), now())`;
  }

  /** An event with one delivery by GET, which the endpoint answered with what it was sent. */
  async function insertTold(place: number, { about, kind, payload }: (typeof events)[number]): Promise<void> {
    const { sql } = database;
    const [event, delivery] = [`EV${place}`, `DL${place}`];
    const fields = new URLSearchParams(JSON.parse(payload) as Record<string, string>);
    await sql`insert into events (sid, account_sid, kind, resource_sid, sequence, line, payload, date_created)
      values (${event}, 'AC1', ${kind}, ${about}, 1, '+1', ${payload}, now())`;
    await sql`insert into deliveries
      (sid, account_sid, event_sid, kind, method, order_key, sequence, state, date_created)
      values (${delivery}, 'AC1', ${event}, ${kind}, 'GET', ${about}, 1, 'delivered', now())`;
    await sql`insert into delivery_attempts (delivery_sid, number, at, duration_ms, url, response_head)
      values (${delivery}, 1, now(), 1, ${`${address(kind)}&${fields.toString()}`}, 'secret')`;
  }

  it('lose it when it was redacted or removed before; what else was told stays as it is', async () => {
    await migrateUpTo(/_forgotten_texts$/);
    const { sql } = database;
    await insertMessage('SMkept', 'kept', null);
    await insertMessage('SMredacted', '', null);
    await insertMessage('SMremoved', '', new Date());
    await insertMessage('MMmedia', '', null);
    await sql`insert into media (sid, account_sid, message_sid, file_name, content_type, bytes, date_created, date_updated)
      values ('ME1', 'AC1', 'MMmedia', 'a.gif', 'image/gif', '', now(), now())`;
    for (const [place, event] of events.entries()) await insertTold(place, event);
    await migrateDatabase(database.url);
    const left = await sql`select e.payload, a.url, a.response_head as head from events e
      join deliveries d on d.event_sid = e.sid join delivery_attempts a on a.delivery_sid = d.sid order by e.sid`;
    const kept = events.map(({ payload, about }) =>
      about === 'SMkept' || about === 'MMmedia' ? payload : null,
    );
    expect(left.map((row) => row['payload'])).toEqual(
      events.map(({ payload }, place) => kept[place] ?? withoutText(payload)),
    );
    expect(left.map((row) => row['head'])).toEqual(kept.map((payload) => payload && 'secret'));
    expect(left.map((row) => row['url'])).toEqual(events.map(({ kind }) => address(kind)));
  });
});
