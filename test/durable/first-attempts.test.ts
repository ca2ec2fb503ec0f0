/** First attempts that begin beside the start of their workflow: at once, and never twice (decision 0026). */
import type { Client } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createCarrierInbox } from '../../activities/carrier-inbox.ts';
import { createFirstAttempts } from '../../activities/deliveries-first-attempts.ts';
import { startRecorded } from '../../activities/start-deliveries.ts';
import { incomingPhoneNumbers } from '../../db/schema/incoming-phone-numbers.ts';
import { recordEvent, type RecordedDelivery } from '../../db/writes/events.ts';
import { newSid } from '../../security/derived-sid.ts';
import { startDeliveryCustomers, type DeliveryCustomers } from '../support/delivery-customers.ts';
import type { DeliveryService } from '../support/delivery-service.ts';
import { gate } from '../support/gate.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { answer, type Behaviour, type Sink } from '../support/sink.ts';
import { until } from '../support/until.ts';

let customers: DeliveryCustomers;
let service: DeliveryService;

beforeAll(async () => {
  customers = await startDeliveryCustomers();
  ({ service } = customers);
});
afterEach(() => customers.closeSinks());
afterAll(() => customers?.stop());

interface Told {
  readonly endpoint: Sink;
  readonly sid: string;
  readonly stored: { readonly deliveries: readonly RecordedDelivery[]; readonly storedAt: Date };
  /** Stores the same event once more. */
  readonly again: () => Promise<Told['stored']>;
}

/** An event with one delivery, stored and not started. */
async function storedFor(behave: Behaviour): Promise<Told> {
  const { customer, endpoint } = await customers.customerAt(behave);
  const storedAt = new Date();
  const event = {
    accountSid: customer.accountSid,
    kind: 'message/receive',
    resourceSid: newSid('message'),
    sequence: 1,
    line: newPhoneNumber(),
    payload: '{}',
    at: storedAt,
  } as const;
  const store = async () => ({ deliveries: await recordEvent(service.db, event), storedAt });
  const stored = await store();
  return { endpoint, sid: stored.deliveries[0]?.start.deliverySid ?? '', stored, again: store };
}

/** A client that reaches the server once the gate is open; it fails as one without a server does. */
function clientBehind(passed: Promise<void>, fails = false): Client {
  const { workflow } = service.client;
  const start: typeof workflow.start = async (type, options) => {
    await passed;
    if (fails) throw new Error('no connection');
    return workflow.start(type, options);
  };
  return { workflow: { start } } as unknown as Client;
}

describe('the first attempt of an event that has just happened', () => {
  it('of a text that the carrier brings is made before Temporal knows of it', async () => {
    const { customer, endpoint } = await customers.customerAt(answer(200));
    const line = newPhoneNumber();
    await service.db.insert(incomingPhoneNumbers).values({
      sid: newSid('incomingPhoneNumber'),
      accountSid: customer.accountSid,
      orderSid: newSid('hostedNumberOrder'),
      phoneNumber: line,
      friendlyName: line,
      state: 'in-use',
      dateCreated: new Date(),
      dateUpdated: new Date(),
    });
    const server = gate();
    const inbox = createCarrierInbox({ ...service.starter, temporal: clientBehind(server.passed) });
    const text = { carrierId: line, from: newPhoneNumber(), to: line, body: 'Hello', mediaUrls: [] };
    const received = inbox.receiveText(text);
    const request = await until(() => endpoint.seen[0]);
    server.open();
    expect(await received).toBe('stored');
    const sid = String(request.headers['webhook-delivery']);
    expect(await service.client.workflow.getHandle(sid).result()).toBe('delivered');
    expect(endpoint.seen).toHaveLength(1);
  });

  it('is made while Temporal is still being told, and taken over by the workflow', async () => {
    const { endpoint, sid, stored } = await storedFor(answer(200));
    const server = gate();
    const started = startRecorded({ ...service.starter, temporal: clientBehind(server.passed) }, stored);
    await customers.untilState(sid, 'delivered');
    server.open();
    await started;
    expect(await service.client.workflow.getHandle(sid).result()).toBe('delivered');
    expect(endpoint.seen.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1']);
  });

  it('is not made again when the server could not be reached and the event comes once more', async () => {
    const { endpoint, sid, stored, again } = await storedFor(answer(500, { 'retry-after': '1800' }));
    const unreachable = { ...service.starter, temporal: clientBehind(Promise.resolve(), true) };
    await expect(startRecorded(unreachable, stored)).rejects.toThrow('no connection');
    await startRecorded(service.starter, await again());
    // Its workflow waits for the second attempt: the first was made and counts.
    const row = await until(async () => {
      const found = await customers.rowOf(sid);
      return found?.nextAttemptAt && found;
    });
    expect(row).toMatchObject({ attemptCount: 1, lastHttpStatus: 500 });
    await service.client.workflow.getHandle(sid).signal('cancelDelivery');
    await customers.untilState(sid, 'canceled');
    expect(endpoint.seen).toHaveLength(1);
  });

  it.each([
    [200, { result: 'delivered', httpStatus: 200, retryAfterMs: null }],
    [429, { result: 'failed', httpStatus: 429, retryAfterMs: expect.closeTo(1_800_000, -5) }],
  ])('answered %i is waited for by a workflow in another process, and told there as it was', async (status, told) => {
    const busy = gate();
    const { endpoint, sid, stored } = await storedFor(async (response) => {
      await busy.passed;
      response.writeHead(status, { 'retry-after': '1800' }).end();
    });
    const [here, there] = [
      createFirstAttempts(service.attemptDeps),
      createFirstAttempts(service.attemptDeps),
    ];
    const target = stored.deliveries[0]?.target;
    expect(target && here.begin(target, stored.storedAt)).toBe(true);
    const firstAttemptUntil = there.reservedUntil(stored.storedAt).toISOString();
    const report = there.attemptDelivery({ deliverySid: sid, attemptNumber: 1, firstAttemptUntil });
    await until(() => endpoint.seen.length > 0);
    busy.open();
    expect(await report).toMatchObject(told);
    expect(endpoint.seen).toHaveLength(1);
  });

  it('is made by the workflow when the process that began it tells nothing in time', async () => {
    const { endpoint, sid, stored } = await storedFor(answer(200));
    // Stored by a process that died: nobody here has begun anything, and its time is soon over.
    const reservedMs = service.starter.firstAttempts.reservedUntil(new Date(0)).getTime();
    const storedAt = new Date(Date.now() - reservedMs + 500);
    const deliveries = stored.deliveries.map(({ start }) => ({ start, target: null }));
    await startRecorded(service.starter, { deliveries, storedAt });
    expect(await service.client.workflow.getHandle(sid).result()).toBe('delivered');
    expect(endpoint.seen.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1']);
  });

  it('does not begin so late that another process may think it dead', async () => {
    const { endpoint, sid, stored } = await storedFor(answer(200));
    const target = stored.deliveries[0]?.target;
    const longAgo = new Date(stored.storedAt.getTime() - 60_000);
    expect(target && service.starter.firstAttempts.begin(target, longAgo)).toBe(false);
    await startRecorded(service.starter, { ...stored, storedAt: longAgo });
    await customers.untilState(sid, 'delivered');
    expect(endpoint.seen).toHaveLength(1);
  });
});
