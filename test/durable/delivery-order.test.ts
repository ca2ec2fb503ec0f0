/** Whose turn it is: events of one message at one endpoint, on real servers over real sockets (decisions 0008 and 0010). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasPendingPredecessor, nextInOrder } from '../../db/reads/deliveries.ts';
import { recordEvent } from '../../db/writes/events.ts';
import { newSid } from '../../security/derived-sid.ts';
import { retryNowSignal } from '../../workflows/messages.ts';
import { failTimes, startDeliveryCustomers, type DeliveryCustomers } from '../support/delivery-customers.ts';
import type { DeliveryService } from '../support/delivery-service.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { answer, type Behaviour, type Sink } from '../support/sink.ts';
import { until } from '../support/until.ts';

let customers: DeliveryCustomers;
let service: DeliveryService;
/** Deliveries that asked whether an earlier one is unfinished. */
const asked: string[] = [];

beforeAll(async () => {
  customers = await startDeliveryCustomers({
    around: (real) => ({
      findPredecessor: (input) => {
        asked.push(input.deliverySid);
        return real.findPredecessor(input);
      },
    }),
  });
  ({ service } = customers);
});
afterEach(() => customers.closeSinks());
afterAll(() => customers?.stop());

describe('events of one message', () => {
  it('arrive in their order, however long the first takes', async () => {
    const { customer, endpoint } = await customers.customerAt(failTimes(3));
    const resourceSid = newSid('message');
    const tell = (sequence: number) =>
      service.tell({
        accountSid: customer.accountSid,
        resourceSid,
        sequence,
        kind: 'message/progress',
        payload: `{"n":${sequence}}`,
      });
    for (let sequence = 1; sequence <= 5; sequence++) await tell(sequence);
    await until(() => endpoint.seen.length === 8);
    expect(endpoint.seen.map(({ body }) => body)).toEqual([1, 1, 1, 1, 2, 3, 4, 5].map((n) => `{"n":${n}}`));
  });

  it('arrive in their order when they are replayed, too', async () => {
    let failures = 3;
    const { customer, endpoint, sid } = await customers.customerAt((response) => {
      response.writeHead(failures-- > 0 ? 500 : 200).end();
    });
    await customer.call('POST', `/Webhooks/${sid}`, { Enabled: 'false' });
    const event = { accountSid: customer.accountSid, resourceSid: newSid('message') };
    const numbers = [1, 2, 3];
    for (const sequence of numbers) await service.tell({ ...event, sequence, payload: `{"n":${sequence}}` });
    await customer.call('POST', `/Webhooks/${sid}`, { Enabled: 'true' });
    await customer.call('POST', `/Webhooks/${sid}/Replay`, { Since: '2020-01-01T00:00:00Z' });
    await until(() => endpoint.seen.length === 6);
    expect(endpoint.seen.map(({ body }) => body)).toEqual([1, 1, 1, 1, 2, 3].map((n) => `{"n":${n}}`));
  });
});

describe('who waits for whom', () => {
  it('is asked of every delivery by statements that are built once', async () => {
    const { customer } = await customers.customerAt(answer(200));
    const about = { accountSid: customer.accountSid, resourceSid: newSid('message'), line: newPhoneNumber() };
    const event = { ...about, kind: 'message/progress', payload: '{}', at: new Date() } as const;
    // Stored only: nobody starts them, so both stay pending.
    const [first] = await recordEvent(service.db, { ...event, sequence: 1 });
    const [second] = await recordEvent(service.db, { ...event, sequence: 2 });
    let built = 0;
    const counting = new Proxy(service.db, {
      get: (db, name) => {
        if (name === 'select') built += 1;
        return Reflect.get(db, name) as unknown;
      },
    });
    const sids = [first?.start.deliverySid ?? '', second?.start.deliverySid ?? ''];
    for (let times = 0; times < 3; times++) {
      const asked = sids.map((sid) => [hasPendingPredecessor(counting, sid), nextInOrder(counting, sid)]);
      expect(await Promise.all(asked.flat())).toEqual([false, [sids[1]], true, []]);
    }
    expect(built).toBe(2);
  });
});

describe('a delivery that waits for an earlier one of its message', () => {
  /** Two events, of which the first holds the second one back: by itself it is attempted again when all tests are over. */
  async function heldBack() {
    const behaviour: Behaviour = (response, { headers }) => {
      const late = headers['webhook-attempt'] !== '1';
      response.writeHead(late ? 200 : 503, { 'retry-after': '1800' }).end();
    };
    const { customer, endpoint } = await customers.customerAt(behaviour);
    const event = { accountSid: customer.accountSid, resourceSid: newSid('message') };
    const [first = ''] = await service.tell({ ...event, sequence: 1, payload: '{"n":1}' });
    const [second = ''] = await service.tell({ ...event, sequence: 2, payload: '{"n":2}' });
    const due = await until(async () => (await customers.rowOf(first))?.nextAttemptAt);
    expect(due.getTime()).toBeGreaterThan(Date.now() + 600_000);
    return { customer, endpoint, first, second, due };
  }
  const bodies = (endpoint: Sink) => endpoint.seen.map(({ body }) => body);

  it('has that one attempted at once on retry, and comes after it', async () => {
    const { customer, endpoint, second, due } = await heldBack();
    const answered = await customer.call('POST', `/Deliveries/${second}`, { Action: 'retry' });
    expect(answered.body).toMatchObject({ sid: second, status: 'pending' });
    await until(() => endpoint.seen.length >= 3);
    expect(endpoint.seen[1]?.at).toBeLessThan(due.getTime());
    expect(bodies(endpoint)).toEqual(['{"n":1}', '{"n":1}', '{"n":2}']);
  });

  it('stays behind it when its workflow is told itself, as by the temporal CLI', async () => {
    const { endpoint, first, second } = await heldBack();
    const { workflow } = service.client;
    await workflow.getHandle(second).signal(retryNowSignal);
    // It asks whom it waits for when it starts, and again when it is told.
    await until(() => asked.filter((sid) => sid === second).length === 2);
    expect(bodies(endpoint)).toEqual(['{"n":1}']);
    await workflow.getHandle(first).signal(retryNowSignal);
    await until(() => endpoint.seen.length >= 3);
    expect(bodies(endpoint)).toEqual(['{"n":1}', '{"n":1}', '{"n":2}']);
  });
});
