/** Deliveries on real servers over real sockets: what arrives, what is recorded (service.md §6.1, §7; issue 4). */
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { accounts } from '../../db/schema/accounts.ts';
import { subscriptions } from '../../db/schema/subscriptions.ts';
import { eventHeaders } from '../../domain/delivery-headers.ts';
import { newSid } from '../../security/derived-sid.ts';
import { failTimes, startDeliveryCustomers, type DeliveryCustomers } from '../support/delivery-customers.ts';
import type { Customer, DeliveryService } from '../support/delivery-service.ts';
import { answer, type Behaviour } from '../support/sink.ts';
import { until } from '../support/until.ts';

let customers: DeliveryCustomers;
let service: DeliveryService;

beforeAll(async () => {
  customers = await startDeliveryCustomers();
  ({ service } = customers);
});
afterEach(() => customers.closeSinks());
afterAll(() => customers?.stop());

/** The answer to a cancel shows the end where that comes soon. No time passes for it, however long the machine takes. */
async function cancel(customer: Customer, sid: string): ReturnType<Customer['call']> {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  try {
    return await customer.call('POST', `/Deliveries/${sid}`, { Action: 'cancel' });
  } finally {
    clock.mockRestore();
  }
}

describe('an event', () => {
  it('arrives signed at every endpoint that wants it, and at no other', async () => {
    const { customer, endpoint, secret } = await customers.customerAt(answer(200), {
      Events: ['message/receive'],
    });
    const other = await customers.sink(answer(200));
    await customers.subscribe(customer, other.url, { Events: ['message/send', 'optout/change'] });
    const ofLine = await customers.sink(answer(200));
    await customers.subscribe(customer, ofLine.url, { PhoneNumber: '+14155550123' });
    const sids = await service.tell({ accountSid: customer.accountSid, line: '+14155550999' });
    expect(sids).toHaveLength(1);
    await customers.untilState(sids[0] ?? '', 'delivered');
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
    const { customer, endpoint } = await customers.customerAt(answer(200));
    const event = { accountSid: customer.accountSid, resourceSid: newSid('message') };
    const [first] = await service.tell(event);
    await customers.untilState(first ?? '', 'delivered');
    const repeats = await Promise.all([service.tell(event), service.tell(event)]);
    expect(repeats.flat()).toEqual([]);
    expect(endpoint.seen).toHaveLength(1);
  });

  it('that is told ten times at once arrives once, and every caller is told which delivery it is', async () => {
    const { customer, endpoint } = await customers.customerAt(answer(200));
    const event = { accountSid: customer.accountSid, resourceSid: newSid('message'), at: new Date() };
    const told = await Promise.all(Array.from({ length: 10 }, () => service.tell(event)));
    const sids = new Set(told.flat());
    expect(sids.size).toBe(1);
    await customers.untilState([...sids][0] ?? '', 'delivered');
    expect(endpoint.seen).toHaveLength(1);
  });

  it('taken at the first attempt costs six history events', async () => {
    const { customer } = await customers.customerAt(answer(200));
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await service.client.workflow.getHandle(sid).result();
    const { events } = await service.client.workflow.getHandle(sid).fetchHistory();
    expect(events).toHaveLength(6);
  });

  it('carries its place on the line, without gaps', async () => {
    const { customer, endpoint } = await customers.customerAt(answer(200));
    const line = '+14155550177';
    for (let i = 0; i < 3; i++) await service.tell({ accountSid: customer.accountSid, line });
    await until(() => endpoint.seen.length === 3);
    const places = endpoint.seen.map(({ headers }) => Number(headers['webhook-line-sequence']));
    expect(new Set(places)).toEqual(new Set([1, 2, 3]));
  });
});

describe('a failed attempt', () => {
  it('is made again until it is taken, each one on record, with the same id', async () => {
    const { customer, endpoint, sid: webhook } = await customers.customerAt(failTimes(2));
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await customers.untilState(sid, 'delivered');
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
    const soonOver = await startDeliveryCustomers({
      env: { HOSTED_SMS_DELIVERIES__RETRY__WINDOW: '2 seconds' },
    });
    onTestFinished(() => soonOver.stop());
    let broken = true;
    const {
      customer,
      endpoint,
      sid: webhook,
    } = await soonOver.customerAt((response) => {
      response.writeHead(broken ? 503 : 200).end();
    });
    onTestFinished(() => soonOver.closeSinks());
    const [sid = ''] = await soonOver.service.tell({ accountSid: customer.accountSid });
    await soonOver.untilState(sid, 'dead-letter');
    broken = false;
    const before = endpoint.seen.length;
    const since = new Date(Date.now() - 600_000).toISOString();
    const replay = () => customer.call('POST', `/Webhooks/${webhook}/Replay`, { Since: since });
    expect((await replay()).status).toBe(202);
    await until(() => endpoint.seen.length === before + 1);
    const { body } = await customer.call('GET', `/Deliveries/${sid}`);
    const replayedBy = String(body['replayed_by']);
    expect(await soonOver.untilState(replayedBy, 'delivered')).toMatchObject({ replayOf: sid });
    expect(endpoint.seen.at(-1)?.headers).toMatchObject({
      'webhook-id': body['event_sid'],
      'webhook-delivery': replayedBy,
    });
    // A second replay finds nothing that was missed.
    const second = await replay();
    await soonOver.service.client.workflow.getHandle(second.text('sid')).result();
    const list = await customer.call('GET', `/Webhooks/${webhook}/Deliveries`);
    expect(list.body['deliveries']).toHaveLength(2);
  });

  it('answered 410 switches the endpoint off; what comes then is kept, and sent when it is back', async () => {
    let gone = true;
    const {
      customer,
      endpoint,
      sid: webhook,
    } = await customers.customerAt((response) => {
      response.writeHead(gone ? 410 : 200).end();
    });
    const [first = ''] = await service.tell({ accountSid: customer.accountSid });
    await customers.untilState(first, 'disabled');
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
    const { customer, sid: webhook } = await customers.customerAt(answer(500));
    await service.db
      .update(accounts)
      .set({ email: 'ops@example.com' })
      .where(eq(accounts.sid, customer.accountSid));
    await service.db
      .update(subscriptions)
      .set({ failingSince: new Date(Date.now() - 6 * 24 * 3_600_000), lastFailureAt: new Date() })
      .where(eq(subscriptions.sid, webhook));
    const sids = (
      await Promise.all(Array.from({ length: 5 }, () => service.tell({ accountSid: customer.accountSid })))
    ).flat();
    for (const sid of sids) await customers.untilState(sid, 'disabled');
    // The mail is the last thing the one that switched it off does.
    for (const sid of sids) await service.client.workflow.getHandle(sid).result();
    expect((await customer.call('GET', `/Webhooks/${webhook}`)).body).toMatchObject({ enabled: false });
    const mails = service.mails.filter(({ text }) => text.includes(webhook));
    expect(mails).toMatchObject([
      { to: 'ops@example.com', subject: expect.stringContaining('switched off') },
    ]);
  });
});

describe('a delivery of a customer', () => {
  it('is attempted at once on retry, and ends on cancel', async () => {
    // By itself it would come again when this test has long failed.
    const { customer, endpoint } = await customers.customerAt(answer(429, { 'retry-after': '1800' }));
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await until(() => endpoint.seen.length === 1);
    const due = await until(async () => (await customers.rowOf(sid))?.nextAttemptAt);
    expect(due.getTime()).toBeGreaterThan(Date.now() + 600_000);
    await customer.call('POST', `/Deliveries/${sid}`, { Action: 'retry' });
    await until(() => endpoint.seen.length === 2);
    expect((await cancel(customer, sid)).body).toMatchObject({ status: 'canceled' });
    expect((await cancel(customer, sid)).status).toBe(409);
  });

  it('that has ended is sent again on retry as one new delivery, however often it is asked for', async () => {
    let broken = true;
    const { customer, endpoint } = await customers.customerAt((response) => {
      response.writeHead(broken ? 410 : 200).end();
    });
    const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
    await customers.untilState(sid, 'disabled');
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
    await customers.untilState([...made][0] ?? '', 'delivered');
    expect(endpoint.seen).toHaveLength(2);
  });

  it('is nobody else to see or to touch', async () => {
    const { customer, sid: webhook } = await customers.customerAt(answer(200));
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
    const {
      customer,
      endpoint,
      sid: webhook,
    } = await customers.customerAt(answer(200), { Events: ['message/send'] });
    const made = await customer.call('POST', `/Webhooks/${webhook}/Test`, { EventType: 'optout/change' });
    expect(made.status).toBe(201);
    await customers.untilState(made.text('sid'), 'delivered');
    expect(endpoint.seen).toMatchObject([{ path: '/optout/change' }]);
    expect(JSON.parse(endpoint.seen[0]?.body ?? '')).toMatchObject({ type: 'STOP' });
  });
});

describe('a rate', () => {
  it('lets through so many a second; what is over waits its turn and is no failure', async () => {
    const perSecond = 2;
    const { customer, endpoint } = await customers.customerAt(answer(200), {
      MaxPerSecond: String(perSecond),
    });
    const begun = Date.now();
    const sids = (
      await Promise.all(Array.from({ length: 12 }, () => service.tell({ accountSid: customer.accountSid })))
    ).flat();
    for (const sid of sids)
      expect(await customers.untilState(sid, 'delivered')).toMatchObject({ attemptCount: 1 });
    const times = endpoint.seen.map(({ at }) => at).sort((left, right) => left - right);
    expect(times).toHaveLength(sids.length);
    // Each waits for the one so many before it. Counted from the beginning: a stall on the way only makes them later.
    // Turns are given to a tenth of a second, and two clocks differ by a little; test/unit/endpoint-limits has the spans.
    for (const [index, at] of times.entries())
      expect(at - begun).toBeGreaterThanOrEqual(890 * Math.floor(index / perSecond));
  });
});

describe('a slow endpoint', () => {
  /** Ends with the test: what piled up would come again and again, and take the machine from the tests after it. */
  async function slowCustomer(behave: Behaviour) {
    const slow = await customers.customerAt(behave);
    onTestFinished(async () => void (await slow.customer.call('DELETE', `/Webhooks/${slow.sid}`)));
    return slow;
  }

  it('delays nobody else, and is never called by more than its limit at a time', async () => {
    let held = 0;
    let most = 0;
    let ended = 0;
    let answers = 10;
    const slow = await slowCustomer((response) => {
      // Only an endpoint that answered before gets all of its places.
      if (answers-- > 0) return void response.end();
      held += 1;
      most = Math.max(most, held);
      response.on('close', () => {
        held -= 1;
        ended += 1;
      });
    });
    const healthy = await customers.customerAt(answer(200));
    await Promise.all(
      Array.from({ length: 60 }, () => service.tell({ accountSid: slow.customer.accountSid })),
    );
    await until(() => held >= 5, { timeoutMs: 60_000 });
    for (let i = 0; i < 20; i++) {
      await service.tell({ accountSid: healthy.customer.accountSid });
      await until(() => healthy.endpoint.seen.length === i + 1);
    }
    // The slow one held all of its places meanwhile: nobody waited until it gave one back.
    expect({ held, most, ended }).toEqual({ held: 5, most: 5, ended: 0 });
  });

  it('has what piles up sleep at the server until its turn, where it can be canceled', async () => {
    const { customer, endpoint } = await slowCustomer(() => {});
    const tell = async (): Promise<string> => {
      const [sid = ''] = await service.tell({ accountSid: customer.accountSid });
      return sid;
    };
    await tell();
    await until(() => endpoint.seen.length === 1);
    // The longer it answers nothing, and the more wait for it, the farther off is the turn of the next one.
    const handleOf = (sid: string) => service.client.workflow.getHandle(sid);
    const sleepMsOf = async (sid: string): Promise<number> => {
      const { startTime, executionTime = startTime } = await handleOf(sid).describe();
      return executionTime.getTime() - startTime.getTime();
    };
    const sleeper = await until(
      async () => {
        const sid = await tell();
        return (await sleepMsOf(sid)) > 30_000 && sid;
      },
      { timeoutMs: 60_000 },
    );
    // Sleeping, it has one event.
    expect((await handleOf(sleeper).fetchHistory()).events).toHaveLength(1);

    expect((await cancel(customer, sleeper)).body).toMatchObject({ status: 'canceled' });
    expect(await customers.untilState(sleeper, 'canceled')).toMatchObject({ attemptCount: 0 });
    expect(endpoint.seen.map(({ headers }) => headers['webhook-delivery'])).not.toContain(sleeper);
  });
});
