/** Orders that go on in another run while a clock of theirs is running: Temporal takes so many updates a run and no more. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import type { Answer } from '../../workflows/messages.ts';
import { changeOrder, completed, untilActionRequired } from '../support/fake-orders.ts';
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

const act = (order: FakeOrder, update: string, argument: object = {}): Promise<Answer> =>
  order.handle.executeUpdate<Answer, [object]>(update, { args: [argument] });

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
