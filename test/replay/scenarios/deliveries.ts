/** Paths of webhookDelivery and deliveryReplay. */
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { AttemptReport, DeliveryActivities } from '../../../domain/ports.ts';
import { newSid } from '../../../security/derived-sid.ts';
import {
  deliveryWorkflowType,
  replayWorkflowType,
  type DeliveryReplayInput,
  type WebhookDeliveryInput,
} from '../../../workflows/messages.ts';
import { deliveredReport } from '../../support/fake-activities.ts';
import type { FakeWorld } from '../../support/fake-world.ts';
import { until } from '../../support/until.ts';
import type { Scenario } from './scenario.ts';

const failed: AttemptReport = { ...deliveredReport, result: 'failed', httpStatus: 500 };
const soon = { HOSTED_SMS_DELIVERIES__RETRY__INITIAL_INTERVAL: '200 milliseconds' };
/** The second attempt is clamped onto the end of the window. */
const shortWindow = { HOSTED_SMS_DELIVERIES__RETRY__WINDOW: '1 second' };

function start(world: FakeWorld, sequence = 1): Promise<WorkflowHandle> {
  const deliverySid = newSid('delivery');
  const input: WebhookDeliveryInput = {
    deliverySid,
    accountSid: `AC${'0'.repeat(32)}`,
    kind: 'message/receive',
    endpointHost: 'customer.example',
    endpointKey: `WH${'0'.repeat(32)}`,
    sequence,
    policy: world.delivery,
  };
  const { taskQueue } = world;
  return world.client.workflow.start(deliveryWorkflowType, {
    workflowId: deliverySid,
    taskQueue,
    args: [input],
  });
}

async function toItsEnd(world: FakeWorld, sequence = 1): Promise<string> {
  const handle = await start(world, sequence);
  await handle.result();
  return handle.workflowId;
}

/** Waits for the first failure, then tells the delivery something. */
async function afterFailure(world: FakeWorld, signal: string): Promise<string> {
  const handle = await start(world);
  await until(() => world.asked('recordNextAttempt').length > 0);
  await handle.signal(signal);
  await handle.result();
  return handle.workflowId;
}

/** Held back by another delivery, the first so many times it asks. */
function unfinishedTimes(times: number): DeliveryActivities['findPredecessor'] {
  let asked = 0;
  return async () => ({ unfinished: (asked += 1) <= times });
}

const replay = (input: Omit<DeliveryReplayInput, 'replaySid' | 'accountSid'>): Scenario['play'] => {
  return async ({ client, taskQueue }) => {
    const replaySid = newSid('event');
    const args: [DeliveryReplayInput] = [{ replaySid, accountSid: `AC${'0'.repeat(32)}`, ...input }];
    await client.workflow.execute(replayWorkflowType, { workflowId: replaySid, taskQueue, args });
    return replaySid;
  };
};

export const deliveryScenarios: readonly Scenario[] = [
  { name: 'delivery-taken-at-once', play: toItsEnd },
  {
    name: 'delivery-taken-at-third-attempt',
    env: soon,
    answers: {
      attemptDelivery: async ({ attemptNumber }) => (attemptNumber < 3 ? failed : deliveredReport),
    },
    play: toItsEnd,
  },
  {
    name: 'delivery-never-taken',
    env: shortWindow,
    answers: { attemptDelivery: async () => failed },
    play: toItsEnd,
  },
  {
    name: 'delivery-endpoint-gone',
    answers: {
      attemptDelivery: async () => ({ ...failed, result: 'gone', httpStatus: 410, switchedOff: true }),
    },
    play: toItsEnd,
  },
  {
    name: 'delivery-endpoint-gone-nobody-told',
    answers: {
      attemptDelivery: async () => ({ ...failed, result: 'gone', httpStatus: 410, switchedOff: true }),
      announceSwitchOff: async () => {
        throw ApplicationFailure.nonRetryable('no mail server');
      },
    },
    play: toItsEnd,
  },
  {
    name: 'delivery-waits-its-turn',
    answers: {
      attemptDelivery: (() => {
        let asked = 0;
        return async () =>
          (asked += 1) === 1
            ? { ...failed, result: 'waiting', httpStatus: null, waitMs: 100 }
            : deliveredReport;
      })(),
    },
    play: toItsEnd,
  },
  {
    name: 'delivery-retried-now',
    answers: {
      attemptDelivery: async ({ attemptNumber }) => (attemptNumber === 1 ? failed : deliveredReport),
    },
    play: (world) => afterFailure(world, 'retryNow'),
  },
  {
    name: 'delivery-canceled',
    answers: { attemptDelivery: async () => failed },
    play: (world) => afterFailure(world, 'cancelDelivery'),
  },
  {
    name: 'delivery-disabled',
    answers: { attemptDelivery: async () => failed },
    play: (world) => afterFailure(world, 'disableDelivery'),
  },
  {
    name: 'delivery-after-its-predecessor',
    answers: { findPredecessor: unfinishedTimes(1) },
    play: async (world) => {
      const handle = await start(world, 2);
      await until(() => world.asked('findPredecessor').length > 0);
      await handle.signal('predecessorEnded');
      await handle.result();
      return handle.workflowId;
    },
  },
  {
    // Recorded before `retry-stays-behind`, when it overtook at once; today's code asks a second time before it goes.
    name: 'delivery-held-back-overtook',
    answers: { findPredecessor: unfinishedTimes(1) },
    play: async (world) => {
      const handle = await start(world, 2);
      await until(() => world.asked('findPredecessor').length > 0);
      await handle.signal('retryNow');
      await handle.result();
      return handle.workflowId;
    },
  },
  {
    name: 'delivery-held-back-retried-now',
    answers: { findPredecessor: unfinishedTimes(3) },
    play: async (world) => {
      const handle = await start(world, 2);
      for (const [asked, signal] of ['retryNow', 'retryNow', 'predecessorEnded'].entries()) {
        await until(() => world.asked('findPredecessor').length > asked);
        await handle.signal(signal);
      }
      await handle.result();
      return handle.workflowId;
    },
  },
  {
    name: 'delivery-goes-on-in-another-run',
    env: soon,
    dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': 30 },
    answers: {
      attemptDelivery: async ({ attemptNumber }) => (attemptNumber < 6 ? failed : deliveredReport),
    },
    play: async (world) => {
      const handle = await start(world);
      const { runId } = await handle.describe();
      await handle.result();
      return { workflowId: handle.workflowId, runId };
    },
  },
  {
    name: 'replay-of-a-time',
    answers: {
      replayPage: async ({ after }) => ({
        deliverySids: [newSid('delivery')],
        next: after < 3 ? after + 1 : null,
      }),
    },
    play: replay({
      subscriptionSid: `WH${'0'.repeat(32)}`,
      selection: { kind: 'since', since: '2026-01-01T00:00:00.000Z', states: ['dead-letter'] },
    }),
  },
];
