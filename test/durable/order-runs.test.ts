/** Orders that go on in another run while a clock of theirs is running: Temporal takes so many updates a run and no more. */
import { defaultPayloadConverter } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import {
  act,
  changeOrder,
  completed,
  documentOf,
  joinDocument,
  untilActionRequired,
} from '../support/fake-orders.ts';
import { inFakeWorld, type FakeOrder, type FakeWorld } from '../support/fake-world.ts';
import { startTestTemporal, type TestTemporal } from '../support/temporal-server.ts';
import { until } from '../support/until.ts';

let server: TestTemporal;
beforeAll(async () => {
  server = await startTestTemporal({ 'history.maxTotalUpdates': 20 });
});
afterAll(() => server?.stop());
const inSmallRuns = (play: (world: FakeWorld) => Promise<void>): Promise<void> =>
  inFakeWorld({ ...server, settings: readConfig({}) }, play);

/** Answers when the clock of the present run will ring. Milliseconds since the epoch. */
async function ringsAt(order: FakeOrder, summary: RegExp): Promise<number> {
  const { events = [] } = await order.handle.fetchHistory();
  const timer = (events ?? []).findLast(
    ({ timerStartedEventAttributes, userMetadata }) =>
      timerStartedEventAttributes && summary.test(String(userMetadata?.summary?.data)),
  );
  const seconds = (time?: { seconds?: unknown; nanos?: unknown } | null): number =>
    Number(time?.seconds ?? 0) + Number(time?.nanos ?? 0) / 1e9;
  if (!timer) throw new Error('the order has no such timer');
  return (seconds(timer.eventTime) + seconds(timer.timerStartedEventAttributes?.startToFireTimeout)) * 1000;
}

/** A client that keeps asking, as one in a loop does. */
async function changeUntilAnotherRun(order: FakeOrder): Promise<void> {
  const { runId } = await order.handle.describe();
  await until(async () => {
    await changeOrder(order, { friendlyName: 'Desk' });
    return (await order.handle.describe()).runId !== runId;
  });
}

describe('an order that is asked for changes in a loop', () => {
  it('while an administrator has to act can be resolved, and has no more time than it had', () =>
    inSmallRuns(async (world) => {
      const order = await untilActionRequired(world);
      const summary = /administrator has to act/;
      const due = await until(() => ringsAt(order, summary));
      await changeUntilAnotherRun(order);
      const dueNow = await until(() => ringsAt(order, summary));
      expect(Math.abs(dueNow - due)).toBeLessThan(10_000);
      expect(await act(order, 'resolve', { target: 'received' })).toMatchObject({ ok: true });
      expect(await act(order, 'cancelOrder')).toMatchObject({ ok: true });
    }));

  it('while its number retires can be restored, and retires no later', () =>
    inSmallRuns(async (world) => {
      const order = await completed(world);
      expect(await act(order, 'release')).toMatchObject({ ok: true });
      const due = await until(() => ringsAt(order, /retirement/));
      await changeUntilAnotherRun(order);
      const dueNow = await until(() => ringsAt(order, /retirement/));
      expect(Math.abs(dueNow - due)).toBeLessThan(10_000);
      expect(await act(order, 'restore')).toMatchObject({ ok: true });
      expect(order.snapshot()).toMatchObject({ numberState: 'in-use' });
    }));
});

describe('an order that is changed more often than one run may be', () => {
  const statusCallbackUrl = 'https://customer.example/';

  async function changeOften(order: FakeOrder): Promise<void> {
    const { runId } = await order.handle.describe();
    for (let place = 1; place <= 40; place++)
      expect(await changeOrder(order, { friendlyName: `Desk ${place}` })).toMatchObject({ ok: true });
    expect((await order.handle.describe()).runId).not.toBe(runId);
  }

  it('goes on in another run, and reads as before', () =>
    inSmallRuns(async (world) => {
      const order = await world.placeOrder({ statusCallbackUrl });
      await order.failCall();
      const revision = order.snapshot()?.revision ?? 0;
      const before = await order.handle.describe();
      await changeOften(order);
      const after = await order.handle.describe();
      expect(after.typedSearchAttributes.getAll()).toEqual(
        expect.arrayContaining(before.typedSearchAttributes.getAll()),
      );
      expect(after.raw.executionConfig?.defaultWorkflowTaskTimeout).toEqual(
        before.raw.executionConfig?.defaultWorkflowTaskTimeout,
      );
      expect(order.snapshot()).toMatchObject({ revision: revision + 40, friendlyName: 'Desk 40' });
      const details = await order.handle.query<{ readonly currentDetails?: string }>(
        '__temporal_workflow_metadata',
      );
      expect(details.currentDetails).toMatch(/^\*\*pending-verification\*\*[^]*Number: \+\d+ of AC/);
      await order.failCall();
      expect(world.asked('openVerificationAttempt')).toMatchObject([{ callNumber: 1 }, { callNumber: 2 }]);
      expect(await act(order, 'cancelOrder')).toMatchObject({ ok: true });
      const told = world.asked('prepareOrderCallback').map(({ status, sequence }) => [sequence, status]);
      expect(told).toEqual([
        [1, 'pending-verification'],
        [2, 'canceled'],
      ]);
    }));

  it('takes the age of its signed letter along', () =>
    inSmallRuns(async (world) => {
      const order = await world.placeOrder({ statusCallbackUrl });
      await joinDocument(order);
      await order.handle.signal('documentSigned', { documentSid: documentOf(order) });
      const signed = await until(() => order.snapshot()?.documentSigned && order.snapshot());
      await changeOften(order);
      expect(await givenToRun(order)).toMatchObject({
        letterSignedAt: signed.updatedAt,
        callbackCount: 1,
        facts: { status: 'pending-loa', documentSigned: true },
      });
    }));
});

/** What the present run of an order was given by the one before it. */
async function givenToRun(order: FakeOrder): Promise<unknown> {
  const { events } = await order.handle.fetchHistory();
  const [, state] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  return state && defaultPayloadConverter.fromPayload(state);
}
