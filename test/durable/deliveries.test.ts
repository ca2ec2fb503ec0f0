/** Deliveries on real servers over real sockets: what arrives, what is recorded, who waits (service.md §6.1, §7; issue 4). */
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { accounts } from '../../db/schema/accounts.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { subscriptions } from '../../db/schema/subscriptions.ts';
import { hasPendingPredecessor, nextInOrder } from '../../db/writes/deliveries.ts';
import { recordEvent } from '../../db/writes/events.ts';
import { eventHeaders } from '../../domain/delivery-headers.ts';
import { newSid } from '../../security/derived-sid.ts';
import { retryNowSignal } from '../../workflows/messages.ts';
import { startDeliveryService, type Customer, type DeliveryService } from '../support/delivery-service.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { answer, startSink, type Behaviour, type Sink } from '../support/sink.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let service: DeliveryService;
const sinks: Sink[] = [];

beforeAll(async () => {
  database = await createDatabase();
  service = await startDeliveryService({
    databaseUrl: database.url,
    temporalAddress: inject('temporalAddress'),
    env: {
      HOSTED_SMS_DELIVERIES__RETRY__INITIAL_INTERVAL: '200 milliseconds',
      HOSTED_SMS_DELIVERIES__RETRY__MAXIMUM_INTERVAL: '400 milliseconds',
      HOSTED_SMS_DELIVERIES__RETRY__WINDOW: '3 seconds',
      HOSTED_SMS_DELIVERIES__TIMEOUT: '2 seconds',
      HOSTED_SMS_DELIVERIES__ENDPOINT_CONCURRENCY: '5',
    },
  });
});
afterEach(async () => {
  for (const sink of sinks.splice(0)) await sink.close();
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

async function sink(behave: Behaviour): Promise<Sink> {
  const started = await startSink(behave);
  sinks.push(started);
  return started;
}

async function subscribe(customer: Customer, url: string, form: Record<string, string | string[]> = {}) {
  const created = await customer.call('POST', '/Webhooks', { Url: url, ...form });
  expect(created.status).toBe(201);
  return { sid: created.text('sid'), secret: created.text('secret') };
}

/** A customer with one endpoint. */
async function customerAt(behave: Behaviour, form: Record<string, string | string[]> = {}) {
  const customer = await service.customer();
  const endpoint = await sink(behave);
  return { customer, endpoint, ...(await subscribe(customer, endpoint.url, form)) };
}

const rowOf = async (sid: string) => {
  const [row] = await service.db.select().from(deliveries).where(eq(deliveries.sid, sid));
  return row;
};
const untilState = (sid: string, state: string) =>
  until(async () => {
    const row = await rowOf(sid);
    return row?.state === state && row;
  });
const failTimes = (times: number, status = 500): Behaviour => {
  let count = 0;
  return (response) => {
    count += 1;
    response.writeHead(count <= times ? status : 200).end('body');
  };
};

describe('an event', () => {
  it('arrives signed at every endpoint that wants it, and at no other', async () => {
    const { customer, endpoint, secret } = await customerAt(answer(200), { Events: ['message/receive'] });
    const other = await sink(answer(200));
    await subscribe(customer, other.url, { Events: ['message/send', 'optout/change'] });
    const ofLine = await sink(answer(200));
    await subscribe(customer, ofLine.url, { PhoneNumber: '+14155550123' });
    const sids = await service.tell({ accountSid: customer.accountSid, line: '+14155550999' });
    expect(sids).toHaveLength(1);
    await untilState(sids[0] ?? '', 'delivered');
    expect(endpoint.seen).toMatchObject([
      { method: 'POST', path: '/message/receive', body: '{"body":"hello"}' },
    ]);
    const [request] = endpoint.seen;
    const headers = Object.fromEntries(
      Object.entries(request?.headers ?? {}).map(([k, v]) => [k, String(v)]),
    );
    expect(headers['content-type']).toBe('application/json;charset=UTF-8');
    expect(headers['content-length']).toBe('16');
    const ofConnection = ['host', 'connection', 'content-length'];
    expect(Object.keys(headers).toSorted()).toEqual(
      [...ofConnection, ...Object.keys(eventHeaders)].toSorted(),
    );
    expect(() => new Webhook(secret).verify(request?.body ?? '', headers)).not.toThrow();
    expect(other.seen).toEqual([]);
    expect(ofLine.seen).toEqual([]);
  });

  it('that is told twice arrives once', async () => {
    const { customer, endpoint } = await customerAt(answer(200));
    const event = { accountSid: customer.accountSid, resourceSid: newSid('message') };
    const [first] = await service.tell(event);
    await untilState(first ?? '', 'delivered');
    const repeats = await Promise.all([service.tell(event), service.tell(event)]);
    expect(repeats.flat()).toEqual([]);
    expect(endpoint.seen).toHaveLength(1);
  });

  it('that is told ten times at once arrives once, and every caller is told which delivery it is', async () => {
    const { customer, endpoint } = await customerAt(answer(200));
    const event = { accountSid: customer.accountSid, resourceSid: newSid('message'), at: new Date() };
    const told = await Promise.all(Array.from({ length: 10 }, () => service.tell(event)));
    const sids = new Set(told.flat());
    expect(sids.size).toBe(1);
    await untilState([...sids][0] ?? '', 'delivered');
    expect(endpoint.seen).toHaveLength(1);
  });

  it('taken at the first attempt costs six history events', async () => {
    const { customer } = await customerAt(answer(200));
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await service.client.workflow.getHandle(sid).result();
    const { events } = await service.client.workflow.getHandle(sid).fetchHistory();
    expect(events).toHaveLength(6);
  });

  it('carries its place on the line, without gaps', async () => {
    const { customer, endpoint } = await customerAt(answer(200));
    const line = '+14155550177';
    for (let i = 0; i < 3; i++) await service.tell({ accountSid: customer.accountSid, line });
    await until(() => endpoint.seen.length === 3);
    const places = endpoint.seen.map(({ headers }) => Number(headers['webhook-line-sequence']));
    expect(new Set(places)).toEqual(new Set([1, 2, 3]));
  });
});

describe('a failed attempt', () => {
  it('is made again until it is taken, each one on record, with the same id', async () => {
    const { customer, endpoint, sid: webhook } = await customerAt(failTimes(2));
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await untilState(sid, 'delivered');
    const { body } = await customer.call('GET', `/Webhooks/${webhook}/Deliveries/${sid}`);
    expect(body).toMatchObject({
      status: 'delivered',
      attempt_count: 3,
      attempts: [
        { number: 1, status_code: 500, response: 'body', error: null },
        { number: 2, status_code: 500 },
        { number: 3, status_code: 200 },
      ],
    });
    const ids = endpoint.seen.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids)).toEqual(new Set([body['event_sid']]));
    expect(endpoint.seen.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3']);
  });

  it('over the whole window ends as a dead letter, which can be replayed', async () => {
    let broken = true;
    const {
      customer,
      endpoint,
      sid: webhook,
    } = await customerAt((response) => {
      response.writeHead(broken ? 503 : 200).end();
    });
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await untilState(sid, 'dead-letter');
    broken = false;
    const before = endpoint.seen.length;
    const since = new Date(Date.now() - 60_000).toISOString();
    const replay = await customer.call('POST', `/Webhooks/${webhook}/Replay`, { Since: since });
    expect(replay.status).toBe(202);
    await until(() => endpoint.seen.length === before + 1);
    const { body } = await customer.call('GET', `/Deliveries/${sid}`);
    const replayedBy = String(body['replayed_by']);
    expect(await untilState(replayedBy, 'delivered')).toMatchObject({ replayOf: sid });
    expect(endpoint.seen.at(-1)?.headers).toMatchObject({
      'webhook-id': body['event_sid'],
      'webhook-delivery': replayedBy,
    });
    // A second replay finds nothing that was missed.
    await customer.call('POST', `/Webhooks/${webhook}/Replay`, { Since: since });
    const list = await customer.call('GET', `/Webhooks/${webhook}/Deliveries`);
    expect(list.body['deliveries']).toHaveLength(2);
  });

  it('answered 410 switches the endpoint off; what comes then is kept, and sent when it is back', async () => {
    let gone = true;
    const {
      customer,
      endpoint,
      sid: webhook,
    } = await customerAt((response) => {
      response.writeHead(gone ? 410 : 200).end();
    });
    const [first = ''] = await service.tell({ accountSid: customer.accountSid });
    await untilState(first, 'disabled');
    expect((await customer.call('GET', `/Webhooks/${webhook}`)).body).toMatchObject({
      enabled: false,
      disabled_reason: 'it answered 410 Gone',
    });
    expect(await service.tell({ accountSid: customer.accountSid })).toEqual([]);
    expect((await customer.call('POST', `/Webhooks/${webhook}/Test`)).status).toBe(409);
    gone = false;
    await customer.call('POST', `/Webhooks/${webhook}`, { Enabled: 'true' });
    await customer.call('POST', `/Webhooks/${webhook}/Replay`, { Since: '2020-01-01T00:00:00Z' });
    await until(async () => {
      const list = await customer.call('GET', `/Webhooks/${webhook}/Deliveries?Status=delivered`);
      return (list.body['deliveries'] as readonly unknown[]).length === 2;
    });
    expect(endpoint.seen).toHaveLength(3);
  });

  it('of an endpoint that only fails for the time set switches it off and mails the account once', async () => {
    const { customer, sid: webhook } = await customerAt(answer(500));
    await service.db
      .update(accounts)
      .set({ email: 'ops@example.com' })
      .where(eq(accounts.sid, customer.accountSid));
    await service.db
      .update(subscriptions)
      .set({ failingSince: new Date(Date.now() - 6 * 24 * 3_600_000) })
      .where(eq(subscriptions.sid, webhook));
    const sids = (
      await Promise.all(Array.from({ length: 5 }, () => service.tell({ accountSid: customer.accountSid })))
    ).flat();
    for (const sid of sids) await untilState(sid, 'disabled');
    expect((await customer.call('GET', `/Webhooks/${webhook}`)).body).toMatchObject({ enabled: false });
    const mails = service.mails.filter(({ text }) => text.includes(webhook));
    expect(mails).toMatchObject([
      { to: 'ops@example.com', subject: expect.stringContaining('switched off') },
    ]);
  });
});

describe('a delivery of a customer', () => {
  it('is attempted at once on retry, and ends on cancel', async () => {
    const { customer, endpoint } = await customerAt((response, { path }) => {
      response.writeHead(path === '' ? 200 : 429, { 'retry-after': '2' }).end();
    });
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await until(() => endpoint.seen.length === 1);
    await until(async () => (await rowOf(sid))?.nextAttemptAt);
    await customer.call('POST', `/Deliveries/${sid}`, { Action: 'retry' });
    await until(() => endpoint.seen.length === 2, { timeoutMs: 1_000 });
    const canceled = await customer.call('POST', `/Deliveries/${sid}`, { Action: 'cancel' });
    expect(canceled.body).toMatchObject({ status: 'canceled' });
    expect((await customer.call('POST', `/Deliveries/${sid}`, { Action: 'cancel' })).status).toBe(409);
  });

  it('that has ended is sent again on retry as one new delivery, however often it is asked for', async () => {
    let broken = true;
    const { customer, endpoint } = await customerAt((response) => {
      response.writeHead(broken ? 410 : 200).end();
    });
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await untilState(sid, 'disabled');
    broken = false;
    await service.db
      .update(subscriptions)
      .set({ enabled: true, disabledBy: null })
      .where(eq(subscriptions.accountSid, customer.accountSid));
    const asked = await Promise.all(
      [1, 2, 3].map(() => customer.call('POST', `/Deliveries/${sid}`, { Action: 'retry' })),
    );
    const made = new Set(asked.map((each) => each.text('sid')));
    expect(made.size).toBe(1);
    await untilState([...made][0] ?? '', 'delivered');
    expect(endpoint.seen).toHaveLength(2);
  });

  it('is nobody else to see or to touch', async () => {
    const { customer, sid: webhook } = await customerAt(answer(200));
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    const stranger = await service.customer();
    for (const path of [`/Deliveries/${sid}`, `/Webhooks/${webhook}`, `/Webhooks/${webhook}/Deliveries`])
      expect((await stranger.call('GET', path)).status).toBe(404);
    expect((await stranger.call('POST', `/Deliveries/${sid}`, { Action: 'retry' })).status).toBe(404);
    expect((await stranger.call('DELETE', `/Webhooks/${webhook}`)).status).toBe(404);
    expect((await stranger.call('GET', '/Deliveries')).body['deliveries']).toEqual([]);
  });
});

describe('a test event', () => {
  it('of the kind asked for arrives and is on record', async () => {
    const { customer, endpoint, sid: webhook } = await customerAt(answer(200), { Events: ['message/send'] });
    const made = await customer.call('POST', `/Webhooks/${webhook}/Test`, { EventType: 'optout/change' });
    expect(made.status).toBe(201);
    await untilState(made.text('sid'), 'delivered');
    expect(endpoint.seen).toMatchObject([{ path: '/optout/change' }]);
    expect(JSON.parse(endpoint.seen[0]?.body ?? '')).toMatchObject({ type: 'STOP' });
  });
});

describe('events of one message', () => {
  it('arrive in their order, however long the first takes', async () => {
    const { customer, endpoint } = await customerAt(failTimes(3));
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
    const { customer, endpoint, sid } = await customerAt((response) => {
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
    const { customer } = await customerAt(answer(200));
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
    const sids = [first?.deliverySid ?? '', second?.deliverySid ?? ''];
    for (let times = 0; times < 3; times++) {
      const asked = sids.map((sid) => [hasPendingPredecessor(counting, sid), nextInOrder(counting, sid)]);
      expect(await Promise.all(asked.flat())).toEqual([false, [sids[1]], true, []]);
    }
    expect(built).toBe(2);
  });
});

describe('a delivery that waits for an earlier one of its message', () => {
  /** Two events, of which the first is to wait two seconds after its first attempt, and holds the second one back. */
  async function heldBack() {
    const behaviour: Behaviour = (response, { headers }) => {
      const late = headers['webhook-attempt'] !== '1';
      response.writeHead(late ? 200 : 503, { 'retry-after': '2' }).end();
    };
    const { customer, endpoint } = await customerAt(behaviour);
    const event = { accountSid: customer.accountSid, resourceSid: newSid('message') };
    const [first = ''] = await service.tell({ ...event, sequence: 1, payload: '{"n":1}' });
    const [second = ''] = await service.tell({ ...event, sequence: 2, payload: '{"n":2}' });
    await until(async () => (await rowOf(first))?.nextAttemptAt);
    return { customer, endpoint, first, second };
  }
  const bodies = (endpoint: Sink) => endpoint.seen.map(({ body }) => body);

  it('has that one attempted at once on retry, and comes after it', async () => {
    const { customer, endpoint, first, second } = await heldBack();
    const asked = Date.now();
    const answered = await customer.call('POST', `/Deliveries/${second}`, { Action: 'retry' });
    expect(answered.body).toMatchObject({ sid: second, status: 'pending' });
    await untilState(first, 'delivered');
    expect(Date.now() - asked).toBeLessThan(1_500);
    await until(() => endpoint.seen.length >= 3);
    expect(bodies(endpoint).slice(0, 3)).toEqual(['{"n":1}', '{"n":1}', '{"n":2}']);
  });

  it('stays behind it when its workflow is told itself, as by the temporal CLI', async () => {
    const { endpoint, second } = await heldBack();
    await service.client.workflow.getHandle(second).signal(retryNowSignal);
    await until(() => endpoint.seen.length >= 3);
    expect(bodies(endpoint).slice(0, 3)).toEqual(['{"n":1}', '{"n":1}', '{"n":2}']);
  });
});

describe('a rate', () => {
  // Turns are given to a tenth of a second; another is left for the way to the sink's clock.
  it('lets through so many a second; what is over waits its turn and is no failure', async () => {
    const { customer, endpoint } = await customerAt(answer(200), { MaxPerSecond: '10' });
    const sids = (
      await Promise.all(Array.from({ length: 20 }, () => service.tell({ accountSid: customer.accountSid })))
    ).flat();
    for (const sid of sids) expect(await untilState(sid, 'delivered')).toMatchObject({ attemptCount: 1 });
    const times = endpoint.seen.map(({ at }) => at).sort((left, right) => left - right);
    for (const at of times)
      expect(times.filter((other) => other >= at && other < at + 800).length).toBeLessThanOrEqual(10);
  });
});

describe('a slow endpoint', () => {
  it('delays nobody else, and is never called by more than its limit at a time', async () => {
    let open = 0;
    let most = 0;
    let answers = 10;
    const slow = await customerAt((response) => {
      // Only an endpoint that answered before gets all of its places.
      if (answers-- > 0) return void response.end();
      open += 1;
      most = Math.max(most, open);
      response.on('close', () => (open -= 1));
    });
    const healthy = await customerAt(answer(200));
    for (let i = 0; i < 60; i++) void service.tell({ accountSid: slow.customer.accountSid });
    await until(() => most === 5);
    const lags: number[] = [];
    for (let i = 0; i < 20; i++) {
      const started = Date.now();
      await service.tell({ accountSid: healthy.customer.accountSid });
      await until(() => healthy.endpoint.seen.length === i + 1);
      lags.push(Date.now() - started);
    }
    expect(most).toBe(5);
    expect(lags.sort((left, right) => left - right)[10]).toBeLessThan(500);
  });
});
