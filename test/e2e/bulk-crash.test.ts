/** kill -9 of the worker in the middle of a bulk request: no number is lost, and none is ordered twice (decision 0022). */
import { Client, Connection } from '@temporalio/client';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { httpClient, type HttpClient } from '../support/http.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { startProcesses, type Processes } from '../support/processes.ts';
import { until } from '../support/until.ts';

const bulkPath = '/v2/HostedNumber/Orders/Bulk';
const patience = { timeoutMs: 120_000 };
const total = 300;

let processes: Processes;
let customer: HttpClient;

beforeAll(async () => {
  processes = await startProcesses();
  customer = httpClient(processes.url, processes.credentials.accountSid, processes.credentials.authToken);
});
afterAll(() => processes?.stop());

interface Order {
  readonly phone_number: string;
  readonly hosted_number_order_sid: string;
}

interface BulkRequest {
  readonly status: unknown;
  /** By the group they are in. */
  readonly orders: ReadonlyMap<string, readonly Order[]>;
}

async function readBulk(sid: string): Promise<BulkRequest> {
  const { body } = await customer.get(`${bulkPath}/${sid}`);
  const results = body?.['results'] as readonly { order_status: string; orders: readonly Order[] }[];
  return {
    status: body?.['request_status'],
    orders: new Map(results.map(({ order_status, orders }) => [order_status, orders])),
  };
}

const countOf = (request: BulkRequest, group: string): number => request.orders.get(group)?.length ?? 0;

/** Lets nobody write what became of this number, and so the batch it is in not end, until it is let go. */
async function holdBack(phoneNumber: string): Promise<() => Promise<void>> {
  const sql = postgres(processes.env['DATABASE_URL'] ?? '', { max: 1 });
  await sql.unsafe(`
    create function wait_for_test() returns trigger language plpgsql
      as $$ begin perform pg_advisory_xact_lock(1); return new; end $$;
    create trigger wait_for_test before update on bulk_items for each row
      when (new.phone_number = '${phoneNumber}') execute function wait_for_test();
    select pg_advisory_lock(1);`);
  // The lock ends with its connection.
  return () => sql.end();
}

/** What the request's workflow answers at its end. */
async function progressOf(sid: string): Promise<unknown> {
  const connection = await Connection.connect({ address: processes.env['TEMPORAL_ADDRESS'] ?? '' });
  try {
    return await new Client({ connection }).workflow.getHandle(sid).result();
  } finally {
    await connection.close();
  }
}

it('every number gets exactly one order, and the request comes to its end', async () => {
  const numbers = Array.from({ length: total }, () => newPhoneNumber());
  // However long the crash takes to come, the request is not done before: the last of its three batches is not begun.
  const letGo = await holdBack(numbers[150] ?? '');
  onTestFinished(letGo);
  const created = await customer.send(bulkPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ phone_numbers: numbers }),
  });
  expect(created.status, JSON.stringify(created.body)).toBe(202);
  const sid = String(created.body?.['bulk_hosting_sid']);

  await until(async () => countOf(await readBulk(sid), 'queued') < total - 30, patience);
  await processes.kill('worker');
  // Else the crash was not in the middle, and the test shows nothing.
  expect(countOf(await readBulk(sid), 'queued')).toBeGreaterThan(total / 3);
  await letGo();
  await processes.start('worker');

  const done = await until(async () => {
    const request = await readBulk(sid);
    return request.status === 'PROCESSED' && countOf(request, 'received') === total && request;
  }, patience);
  const placed = done.orders.get('received') ?? [];
  expect(placed.map(({ phone_number }) => phone_number)).toEqual(numbers);
  expect(await progressOf(sid)).toEqual({ done: total, total });

  const { body } = await customer.get('/HostedNumbers/HostedNumberOrders?PageSize=1000');
  const items = body?.['items'] as readonly { readonly sid: string; readonly phone_number: string }[];
  expect(items.map(({ phone_number }) => phone_number).toSorted()).toEqual(numbers.toSorted());
  expect(items.map((order) => order.sid).toSorted()).toEqual(
    placed.map(({ hosted_number_order_sid }) => hosted_number_order_sid).toSorted(),
  );
});
