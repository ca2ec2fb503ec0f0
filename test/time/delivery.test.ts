/** The clock of a delivery, with the real constants: 72 hours, exponential, Retry-After (service.md §7; decision 0004). */
import { randomBytes } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { expect, it } from 'vitest';
import type { AttemptReport, DeliveryActivities, DeliveryStart } from '../../domain/ports.ts';
import { newSid } from '../../security/derived-sid.ts';
import { deliveryPolicy } from '../../settings.ts';
import {
  cancelDeliverySignal,
  deliveryWorkflowType,
  disableDeliverySignal,
  retryNowSignal,
} from '../../workflows/messages.ts';
import { testBundle } from '../support/bundle.ts';
import { deliveredConfig, describeInSkippedTime } from '../support/time-skipping.ts';
import { until } from '../support/until.ts';

const hourMs = 3_600_000;
const policy = deliveryPolicy(deliveredConfig);

const report = (given: Partial<AttemptReport>): AttemptReport => ({
  result: 'failed',
  httpStatus: 500,
  error: null,
  retryAfterMs: null,
  waitMs: null,
  heldBack: [],
  switchedOff: false,
  ...given,
});
const taken = report({ result: 'delivered', httpStatus: 200 });
const failed = report({});

interface FakeEndpoint {
  /** Hours between the first attempt and this one, by the workflow's clock. */
  readonly attempts: number[];
  readonly settled: Parameters<DeliveryActivities['settleDelivery']>[0][];
  readonly start: (changes?: Partial<DeliveryStart>) => Promise<WorkflowHandle>;
}

describeInSkippedTime('a delivery, as hours go by', (env) => {
  /** An endpoint that answers as `answer` says, given the hours since the first attempt and the attempt's number. */
  async function atEndpoint(
    answer: (hours: number, attempt: number, deliverySid: string) => AttemptReport | Promise<AttemptReport>,
    play: (endpoint: FakeEndpoint) => Promise<void>,
    answers: Partial<DeliveryActivities> = {},
  ): Promise<void> {
    const taskQueue = `deliveries-${randomBytes(6).toString('hex')}`;
    const { client, nativeConnection: connection } = env();
    let firstAt: number | null = null;
    const attempts: number[] = [];
    const settled: FakeEndpoint['settled'] = [];
    const activities: DeliveryActivities = {
      attemptDelivery: async ({ attemptNumber, deliverySid }) => {
        const now = await env().currentTimeMs();
        firstAt ??= now;
        const hours = (now - firstAt) / hourMs;
        attempts.push(hours);
        return answer(hours, attemptNumber, deliverySid);
      },
      findPredecessor: async () => ({ unfinished: false }),
      recordNextAttempt: async () => {},
      settleDelivery: async (input) => {
        settled.push(input);
        return { heldBack: [] };
      },
      announceSwitchOff: async () => {},
      ...answers,
    };
    const worker = await Worker.create({
      connection,
      taskQueue,
      workflowBundle: await testBundle(),
      activities,
    });
    const start: FakeEndpoint['start'] = (changes = {}) => {
      const deliverySid = newSid('delivery');
      const input: DeliveryStart = {
        deliverySid,
        accountSid: `AC${'0'.repeat(32)}`,
        kind: 'message/receive',
        endpointHost: 'customer.example',
        endpointKey: `WH${'0'.repeat(32)}`,
        sequence: 1,
        ...changes,
      };
      return client.workflow.start(deliveryWorkflowType, {
        workflowId: input.deliverySid,
        taskQueue,
        args: [{ ...input, policy: { ...policy, taskQueue } }],
      });
    };
    await worker.runUntil(() => play({ attempts, settled, start }));
  }

  it('that fails for 71 hours and is taken then is delivered', () =>
    atEndpoint(
      (hours) => (hours < 71 ? failed : taken),
      async ({ attempts, settled, start }) => {
        expect(await (await start()).result()).toBe('delivered');
        expect(attempts.at(-1)).toBeGreaterThanOrEqual(71);
        expect(attempts.at(-1)).toBeLessThanOrEqual(72.01);
        expect(settled).toEqual([]);
      },
    ));

  it('that is never taken is a dead letter after an attempt at the very end of the 72 hours', () =>
    atEndpoint(
      () => failed,
      async ({ attempts, settled, start }) => {
        expect(await (await start()).result()).toBe('dead-letter');
        expect(attempts.at(-1)).toBeCloseTo(72, 2);
        expect(settled).toMatchObject([{ state: 'dead-letter', attemptCount: attempts.length }]);
      },
    ));

  it('that is never taken is tried about every hour, and its history stays far below what Temporal takes', () =>
    atEndpoint(
      () => failed,
      async ({ attempts, start }) => {
        const handle = await start();
        await handle.result();
        expect(attempts.length).toBeGreaterThanOrEqual(76);
        expect(attempts.length).toBeLessThanOrEqual(90);
        const { events } = await handle.fetchHistory();
        // Twelve an attempt; Temporal warns at 10,240.
        expect(events?.length).toBeLessThan(1_200);
      },
    ));

  it('waits longer after each failure, up to the longest wait', () =>
    atEndpoint(
      () => failed,
      async ({ attempts, start }) => {
        await (await start()).result();
        const waits = attempts.slice(1).map((at, index) => (at - (attempts[index] ?? 0)) * 3_600);
        const { initialIntervalMs, maximumIntervalMs, jitter } = policy.retry;
        // The last wait is cut to end with the window.
        for (const [index, seconds] of waits.slice(0, -1).entries()) {
          const plain = Math.min(maximumIntervalMs, initialIntervalMs * 2 ** index) / 1_000;
          expect(seconds).toBeGreaterThan(plain * (1 - jitter) - 1);
          expect(seconds).toBeLessThan(plain * (1 + jitter) + 5);
        }
      },
    ));

  it('waits as long as Retry-After asks', () =>
    atEndpoint(
      (_, attempt) => (attempt <= 3 ? report({ httpStatus: 503, retryAfterMs: hourMs }) : taken),
      async ({ attempts, start }) => {
        await (await start()).result();
        expect(attempts.map((hours) => Math.round(hours * 100) / 100)).toEqual([0, 1, 2, 3]);
      },
    ));

  it('makes its last attempt at 72 hours even when Retry-After asks for a year', () =>
    atEndpoint(
      () => report({ httpStatus: 429, retryAfterMs: 365 * 24 * hourMs }),
      async ({ attempts, start }) => {
        expect(await (await start()).result()).toBe('dead-letter');
        expect(attempts).toHaveLength(2);
        expect(attempts[1]).toBeCloseTo(72, 2);
      },
    ));

  it('is attempted at once when somebody says so', () =>
    atEndpoint(
      (_, attempt) => (attempt === 1 ? report({ retryAfterMs: 10 * hourMs }) : taken),
      async ({ attempts, start }) => {
        const handle = await start();
        await until(() => attempts.length === 1);
        await handle.signal(retryNowSignal);
        expect(await handle.result()).toBe('delivered');
        expect(attempts[1]).toBeLessThan(1);
      },
    ));

  it.each([
    ['canceled', cancelDeliverySignal],
    ['disabled', disableDeliverySignal],
  ] as const)('ends as %s when somebody says so, without another attempt', (state, signal) =>
    atEndpoint(
      () => failed,
      async ({ attempts, settled, start }) => {
        const handle = await start();
        await until(() => attempts.length === 1);
        await handle.signal(signal);
        expect(await handle.result()).toBe(state);
        expect(settled).toMatchObject([{ state }]);
      },
    ));

  it('that is canceled by the temporal CLI is settled as canceled', () =>
    atEndpoint(
      () => failed,
      async ({ attempts, settled, start }) => {
        const handle = await start();
        await until(() => attempts.length === 1);
        await handle.cancel();
        await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
        expect(settled).toMatchObject([{ state: 'canceled', attemptCount: 1 }]);
      },
    ));

  it('that is answered 410 ends at once, and the account is told when that switched the endpoint off', () => {
    const announced: string[] = [];
    return atEndpoint(
      () => report({ result: 'gone', httpStatus: 410, switchedOff: true }),
      async ({ attempts, start }) => {
        const handle = await start();
        expect(await handle.result()).toBe('disabled');
        expect(attempts).toHaveLength(1);
        expect(announced).toEqual([handle.workflowId]);
      },
      { announceSwitchOff: async ({ deliverySid }) => void announced.push(deliverySid) },
    );
  });

  it('that switched its endpoint off ends at once though the mail about it cannot be sent for a day', () =>
    atEndpoint(
      () => report({ result: 'gone', httpStatus: 410, switchedOff: true }),
      async ({ settled, start }) => {
        const handle = await start();
        await until(() => settled.length === 1);
        await env().sleep('25 hours');
        expect(await handle.result()).toBe('disabled');
        expect(settled).toMatchObject([{ state: 'disabled' }]);
      },
      {
        announceSwitchOff: async () => {
          throw new Error('the mail server is down');
        },
      },
    ));

  it('that waits its turn at the endpoint makes no attempt and loses nothing of its 72 hours', () => {
    let turns = 0;
    return atEndpoint(
      (hours) => {
        turns += 1;
        if (turns <= 100) return report({ result: 'waiting', httpStatus: null, waitMs: hourMs });
        return hours < 100 + 71.5 ? failed : taken;
      },
      async ({ start }) => {
        expect(await (await start()).result()).toBe('delivered');
      },
    );
  });

  it('is not lost and not miscounted when an attempt fails inside the service', () => {
    const numbers: number[] = [];
    return atEndpoint(
      (_, attempt) => {
        numbers.push(attempt);
        if (numbers.length === 1 || numbers.length === 4) throw new Error('our database is away');
        return numbers.length < 6 ? failed : taken;
      },
      async ({ start }) => {
        expect(await (await start()).result()).toBe('delivered');
        expect(numbers).toEqual([1, 1, 2, 3, 3, 4]);
      },
    );
  });

  it('that is held back overtakes nothing when somebody says "now", and asks again', () => {
    const [first, second] = [newSid('delivery'), newSid('delivery')];
    const order: string[] = [];
    let asked = 0;
    return atEndpoint(
      (hours, _, deliverySid) => {
        if (deliverySid === first && hours < 2) return failed;
        order.push(deliverySid);
        return { ...taken, heldBack: deliverySid === first ? [second] : [] };
      },
      async ({ attempts, start }) => {
        const secondRun = await start({ deliverySid: second, sequence: 2 });
        await until(() => asked === 1);
        for (const times of [2, 3]) {
          await secondRun.signal(retryNowSignal);
          await until(() => asked === times);
        }
        expect(attempts).toEqual([]);
        expect(await (await start({ deliverySid: first })).result()).toBe('delivered');
        expect(await secondRun.result()).toBe('delivered');
        expect(order).toEqual([first, second]);
      },
      {
        findPredecessor: async () => {
          asked += 1;
          return { unfinished: !order.includes(first) };
        },
      },
    );
  });

  it('goes out only when the one before it in its order has been delivered or given up', () => {
    const pending = new Set<string>();
    const order: string[] = [];
    const next = new Map<string, string>();
    const endOf = (deliverySid: string): readonly string[] => {
      pending.delete(deliverySid);
      order.push(deliverySid);
      const successor = next.get(deliverySid);
      return successor && pending.has(successor) ? [successor] : [];
    };
    const sids = [newSid('delivery'), newSid('delivery'), newSid('delivery')] as const;
    const [first, second, third] = sids;
    return atEndpoint(
      (hours, _, deliverySid) => {
        if (deliverySid === first && hours < 2) return failed;
        if (deliverySid === second) return report({ result: 'disabled' });
        return { ...taken, heldBack: endOf(deliverySid) };
      },
      async ({ start }) => {
        for (const sid of sids) pending.add(sid);
        next.set(first, second).set(second, third);
        // The last one first: it finds the others pending.
        const thirdRun = await start({ deliverySid: third, sequence: 3 });
        const secondRun = await start({ deliverySid: second, sequence: 2 });
        const firstRun = await start({ deliverySid: first, sequence: 1 });
        // One result at a time: the server's clock cannot be asked to jump twice at once.
        expect(await firstRun.result()).toBe('delivered');
        expect(await secondRun.result()).toBe('disabled');
        expect(await thirdRun.result()).toBe('delivered');
        expect(order).toEqual([first, second, third]);
      },
      {
        findPredecessor: async ({ deliverySid }) => ({
          unfinished: sids.slice(0, sids.indexOf(deliverySid)).some((sid) => pending.has(sid)),
        }),
        settleDelivery: async ({ deliverySid }) => ({ heldBack: endOf(deliverySid) }),
      },
    );
  });

  it.each([
    [2, 'one that never ends goes on after its window and a day', 96],
    // Each has a window of its own, from the end of the one before it.
    [3, 'two that never end goes on after both their windows and a day', 168],
  ])('at place %i that waits for %s', (sequence, _, hours) => {
    let sentAt = 0;
    return atEndpoint(
      async () => {
        sentAt = await env().currentTimeMs();
        return taken;
      },
      async ({ start }) => {
        const startedAt = await env().currentTimeMs();
        expect(await (await start({ sequence })).result()).toBe('delivered');
        expect((sentAt - startedAt) / hourMs).toBeCloseTo(hours, 1);
      },
      { findPredecessor: async () => ({ unfinished: true }) },
    );
  });
});
