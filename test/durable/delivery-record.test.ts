/** What is on record of deliveries and their endpoints, and what follows from it: switched off, sent again, replayed. */
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { subscriptions } from '../../db/schema/subscriptions.ts';
import { settleDelivery } from '../../db/writes/deliveries.ts';
import { replayDeliveries } from '../../db/writes/replays.ts';
import { newSid } from '../../security/derived-sid.ts';
import { failTimes, startDeliveryCustomers, type DeliveryCustomers } from '../support/delivery-customers.ts';
import type { DeliveryService } from '../support/delivery-service.ts';
import { answer } from '../support/sink.ts';
import { until } from '../support/until.ts';

let customers: DeliveryCustomers;
let service: DeliveryService;

beforeAll(async () => {
  customers = await startDeliveryCustomers();
  ({ service } = customers);
});
afterEach(() => customers.closeSinks());
afterAll(() => customers?.stop());

const dayMs = 24 * 3_600_000;
const longAgo = '2020-01-01T00:00:00Z';

describe('the time an endpoint has only failed', () => {
  /** Longer than an endpoint may fail: the next failure switches it off. */
  async function hasFailedForDays(webhook: string): Promise<void> {
    await failed(webhook, { since: 6 * dayMs, last: dayMs / 2 });
  }

  /** Since when, and when last: milliseconds before now. */
  async function failed(
    webhook: string,
    ago: { readonly since: number; readonly last: number },
  ): Promise<void> {
    const failingSince = new Date(Date.now() - ago.since);
    const lastFailureAt = new Date(Date.now() - ago.last);
    await service.db
      .update(subscriptions)
      .set({ failingSince, lastFailureAt })
      .where(eq(subscriptions.sid, webhook));
  }

  it('ends with the first event it takes', async () => {
    const { customer, sid: webhook } = await customers.customerAt(answer(200));
    await hasFailedForDays(webhook);
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await customers.untilState(sid, 'delivered');
    const { body } = await customer.call('GET', `/Webhooks/${webhook}`);
    expect(body).toMatchObject({ enabled: true, failing_since: null });
  });

  it('begins anew at another address, and not at the same', async () => {
    const { customer, sid: webhook, endpoint } = await customers.customerAt(answer(200));
    await hasFailedForDays(webhook);
    const move = async (Url: string) => (await customer.call('POST', `/Webhooks/${webhook}`, { Url })).body;
    expect(await move(endpoint.url)).toMatchObject({ failing_since: expect.any(String) });
    expect(await move(`${endpoint.url}/elsewhere`)).toMatchObject({ failing_since: null });
  });

  it('begins anew with a failure that comes after a day without any', async () => {
    const { customer, sid: webhook } = await customers.customerAt(answer(500));
    await failed(webhook, { since: 6 * dayMs, last: dayMs + 60_000 });
    const began = Date.now();
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await until(async () => (await customers.rowOf(sid))?.firstAttemptAt);
    const { body } = await customer.call('GET', `/Webhooks/${webhook}`);
    expect(body).toMatchObject({ enabled: true });
    expect(Date.parse(String(body['failing_since']))).toBeGreaterThanOrEqual(began - 1_000);
  });

  it.each([
    { by: 'ended', known: { failingSince: null } },
    { by: 'begun', known: { lastFailureAt: null } },
  ])('begins anew where an older version, which keeps no last failure, has $by it', async ({ known }) => {
    const { customer, sid: webhook } = await customers.customerAt(answer(500));
    await hasFailedForDays(webhook);
    await service.db.update(subscriptions).set(known).where(eq(subscriptions.sid, webhook));
    const began = Date.now();
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await until(async () => (await customers.rowOf(sid))?.firstAttemptAt);
    const { body } = await customer.call('GET', `/Webhooks/${webhook}`);
    expect(body).toMatchObject({ enabled: true });
    expect(Date.parse(String(body['failing_since']))).toBeGreaterThanOrEqual(began - 1_000);
  });

  it('goes on with failures that come hours apart', async () => {
    const { customer, sid: webhook } = await customers.customerAt(answer(500));
    await failed(webhook, { since: 4 * dayMs, last: dayMs / 2 });
    const began = Date.now();
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await until(async () => (await customers.rowOf(sid))?.firstAttemptAt);
    const [row] = await service.db.select().from(subscriptions).where(eq(subscriptions.sid, webhook));
    expect(row?.failingSince?.getTime()).toBeLessThan(began - 3 * dayMs);
    expect(row?.lastFailureAt?.getTime()).toBeGreaterThanOrEqual(began - 1_000);
  });

  it('begins anew when its owner switches it on again', async () => {
    const { customer, sid: webhook } = await customers.customerAt(answer(500));
    await hasFailedForDays(webhook);
    const [first = ''] = await service.tell({ accountSid: customer.accountSid });
    await customers.untilState(first, 'disabled');
    await customer.call('POST', `/Webhooks/${webhook}`, { Enabled: 'true' });
    const [second = ''] = await service.tell({ accountSid: customer.accountSid });
    await until(async () => (await customers.rowOf(second))?.firstAttemptAt);
    const { body } = await customer.call('GET', `/Webhooks/${webhook}`);
    expect(body).toMatchObject({ enabled: true });
  });
});

describe('410 Gone', () => {
  it('from an address that a webhook has left meanwhile is held against nobody: the event goes to the new one', async () => {
    const later = await customers.sink(answer(200));
    let asked: (() => void) | undefined;
    const { customer, sid: webhook } = await customers.customerAt((response) => {
      asked = () => response.writeHead(410).end();
    });
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await until(() => asked);
    await customer.call('POST', `/Webhooks/${webhook}`, { Url: later.url });
    asked?.();
    await customers.untilState(sid, 'delivered');
    expect(later.seen).toHaveLength(1);
    expect((await customer.call('GET', `/Webhooks/${webhook}`)).body).toMatchObject({ enabled: true });
  });

  it('said to two attempts at once ends both', async () => {
    const open: (() => void)[] = [];
    let told = 0;
    const { customer, sid: webhook } = await customers.customerAt((response) => {
      // An endpoint that has answered gets more than one request at a time.
      if (++told === 1) response.end();
      else open.push(() => response.writeHead(410).end());
    });
    const [taken = ''] = await service.tell({ accountSid: customer.accountSid });
    await customers.untilState(taken, 'delivered');
    const sids = [];
    for (let n = 0; n < 2; n++) sids.push(...(await service.tell({ accountSid: customer.accountSid })));
    await until(() => open.length === 2);
    for (const say of open) say();
    for (const sid of sids)
      expect(await customers.untilState(sid, 'disabled')).toMatchObject({ attemptCount: 1 });
    expect((await customer.call('GET', `/Webhooks/${webhook}`)).body).toMatchObject({ enabled: false });
  });
});

describe('an attempt', () => {
  it('whose answer was stored is not made again, though its worker died before it could tell', async () => {
    let died = false;
    const dying = await startDeliveryCustomers({
      around: (real) => ({
        attemptDelivery: async (step) => {
          const report = await real.attemptDelivery(step);
          if (died) return report;
          died = true;
          throw new Error('the worker died');
        },
      }),
    });
    try {
      const { customer, endpoint } = await dying.customerAt(failTimes(1));
      const [sid = ''] = await dying.service.tell({ accountSid: customer.accountSid });
      await dying.untilState(sid, 'delivered');
      expect(endpoint.seen.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2']);
    } finally {
      await dying.closeSinks();
      await dying.stop();
    }
  });
});

describe('a delivery', () => {
  it('that was taken stays delivered, whatever would end it late', async () => {
    const { customer } = await customers.customerAt(answer(200));
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    const delivered = await customers.untilState(sid, 'delivered');
    await settleDelivery(service.db, { deliverySid: sid, state: 'canceled', at: new Date() });
    expect(await customers.rowOf(sid)).toEqual(delivered);
  });

  it('is found under its own webhook, and under no other (404)', async () => {
    const { customer, endpoint, sid: webhook } = await customers.customerAt(answer(200));
    const other = await customers.subscribe(customer, endpoint.url, { Events: ['message/send'] });
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    const found = (at: string) => customer.call('GET', `/Webhooks/${at}/Deliveries/${sid}`);
    expect(await found(webhook)).toMatchObject({ status: 200, body: { sid } });
    expect(await found(other.sid)).toMatchObject({ status: 404, body: { code: 20404 } });
  });
});

describe('a replay', () => {
  it('sends what its own webhook missed, and nothing of another', async () => {
    const { customer, endpoint, sid: webhook } = await customers.customerAt(answer(200));
    const { sid: other } = await customers.subscribe(customer, endpoint.url);
    const switchBoth = async (Enabled: 'true' | 'false') => {
      for (const sid of [webhook, other]) await customer.call('POST', `/Webhooks/${sid}`, { Enabled });
    };
    await switchBoth('false');
    await service.tell({ accountSid: customer.accountSid });
    await switchBoth('true');
    const replay = await customer.call('POST', `/Webhooks/${webhook}/Replay`, { Since: longAgo });
    await service.client.workflow.getHandle(replay.text('sid')).result();
    const deliveriesOf = async (sid: string) =>
      (await customer.call('GET', `/Webhooks/${sid}/Deliveries`)).body['deliveries'];
    expect(await deliveriesOf(webhook)).toHaveLength(2);
    expect(await deliveriesOf(other)).toMatchObject([{ status: 'disabled' }]);
  });

  it('sends an event once, however often it was sent again before', async () => {
    const { customer, endpoint, sid: webhook } = await customers.customerAt(answer(200));
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await customers.untilState(sid, 'delivered');
    for (let times = 0; times < 2; times++) {
      const again = await customer.call('POST', `/Deliveries/${sid}`, { Action: 'retry' });
      await customers.untilState(again.text('sid'), 'delivered');
    }
    const form = { Since: longAgo, Status: 'delivered' };
    const replay = await customer.call('POST', `/Webhooks/${webhook}/Replay`, form);
    const { deliverySids } = await service.client.workflow.getHandle(replay.text('sid')).result();
    expect(deliverySids).toHaveLength(1);
    await customers.untilState(deliverySids[0], 'delivered');
    expect(endpoint.seen).toHaveLength(1 + 2 + 1);
  });

  it('leaves out what was made after it began', async () => {
    const { customer, sid: webhook } = await customers.customerAt(answer(200));
    await customer.call('POST', `/Webhooks/${webhook}`, { Enabled: 'false' });
    const began = new Date();
    for (const passed of [-1, 1])
      await service.tell({ accountSid: customer.accountSid, at: new Date(began.getTime() + passed) });
    const page = {
      replaySid: newSid('replay'),
      accountSid: customer.accountSid,
      subscriptionSid: webhook,
      selection: { kind: 'since', since: longAgo, states: ['disabled'] },
      after: 0,
      until: began.toISOString(),
    } as const;
    const { starts } = await replayDeliveries(service.db, page, new Date());
    expect(starts).toHaveLength(1);
  });

  it('to a webhook that is switched off or deleted is refused (20409), as is a retry of one delivery', async () => {
    const { customer, sid: webhook } = await customers.customerAt(answer(200));
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await customers.untilState(sid, 'delivered');
    const retry = () => customer.call('POST', `/Deliveries/${sid}`, { Action: 'retry' });
    const refused = { status: 409, body: { code: 20409 } };
    await customer.call('POST', `/Webhooks/${webhook}`, { Enabled: 'false' });
    expect(await customer.call('POST', `/Webhooks/${webhook}/Replay`, { Since: longAgo })).toMatchObject(
      refused,
    );
    expect(await retry()).toMatchObject(refused);
    await customer.call('DELETE', `/Webhooks/${webhook}`);
    expect(await retry()).toMatchObject(refused);
    expect((await customer.call('GET', '/Deliveries')).body['deliveries']).toHaveLength(1);
  });
});
