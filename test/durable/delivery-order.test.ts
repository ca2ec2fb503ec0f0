/** Whose turn it is: events of one message at one endpoint, on real servers over real sockets (decisions 0008 and 0010). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asc, eq } from 'drizzle-orm';
import { hasPendingPredecessor, nextInOrder } from '../../db/reads/deliveries.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { recordEvent } from '../../db/writes/events.ts';
import { replayDeliveries } from '../../db/writes/replays.ts';
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

describe('a replay', () => {
  const page = {
    selection: { kind: 'since', since: '2020-01-01T00:00:00Z', states: ['disabled'] },
    after: 0,
  } as const;

  /** A customer whose endpoint is off, and the deliveries kept for it: two events of a message with others between. */
  async function missed(between: number) {
    const { customer, sid: subscriptionSid } = await customers.customerAt(answer(200));
    const { accountSid } = customer;
    await customer.call('POST', `/Webhooks/${subscriptionSid}`, { Enabled: 'false' });
    const message = { accountSid, resourceSid: newSid('message') };
    await service.tell({ ...message, sequence: 2, payload: '{"n":2}' });
    for (let n = 0; n < between; n++) await service.tell({ accountSid });
    await service.tell({ ...message, sequence: 1, payload: '{"n":1}' });
    const until = new Date(Date.now() + 1_000).toISOString();
    return { ...page, accountSid, subscriptionSid, until, replaySid: newSid('replay') };
  }

  it('of many pages has made them all before the first starts, so that none overtakes one of a later page', async () => {
    const replay = await missed(200);
    const first = await replayDeliveries(service.db, replay, new Date());
    expect(first.starts).toHaveLength(200);
    expect(first.starts[0]).toMatchObject({ sequence: 2 });
    expect(await hasPendingPredecessor(service.db, first.starts[0]?.deliverySid ?? '')).toBe(true);
    const second = await replayDeliveries(service.db, { ...replay, after: first.next ?? 0 }, new Date());
    expect(second).toMatchObject({ starts: [{}, { sequence: 1 }], next: null });
  });

  it('that is asked for the same page again answers the same deliveries', async () => {
    const replay = await missed(1);
    const first = await replayDeliveries(service.db, replay, new Date());
    expect(first.starts).toHaveLength(3);
    expect(await replayDeliveries(service.db, replay, new Date())).toEqual(first);
  });

  it('whose first pages an older version made, which made each by itself, is made to its end', async () => {
    const replay = await missed(1);
    const [oldest] = await service.db
      .select({ position: deliveries.position })
      .from(deliveries)
      .where(eq(deliveries.subscriptionSid, replay.subscriptionSid))
      .orderBy(asc(deliveries.position));
    const page = { ...replay, after: oldest?.position ?? 0 };
    expect((await replayDeliveries(service.db, page, new Date())).starts).toHaveLength(3);
  });

  it('beside another of the same event is woken with it', async () => {
    const replay = await missed(0);
    const { starts } = await replayDeliveries(service.db, replay, new Date());
    const second = starts.find(({ sequence }) => sequence === 2)?.deliverySid ?? '';
    const one = { kind: 'one', deliverySid: second } as const;
    const beside = { ...replay, replaySid: newSid('replay'), selection: one };
    const [twin] = (await replayDeliveries(service.db, beside, new Date())).starts;
    const first = starts.find(({ sequence }) => sequence === 1)?.deliverySid ?? '';
    const heldBack = await nextInOrder(service.db, first);
    expect(new Set(heldBack)).toEqual(new Set([second, twin?.deliverySid]));
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
    let builtOnce: number | undefined;
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
      builtOnce ??= built;
    }
    expect(built).toBe(builtOnce);
  });
});

describe('a delivery that waits for an earlier one of its message', () => {
  /** Two events, of which the first holds the second one back: by itself it is attempted again when all tests are over. */
  async function heldBack() {
    const behaviour: Behaviour = (response, { headers }) => {
      const late = headers['webhook-attempt'] !== '1';
      response.writeHead(late ? 200 : 503, { 'retry-after': '1800' }).end();
    };
    const { customer, endpoint, sid: webhook } = await customers.customerAt(behaviour);
    const event = { accountSid: customer.accountSid, resourceSid: newSid('message') };
    const [first = ''] = await service.tell({ ...event, sequence: 1, payload: '{"n":1}' });
    const [second = ''] = await service.tell({ ...event, sequence: 2, payload: '{"n":2}' });
    const due = await until(async () => (await customers.rowOf(first))?.nextAttemptAt);
    expect(due.getTime()).toBeGreaterThan(Date.now() + 600_000);
    return { customer, endpoint, webhook, first, second, due };
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

  it.each([
    {
      by: 'retry',
      path: (second: string) => `/Deliveries/${second}`,
      form: { Action: 'retry' },
      atOnce: true,
    },
    {
      by: 'replay',
      path: (_: string, webhook: string) => `/Webhooks/${webhook}/Replay`,
      form: { Since: '2020-01-01T00:00:00Z', Status: 'canceled' },
      atOnce: false,
    },
  ])('comes after it when it has ended and is sent again by $by', async ({ path, form, atOnce }) => {
    const { customer, endpoint, webhook, first, second, due } = await heldBack();
    await customer.call('POST', `/Deliveries/${second}`, { Action: 'cancel' });
    expect((await customer.call('POST', path(second, webhook), form)).status).toBeLessThan(300);
    const again = await until(async () => {
      const { body } = await customer.call('GET', `/Deliveries/${second}`);
      return body['replayed_by'] as string | null;
    });
    await until(() => asked.includes(again));
    if (!atOnce) await service.client.workflow.getHandle(first).signal(retryNowSignal);
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
