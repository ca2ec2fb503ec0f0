/**
 * One event on its way to one endpoint. The workflow owns the schedule: it attempts, waits, and gives up when the
 * window is over. What is sent and what the endpoint answered stays in the database. Source: service.md §7.
 */
import {
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  log,
  patched,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { nextDelayMs, type DeliveryState } from '../domain/delivery.ts';
import { durationInWords, outcomeInWords } from '../domain/delivery-words.ts';
import type { AttemptReport } from '../domain/ports.ts';
import { announceSwitchOff, atOnce, ordinary, recordNextAttempt } from './delivery-activities.ts';
import { waitForPredecessors, wake, type Waiting } from './delivery-order.ts';
import {
  cancelDeliverySignal,
  disableDeliverySignal,
  predecessorEndedSignal,
  retryNowSignal,
  type WebhookDeliveryInput,
} from './messages.ts';

/** What signals change, and what is known so far. */
interface Progress extends Waiting {
  attemptCount: number;
  /** Workflow time, milliseconds since the epoch. */
  firstAttemptAt: number | null;
  /** `firstAttemptUntil` of the input, until the first attempt was asked for. */
  begunUntil: string | undefined;
}

/** What a run that goes on for another has to know. */
type SoFar = Pick<Progress, 'attemptCount' | 'firstAttemptAt'>;

export async function webhookDelivery(input: WebhookDeliveryInput, resumed?: SoFar): Promise<DeliveryState> {
  const progress: Progress = {
    ...(resumed ?? { attemptCount: 0, firstAttemptAt: null }),
    ending: null,
    retryNow: false,
    predecessorEnded: false,
    begunUntil: resumed ? undefined : input.firstAttemptUntil,
  };
  setHandler(retryNowSignal, () => {
    progress.retryNow = true;
  });
  setHandler(cancelDeliverySignal, () => {
    progress.ending ??= 'canceled';
  });
  setHandler(disableDeliverySignal, () => {
    progress.ending ??= 'disabled';
  });
  setHandler(predecessorEndedSignal, () => {
    progress.predecessorEnded = true;
  });
  try {
    if (input.sequence > 1 && !resumed) await waitForPredecessors(input, progress);
    return await deliver(input, progress);
  } catch (err) {
    // `temporal workflow cancel` ends a delivery as the cancel signal does, only that the run reads "Canceled".
    if (isCancellation(err))
      await CancellationScope.nonCancellable(() => settle(input, progress, 'canceled'));
    throw err;
  }
}

/** Attempts until the endpoint took the event, the window is over, or somebody ended it. */
async function deliver(input: WebhookDeliveryInput, progress: Progress): Promise<DeliveryState> {
  for (;;) {
    if (progress.ending) return settle(input, progress, progress.ending);
    if (isFull()) await goOnInNewRun(input, progress);
    progress.retryNow = false;
    const report = await attempt(input, progress);
    const announceLast = report.switchedOff && patched('announced-after-the-end');
    if (report.switchedOff && !announceLast)
      await ordinary(input).announceSwitchOff({ deliverySid: input.deliverySid });
    switch (report.result) {
      case 'delivered':
        setCurrentDetails(`Delivered by attempt ${progress.attemptCount}.`);
        await wake(report.heldBack);
        return 'delivered';
      case 'gone':
      case 'disabled': {
        const state = await settle(input, progress, 'disabled');
        if (announceLast) await announceSwitchOff(input);
        return state;
      }
      case 'waiting':
        await waitForTurn(input, progress, report.waitMs ?? 0);
        break;
      case 'failed':
        if (!(await waitForNextAttempt(input, progress, report)))
          return settle(input, progress, 'dead-letter');
    }
  }
}

/** A history has room for the 72 hours many times over; who says "retry now" every minute fills it all the same. */
const isFull = (): boolean =>
  workflowInfo().continueAsNewSuggested && patched('delivery-goes-on-in-a-new-run');

/** Comes back as the next attempt, which is due. A signal that arrives meanwhile is for the new run. */
function goOnInNewRun(input: WebhookDeliveryInput, progress: Progress): Promise<never> {
  const { attemptCount, firstAttemptAt } = progress;
  return continueAsNew<typeof webhookDelivery>(input, { attemptCount, firstAttemptAt });
}

/**
 * Makes the next attempt: the first as a local activity, which costs least, later ones as ordinary activities, which
 * the Web UI shows one by one. An activity fails only for reasons of our own (database gone, worker killed). Then what
 * became of the attempt is unknown, and the same attempt is made again, under its number, until we know: a delivery is
 * never lost that way, an attempt never counted twice, and one whose answer was stored is not sent again.
 */
async function attempt(input: WebhookDeliveryInput, progress: Progress): Promise<AttemptReport> {
  const attemptNumber = progress.attemptCount + 1;
  const startedAt = Date.now();
  const summary = `attempt ${attemptNumber}: ${input.kind} to ${input.endpointHost}`;
  setCurrentDetails(`Attempt ${attemptNumber} at ${input.endpointHost} is being made.`);
  const report =
    attemptNumber === 1
      ? await firstAttempt(input, progress, summary)
      : await ordinary(input, summary).attemptDelivery({ deliverySid: input.deliverySid, attemptNumber });
  if (wasMade(report)) {
    progress.attemptCount = attemptNumber;
    progress.firstAttemptAt ??= startedAt;
  }
  return report;
}

async function firstAttempt(
  input: WebhookDeliveryInput,
  progress: Progress,
  summary: string,
): Promise<AttemptReport> {
  const { begunUntil: firstAttemptUntil } = progress;
  const step = {
    deliverySid: input.deliverySid,
    attemptNumber: 1,
    ...(firstAttemptUntil === undefined ? {} : { firstAttemptUntil }),
  };
  // Who comes back from a wait for its turn makes it itself.
  progress.begunUntil = undefined;
  try {
    return await atOnce(input, summary).attemptDelivery(step);
  } catch (err) {
    if (isCancellation(err)) throw err;
    log.warn('first attempt failed inside the service; it is repeated', { deliverySid: input.deliverySid });
    return ordinary(input, summary).attemptDelivery(step);
  }
}

/** An endpoint found switched off, or at its limit, got no request. */
function wasMade({ result, switchedOff }: AttemptReport): boolean {
  return result === 'delivered' || result === 'failed' || result === 'gone' || switchedOff;
}

/** The endpoint's own limit: no failure, no attempt, and the window has not begun. */
async function waitForTurn(input: WebhookDeliveryInput, progress: Progress, waitMs: number): Promise<void> {
  setCurrentDetails(`${input.endpointHost} is at its limit; waits ${durationInWords(waitMs)} for its turn.`);
  await condition(() => progress.ending !== null, waitMs, {
    summary: `wait ${durationInWords(waitMs)} for a turn at ${input.endpointHost}`,
  });
}

/** Waits as long as the policy says; false when the window is over. */
async function waitForNextAttempt(
  input: WebhookDeliveryInput,
  progress: Progress,
  report: AttemptReport,
): Promise<boolean> {
  const { attemptCount, firstAttemptAt } = progress;
  const { retry } = input.policy;
  const now = Date.now();
  const delayMs = nextDelayMs({
    policy: retry,
    attemptCount,
    firstAttemptAt: firstAttemptAt ?? now,
    now,
    retryAfterMs: report.retryAfterMs ?? undefined,
    random: Math.random(),
  });
  if (delayMs === null) return false;
  const outcome = outcomeInWords(report);
  const nextAttemptAt = new Date(now + delayMs).toISOString();
  await recordNextAttempt(input, attemptCount, nextAttemptAt);
  setCurrentDetails(
    `Attempt ${attemptCount} at ${input.endpointHost}: ${outcome}. Attempt ${attemptCount + 1} is due at ` +
      `${nextAttemptAt}; gives up at ${new Date((firstAttemptAt ?? now) + retry.windowMs).toISOString()}.`,
  );
  await condition(() => progress.retryNow || progress.ending !== null, delayMs, {
    summary: `wait ${durationInWords(delayMs)} after attempt ${attemptCount}: ${outcome}`,
  });
  return true;
}

async function settle(
  input: WebhookDeliveryInput,
  progress: Progress,
  state: 'canceled' | 'disabled' | 'dead-letter',
): Promise<DeliveryState> {
  const { heldBack } = await ordinary(input, `ends as ${state}`).settleDelivery({
    deliverySid: input.deliverySid,
    state,
    attemptCount: progress.attemptCount,
    at: new Date().toISOString(),
  });
  setCurrentDetails(`Ended as ${state} after ${progress.attemptCount} attempts.`);
  await wake(heldBack);
  return state;
}
