/** The clocks of an outgoing message, with the real constants (domain.md §2.2, §6.4; decision 0015). */
import { randomBytes } from 'node:crypto';
import { WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { expect, it } from 'vitest';
import type { OutgoingMessage } from '../../domain/message.ts';
import type { MessageActivities, MessageProgress } from '../../domain/ports.ts';
import { newSid } from '../../security/derived-sid.ts';
import { messageTimers } from '../../settings.ts';
import {
  cancelMessageUpdate,
  outboundMessageType,
  receiptArrivedSignal,
  submitMessageUpdate,
  type Answer,
  type OutboundMessageInput,
} from '../../workflows/messages.ts';
import { testBundle } from '../support/bundle.ts';
import { outgoingMessage } from '../support/outgoing-message.ts';
import { deliveredConfig, describeInSkippedTime } from '../support/time-skipping.ts';
import { until } from '../support/until.ts';

const hourMs = 3_600_000;
const tollFree = '+18005550100';
const timers = messageTimers(deliveredConfig);

interface FakeCarrier {
  /** What was recorded, oldest first. */
  readonly recorded: MessageProgress[];
  /** Hours between acceptance and each submission, by the server's clock. */
  readonly submissions: number[];
  /** The codes that became events. */
  readonly codes: () => (number | null)[];
  readonly send: (changes?: Partial<OutgoingMessage>) => Promise<{ answer: Answer; handle: WorkflowHandle }>;
}

describeInSkippedTime('an outgoing message, as time goes by', (env) => {
  async function withCarrier(
    answers: Partial<MessageActivities>,
    play: (carrier: FakeCarrier) => Promise<void>,
  ): Promise<void> {
    const taskQueue = `messages-${randomBytes(6).toString('hex')}`;
    const { client, nativeConnection: connection } = env();
    const startedAt = await env().currentTimeMs();
    const recorded: MessageProgress[] = [];
    const submissions: number[] = [];
    const submit =
      answers.submitMessage ?? (async () => ({ kind: 'accepted', receiptFollows: true }) as const);
    const activities: MessageActivities = {
      placeMessage: async () => ({ kind: 'placed', deliveries: [] }),
      recordMessage: async (progress) => {
        recorded.push(progress);
        return { deliveries: [] };
      },
      changeMessage: async () => ({ kind: 'placed', deliveries: [] }),
      callSmsUrl: async () => ({ replies: [], next: null, errorCode: null }),
      ...answers,
      submitMessage: async (input) => {
        submissions.push(((await env().currentTimeMs()) - startedAt) / hourMs);
        return submit(input);
      },
    };
    const worker = await Worker.create({
      connection,
      taskQueue,
      workflowBundle: await testBundle(),
      activities,
    });
    const send: FakeCarrier['send'] = async (changes = {}) => {
      const message = outgoingMessage({ accountSid: newSid('account'), ...changes });
      const input: OutboundMessageInput = { message, timers };
      const start = new WithStartWorkflowOperation(outboundMessageType, {
        workflowId: message.sid,
        taskQueue,
        args: [input],
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      const answer = await client.workflow.executeUpdateWithStart(submitMessageUpdate, {
        startWorkflowOperation: start,
      });
      return { answer, handle: client.workflow.getHandle(message.sid) };
    };
    const codes = (): (number | null)[] =>
      recorded.map(({ reported }) => reported).filter((code) => code !== null);
    await worker.runUntil(() => play({ recorded, submissions, codes, send }));
  }

  const inHours = async (hours: number): Promise<string> =>
    new Date((await env().currentTimeMs()) + hours * hourMs).toISOString();

  it('a scheduled message goes out at its time and not before', () =>
    withCarrier({}, async ({ send, submissions, codes }) => {
      const { handle } = await send({ sendAt: await inHours(35 * 24), from: tollFree });
      await handle.result();
      expect(submissions).toHaveLength(1);
      expect(submissions[0]).toBeCloseTo(35 * 24, 1);
      expect(codes().slice(0, 2)).toEqual([2, 1]);
    }));

  it('a scheduled message that is canceled never goes out', () =>
    withCarrier({}, async ({ send, submissions, recorded }) => {
      const { handle } = await send({ sendAt: await inHours(24) });
      expect(await handle.executeUpdate(cancelMessageUpdate)).toEqual({ ok: true, value: null });
      expect(await handle.result()).toBe('canceled');
      expect(submissions).toEqual([]);
      expect(recorded.map(({ status }) => status)).toEqual(['canceled']);
    }));

  it('a message that is on its way cannot be canceled any more', () =>
    withCarrier({}, async ({ send }) => {
      const { handle } = await send();
      expect(await handle.executeUpdate(cancelMessageUpdate)).toMatchObject({ ok: false, code: 20409 });
      expect(await handle.result()).toBe('sent');
    }));

  it('`temporal workflow cancel` stops a scheduled message, and never one that is on its way', () =>
    withCarrier({}, async ({ send, submissions, recorded }) => {
      const scheduled = await send({ sendAt: await inHours(24) });
      await scheduled.handle.cancel();
      expect(await scheduled.handle.result()).toBe('canceled');
      expect(submissions).toEqual([]);
      expect(recorded.map(({ status }) => status)).toEqual(['canceled']);
      const sent = await send({ from: tollFree });
      await until(() => submissions.length === 1);
      await sent.handle.cancel();
      expect(await sent.handle.result()).toBe('sent');
    }));

  it('a message that no carrier takes fails after 4 hours', () =>
    withCarrier({ submitMessage: noCarrier }, async ({ send, submissions, recorded, codes }) => {
      const { handle } = await send();
      expect(await handle.result()).toBe('failed');
      expect(submissions.at(-1)).toBeGreaterThan(3.9);
      expect(submissions.at(-1)).toBeLessThanOrEqual(4);
      expect(codes()).toEqual([1, 5]);
      expect(recorded.at(-1)?.errorCode).toBe(30036);
    }));

  it("a message's own validity period ends earlier", () =>
    withCarrier({ submitMessage: noCarrier }, async ({ send, submissions }) => {
      const { handle } = await send({ validityPeriodSeconds: 600 });
      expect(await handle.result()).toBe('failed');
      expect(submissions.at(-1)).toBeLessThanOrEqual(600 / 3600);
    }));

  it('a message the carrier refuses fails at once, with its reason', () =>
    withCarrier(
      { submitMessage: async () => ({ kind: 'refused', errorCode: 30007 }) },
      async ({ send, recorded, codes }) => {
        const { handle } = await send();
        expect(await handle.result()).toBe('failed');
        expect(codes()).toEqual([1, 5]);
        expect(recorded.at(-1)?.errorCode).toBe(30007);
      },
    ));

  it('a toll-free line without a receipt for 72 hours ends with 4', () =>
    withCarrier({}, async ({ send, recorded, codes }) => {
      const { handle } = await send({ from: tollFree });
      expect(await handle.result()).toBe('sent');
      expect(codes()).toEqual([1, 4]);
      const [first, last] = [recorded.at(0), recorded.at(-1)];
      expect((Date.parse(last?.at ?? '') - Date.parse(first?.at ?? '')) / hourMs).toBeCloseTo(72, 1);
    }));

  it.each([
    [true, 'delivered', 6, null],
    [false, 'undelivered', 7, 30005],
  ] as const)('a toll-free line with a receipt after 71 hours (%s) ends as %s with %i', (delivered, status, code, errorCode) =>
    withCarrier({}, async ({ send, recorded, codes }) => {
      const { handle } = await send({ from: tollFree });
      await env().sleep(71 * hourMs);
      await handle.signal(receiptArrivedSignal, { delivered, errorCode });
      expect(await handle.result()).toBe(status);
      expect(codes()).toEqual([1, code]);
      expect(recorded.at(-1)?.errorCode).toBe(errorCode);
    }));

  it('a receipt on a local line changes the status and reports nothing after 4', () =>
    withCarrier({}, async ({ send, codes }) => {
      const { handle } = await send();
      await env().sleep(hourMs);
      await handle.signal(receiptArrivedSignal, { delivered: true, errorCode: null });
      expect(await handle.result()).toBe('delivered');
      expect(codes()).toEqual([1, 4]);
    }));

  it('a receipt that overtakes the answer to the submission is not lost', async () => {
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slow: MessageActivities['submitMessage'] = async () => {
      await answered;
      return { kind: 'accepted', receiptFollows: true };
    };
    await withCarrier({ submitMessage: slow }, async ({ send, submissions }) => {
      const { handle } = await send({ from: tollFree });
      await until(() => submissions.length > 0);
      await handle.signal(receiptArrivedSignal, { delivered: true, errorCode: null });
      answer();
      expect(await handle.result()).toBe('delivered');
    });
  });

  it('a message that must not be sent is refused and goes nowhere', () =>
    withCarrier(
      { placeMessage: async () => ({ kind: 'refused', code: 21610 }) },
      async ({ send, submissions, recorded }) => {
        const { answer, handle } = await send();
        expect(answer).toEqual({ ok: false, code: 21610 });
        expect(await handle.result()).toBe('refused');
        expect([submissions, recorded]).toEqual([[], []]);
      },
    ));

  it('states are recorded one after another, each under a revision of its own', () =>
    withCarrier({}, async ({ send, recorded }) => {
      const { handle } = await send({ from: tollFree, sendAt: await inHours(1) });
      await handle.result();
      expect(recorded.map(({ revision, status }) => [revision, status])).toEqual([
        [2, 'queued'],
        [3, 'sending'],
        [4, 'sent'],
        [5, 'sent'],
      ]);
    }));

  it('the deliveries of its events live on when the message is done', () => {
    const deliverySid = newSid('delivery');
    const start = {
      deliverySid,
      accountSid: newSid('account'),
      kind: 'message/send',
      endpointHost: 'customer.example',
      endpointKey: newSid('subscription'),
      sequence: 1,
    };
    return withCarrier(
      {
        placeMessage: async () => ({ kind: 'placed', deliveries: [start] }),
        submitMessage: async () => ({ kind: 'refused', errorCode: 30007 }),
      },
      async ({ send }) => {
        const { handle } = await send();
        await handle.result();
        const delivery = await env().client.workflow.getHandle(deliverySid).describe();
        expect([delivery.type, delivery.status.name]).toEqual(['webhookDelivery', 'RUNNING']);
        await env().client.workflow.getHandle(deliverySid).terminate();
      },
    );
  });
});

const noCarrier: MessageActivities['submitMessage'] = () => Promise.reject(new Error('the carrier is away'));
