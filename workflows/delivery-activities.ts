/** What a delivery asks of the world, with time limits and retry policies. Source: service.md §7. */
import {
  ActivityFailure,
  isCancellation,
  log,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { DeliveryActivities } from '../domain/ports.ts';
import type { WebhookDeliveryInput } from './messages.ts';

/** Time an attempt may spend beside the request itself: our own database, a busy worker. */
const attemptMarginMs = 3_000;

/** The first attempt costs least in the worker that has the workflow; it is made there once, see `ordinary` for the rest. */
export function atOnce(input: WebhookDeliveryInput, summary: string) {
  return proxyLocalActivities<DeliveryActivities>({
    startToCloseTimeout: input.policy.timeoutMs + attemptMarginMs,
    retry: { maximumAttempts: 1 },
    summary,
  });
}

/** Activities that are tried until our own trouble is over; the endpoint's failures are values, not errors. */
export function ordinary(input: WebhookDeliveryInput, summary?: string) {
  return proxyActivities<DeliveryActivities>({
    startToCloseTimeout: input.policy.timeoutMs + attemptMarginMs,
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
    ...(summary === undefined ? {} : { summary }),
  });
}

/** Only tells people when to look again: while our database is away the schedule goes on without it. */
export async function recordNextAttempt(
  input: WebhookDeliveryInput,
  attemptCount: number,
  nextAttemptAt: string,
): Promise<void> {
  const local = proxyLocalActivities<DeliveryActivities>({
    startToCloseTimeout: '5 seconds',
    retry: { maximumAttempts: 1 },
  });
  try {
    await local.recordNextAttempt({ deliverySid: input.deliverySid, attemptCount, nextAttemptAt });
  } catch (err) {
    if (isCancellation(err)) throw err;
    log.warn('the time of the next attempt could not be stored', { deliverySid: input.deliverySid });
  }
}

/** A mail that cannot be sent for a day has lost its point: the console and the API show the endpoint as switched off. */
export async function announceSwitchOff({ deliverySid }: WebhookDeliveryInput): Promise<void> {
  const { announceSwitchOff: announce } = proxyActivities<DeliveryActivities>({
    startToCloseTimeout: '1 minute',
    scheduleToCloseTimeout: '1 day',
    retry: { initialInterval: '10 seconds', maximumInterval: '10 minutes' },
    summary: 'tell the account that its endpoint is switched off',
  });
  try {
    await announce({ deliverySid });
  } catch (err) {
    if (isCancellation(err) || !(err instanceof ActivityFailure)) throw err;
    log.warn('nobody was told that the endpoint is switched off', { deliverySid });
  }
}
