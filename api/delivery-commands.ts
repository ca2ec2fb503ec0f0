/** What a customer does to deliveries: try now, cancel, send again, send a test. Deliveries belong to their workflows. */
import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { firstPendingInOrder, isPending, type DeliveryDetails } from '../db/reads/deliveries.ts';
import { findSubscription, type SubscriptionRow } from '../db/reads/subscriptions.ts';
import { ApiError } from '../domain/errors.ts';
import { derivedSid } from '../security/derived-sid.ts';
import {
  accountSidAttribute,
  cancelDeliverySignal,
  deliveryWorkflowId,
  replayWorkflowId,
  replayWorkflowType,
  retryNowSignal,
  type DeliveryReplayInput,
  type DeliveryReplayResult,
} from '../workflows/messages.ts';
import type { ApiDeps } from './deps.ts';
import { requireDelivery } from './required-rows.ts';
import { answerTimeoutMs, startOnce, tellWorkflow } from './workflow-calls.ts';

/** How long a request waits to see what it caused. Milliseconds. */
const cancelPatienceMs = 3_000;

/**
 * A pending delivery is attempted at once; where an earlier one of its message or order holds it back, that one is. One
 * that has ended is sent again as a new delivery in the same place; asked twice, there is one new delivery until that
 * has ended too.
 * Answers the delivery that is on its way. Throws 20409 where its webhook is switched off or deleted.
 */
export async function retryDelivery(deps: ApiDeps, details: DeliveryDetails): Promise<DeliveryDetails> {
  const { delivery, replay } = details;
  const { accountSid, sid, subscriptionSid } = delivery;
  if (subscriptionSid !== null)
    requireEnabled(await findSubscription(deps.db, { accountSid, sid: subscriptionSid }));
  const running = delivery.state === 'pending' ? sid : replay?.state === 'pending' ? replay.sid : null;
  if (running !== null && (await attemptNow(deps, running)))
    return requireDelivery(deps, { accountSid, sid: running });
  const { deliverySids } = await runReplay(deps, {
    replaySid: derivedSid('replay', sid, replay?.sid ?? ''),
    accountSid,
    subscriptionSid,
    selection: { kind: 'one', deliverySid: sid },
  });
  const [again = ''] = deliverySids;
  const first = await firstPendingInOrder(deps.db, again);
  if (first !== null && first !== again) await tellWorkflow(deps, deliveryWorkflowId(first), retryNowSignal);
  return requireDelivery(deps, { accountSid, sid: again });
}

/**
 * Moves the queue a delivery stands in: the first of it is attempted. Where that one has ended meanwhile, or nobody runs
 * it any more, the delivery itself is told, and asks anew whether it has to wait. False when it is not running either.
 */
async function attemptNow(deps: ApiDeps, deliverySid: string): Promise<boolean> {
  const first = await firstPendingInOrder(deps.db, deliverySid);
  if (first !== null && (await tellWorkflow(deps, deliveryWorkflowId(first), retryNowSignal))) return true;
  return first !== deliverySid && (await tellWorkflow(deps, deliveryWorkflowId(deliverySid), retryNowSignal));
}

/** Throws 20409 when it has ended. */
export async function cancelDelivery(deps: ApiDeps, { delivery }: DeliveryDetails): Promise<DeliveryDetails> {
  const workflowId = deliveryWorkflowId(delivery.sid);
  const told =
    delivery.state === 'pending' &&
    ((await wakeToCancel(deps, workflowId)) || (await tellWorkflow(deps, workflowId, cancelDeliverySignal)));
  if (!told) throw new ApiError(20409, `The delivery has ended: ${delivery.state}`);
  const patience = Date.now() + cancelPatienceMs;
  // An attempt that is under way is waited for by the workflow, and may still be taken.
  while ((await isPending(deps.db, delivery.sid)) && Date.now() <= patience) await delay(50);
  return requireDelivery(deps, delivery);
}

/** One that sleeps until its endpoint's turn hears no signal before; a cancellation wakes it. False when it does not sleep. */
async function wakeToCancel({ temporal }: ApiDeps, workflowId: string): Promise<boolean> {
  const handle = temporal.workflow.getHandle(workflowId);
  return temporal.withDeadline(Date.now() + answerTimeoutMs, async () => {
    try {
      const { status, executionTime } = await handle.describe();
      if (status.name !== 'RUNNING' || !executionTime || executionTime.getTime() <= Date.now()) return false;
      await handle.cancel();
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  });
}

/** Sends a made-up event, whatever the subscription asked for. */
export async function sendTestEvent(
  deps: ApiDeps,
  subscription: SubscriptionRow,
  test: { readonly replaySid: string; readonly eventType: SubscriptionRow['events'][number] },
): Promise<DeliveryDetails> {
  requireEnabled(subscription);
  const { accountSid, sid } = subscription;
  const { deliverySids } = await runReplay(deps, {
    replaySid: test.replaySid,
    accountSid,
    subscriptionSid: sid,
    selection: { kind: 'test', eventType: test.eventType },
  });
  return requireDelivery(deps, { accountSid, sid: deliverySids[0] ?? '' });
}

/** Starts sending again and does not wait: it may be many. */
export async function replayDeliveries(
  deps: ApiDeps,
  subscription: SubscriptionRow,
  replay: Pick<DeliveryReplayInput, 'replaySid' | 'selection'>,
): Promise<void> {
  requireEnabled(subscription);
  const { accountSid, sid } = subscription;
  await startReplay(deps, { ...replay, accountSid, subscriptionSid: sid });
}

function requireEnabled(subscription: SubscriptionRow | undefined): void {
  if (!subscription) throw new ApiError(20409, 'The webhook was deleted');
  if (!subscription.enabled)
    throw new ApiError(20409, 'The webhook is switched off: send Enabled=true first');
}

async function runReplay(deps: ApiDeps, input: DeliveryReplayInput): Promise<DeliveryReplayResult> {
  await startReplay(deps, input);
  const handle = deps.temporal.workflow.getHandle<() => Promise<DeliveryReplayResult>>(
    replayWorkflowId(input.replaySid),
  );
  return deps.temporal.withDeadline(Date.now() + answerTimeoutMs, () => handle.result());
}

/** The same replay asked for again is the one that is there. */
async function startReplay(deps: ApiDeps, input: DeliveryReplayInput): Promise<void> {
  await startOnce(deps, replayWorkflowType, {
    workflowId: replayWorkflowId(input.replaySid),
    taskQueue: deps.config.temporal.taskQueues.deliveries,
    args: [input],
    staticSummary: `replay for ${input.subscriptionSid ?? 'a callback'}`,
    priority: { fairnessKey: input.accountSid },
    typedSearchAttributes: [{ key: accountSidAttribute, value: input.accountSid }],
  });
}
