/** Lists over everybody's orders, numbers and accounts, in a database that holds many of them. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../db/client.ts';
import { findAccount, listAccounts } from '../../db/reads/accounts.ts';
import { listAllAccounts, searchOrders } from '../../db/reads/console.ts';
import { findOrder, listOrders, listWaitingOrders } from '../../db/reads/hosted-number-orders.ts';
import { listNumbers } from '../../db/reads/incoming-phone-numbers.ts';
import { findCall } from '../../db/reads/verification-attempts.ts';
import { orderStatuses, type OrderStatus } from '../../domain/hosted-number-order.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

/** Enough that PostgreSQL would rather not read them all. */
const many = 20_000;
const accountSid = 'AC7';
const orderSid = (n: number): string => `HR${String(n).padStart(32, '0')}`;
const page = { size: 50, page: 0, cursor: null };
let files: TestDatabase;
let database: Database;

beforeAll(async () => {
  files = await createDatabase();
  // One connection, so that what it has counted can be handed in before it is looked at.
  database = openDatabase(files.url, 1);
  await fill();
});
afterAll(async () => {
  await database?.close();
  await files?.drop();
});

/** Every hundredth account is a main account; every order had a call. */
async function fill(): Promise<void> {
  const { sql } = files;
  await sql`insert into accounts (sid, owner_account_sid, friendly_name, auth_token_sealed, date_created, date_updated)
    select 'AC' || n, 'AC' || n % (${many}::int / 100), 'x', 'x', now(), now() from generate_series(1, ${many}::int) n`;
  await sql`insert into hosted_number_orders (sid, account_sid, incoming_phone_number_sid, phone_number, status,
      verification_type, revision, holds_number, date_created, date_updated)
    select 'HR' || lpad(n::text, 32, '0'), 'AC' || n % 1000, 'PN' || n, '+1' || 2000000000 + n, 'completed', 'phone-call', 1, true, now(),
      now() from generate_series(1, ${many}::int) n`;
  await sql`insert into incoming_phone_numbers (sid, account_sid, order_sid, phone_number, friendly_name, state,
      date_created, date_updated)
    select 'PN' || n, 'AC' || n % 1000, 'HR' || lpad(n::text, 32, '0'), '+1' || 2000000000 + n, 'x', 'in-use', now(), now()
    from generate_series(1, ${many}::int) n`;
  await sql`insert into verification_attempts (order_sid, call_number, call_sid, outcome, started_at)
    select 'HR' || lpad(n::text, 32, '0'), 1, 'CA' || n, 'verified', now() from generate_series(1, ${many}::int) n`;
  await sql`analyze`;
}

/** Times an index was used, as far as this connection told. */
async function scansOf(index: string): Promise<number> {
  await database.db.execute(sql`select pg_stat_force_next_flush()`);
  const [row] = await database.db.execute<{ scans: string }>(
    sql`select idx_scan as scans from pg_stat_user_indexes where indexrelname = ${index}`,
  );
  return Number(row?.scans);
}

describe('a list is read along its index, not out of all there is', () => {
  const reads: readonly [string, index: string, read: () => Promise<unknown>][] = [
    ['the work list', 'orders_waiting', () => listWaitingOrders(database.db, page)],
    ['orders of every account', 'orders_by_position', () => listOrders(database.db, null, {}, page)],
    [
      'orders of every account in the console',
      'orders_by_position',
      () => searchOrders(database.db, { accountSid: null, status: null, digits: '' }, page),
    ],
    [
      'which of the listed orders are being called',
      'attempts_open',
      () => listOrders(database.db, accountSid, {}, page),
    ],
    ['numbers of every account', 'numbers_by_position', () => listNumbers(database.db, null, {}, page)],
    ['every account', 'accounts_by_position', () => listAllAccounts(database.db, page)],
    ['sub-accounts', 'accounts_by_owner', () => listAccounts(database.db, accountSid, {}, page)],
    [
      'whether an order is a sub-account’s',
      'accounts_by_owner',
      () => findOrder(database.db, accountSid, orderSid(1)),
    ],
    ['a call by its sid', 'attempts_by_call', () => findCall(database.db, accountSid, 'CA7')],
  ];

  it.each(reads)('%s', async (_, index, read) => {
    const before = await scansOf(index);
    await read();
    expect(await scansOf(index)).toBeGreaterThan(before);
  });

  it('and what is found is right', async () => {
    expect(await findCall(database.db, accountSid, 'CA7')).toMatchObject({ orderSid: orderSid(7) });
    const { rows } = await listAccounts(database.db, accountSid, {}, page);
    expect(rows).toHaveLength(50);
    expect(rows.every(({ ownerAccountSid }) => ownerAccountSid === accountSid)).toBe(true);
    expect(await findAccount(database.db, accountSid)).toMatchObject({ sid: accountSid });
  });
});

it('the work list has orders in action-required, and bills where they can be reviewed', async () => {
  const waiting = async (): Promise<string[]> =>
    (await listWaitingOrders(database.db, page)).rows.map(({ status }) => status).toSorted();
  const setStatus = (status: OrderStatus, billUnderReview: boolean, place: number) => files.sql`
    update hosted_number_orders set status = ${status}, bill_under_review = ${billUnderReview}
    where sid = ${orderSid(place)}`;
  for (const [place, status] of orderStatuses.entries()) await setStatus(status, false, place + 1);
  expect(await waiting()).toEqual(['action-required']);
  for (const [place, status] of orderStatuses.entries()) await setStatus(status, true, place + 1);
  expect(await waiting()).toEqual(['action-required', 'pending-loa', 'pending-verification']);
  await files.sql`update hosted_number_orders set canceled_at = now() where status <> 'completed'`;
  expect(await waiting()).toEqual([]);
});
