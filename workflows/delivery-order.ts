/**
 * Who waits for whom: deliveries of one order key go out one after another. A delivery asks once whether an earlier one
 * is unfinished, and is woken when that has ended. Source: decision 0008.
 */
import {
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  log,
  patched,
  proxyLocalActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { DeliveryActivities } from '../domain/ports.ts';
import { predecessorEndedSignal, type WebhookDeliveryInput } from './messages.ts';

/** What signals tell a delivery. */
export interface Waiting {
  /** How the delivery shall end before its time, when somebody said so. */
  ending: 'canceled' | 'disabled' | null;
  retryNow: boolean;
  predecessorEnded: boolean;
}

/** How much longer than their windows the predecessors can take together: each may have waited for its turn. */
const predecessorMarginMs = 24 * 3_600_000;

/**
 * Waits until every earlier delivery of the order key has ended. The flag is lowered before the question, so that a
 * signal that arrives while the answer is on its way is not missed.
 */
export async function waitForPredecessors(input: WebhookDeliveryInput, waiting: Waiting): Promise<void> {
  // Each of them has a window of its own, which begins when the one before it has ended.
  const predecessors = input.sequence - 1;
  const deadline = Date.now() + predecessors * input.policy.retry.windowMs + predecessorMarginMs;
  const local = proxyLocalActivities<DeliveryActivities>({ startToCloseTimeout: '10 seconds' });
  for (;;) {
    waiting.predecessorEnded = false;
    const { unfinished } = await local.findPredecessor({ deliverySid: input.deliverySid });
    if (!unfinished) return;
    setCurrentDetails('Waits until an earlier event of the same order has been delivered or given up.');
    const woken = await condition(
      () => waiting.predecessorEnded || waiting.retryNow || waiting.ending !== null,
      Math.max(0, deadline - Date.now()),
      { summary: 'wait for the delivery before this one' },
    );
    if (!woken || waiting.ending) return;
    if (waiting.retryNow && !staysBehind()) return;
    waiting.retryNow = false;
  }
}

/**
 * Whoever says "now" to a delivery that is held back does not mean that it may overtake: it asks again and waits on.
 * False only for runs that overtook before this was so. Asked after such a wake only: others get no marker.
 */
function staysBehind(): boolean {
  return patched('retry-stays-behind');
}

/** Tells the deliveries that waited for this one. One that is not running (yet) asks by itself when it starts. */
export async function wake(deliverySids: readonly string[]): Promise<void> {
  for (const deliverySid of deliverySids) {
    try {
      await getExternalWorkflowHandle(deliverySid).signal(predecessorEndedSignal);
    } catch (err) {
      if (isCancellation(err)) throw err;
      log.debug('a delivery that was held back is not running', { deliverySid });
    }
  }
}
