/**
 * The rules of a webhook delivery: what counts as success, when the next attempt is due, when to give up.
 * Source: service.md §7; the numbers that the specification leaves open come from `temporal.yaml` (decision 0004).
 */

/** Every way an attempt can end. `waiting` is no attempt: the endpoint's own limit made it wait its turn. */
export const attemptResults = ['delivered', 'failed', 'gone', 'disabled', 'waiting'] as const;
export type AttemptResult = (typeof attemptResults)[number];

export const deliveryStates = ['pending', 'delivered', 'dead-letter', 'canceled', 'disabled'] as const;
/** `dead-letter`: not taken within the window. `disabled`: its endpoint was off; it can be replayed. */
export type DeliveryState = (typeof deliveryStates)[number];

/** Exponential retry policy in the shape of Temporal's own. All times in milliseconds. */
export interface RetryPolicy {
  readonly initialIntervalMs: number;
  readonly backoffCoefficient: number;
  readonly maximumIntervalMs: number;
  /** Share of the interval by which it may vary either way. 0 to 1. */
  readonly jitter: number;
  /** Time from the first attempt to the last. Source: service.md §7 rule 3: 72 hours. */
  readonly windowMs: number;
}

/** The answer is a success only in the 200 range: a redirect is a failure. Source: service.md §7 rule 1. */
export function isSuccess(httpStatus: number): boolean {
  return httpStatus >= 200 && httpStatus < 300;
}

export interface NextAttempt {
  readonly policy: RetryPolicy;
  /** Attempts made so far, at least 1. */
  readonly attemptCount: number;
  /** Time of the first attempt, milliseconds since the epoch. */
  readonly firstAttemptAt: number;
  readonly now: number;
  /** What the endpoint asked for in Retry-After, if it did. Milliseconds from `now`. */
  readonly retryAfterMs?: number | undefined;
  /** Uniform in [0, 1); a parameter, so that the function stays pure. */
  readonly random: number;
}

/**
 * Milliseconds to wait before the next attempt, or `null` when the window is over.
 * Retry-After lengthens a wait and never shortens it; the last attempt is clamped onto the end of the window.
 */
export function nextDelayMs(next: NextAttempt): number | null {
  const { policy, attemptCount, firstAttemptAt, now, retryAfterMs, random } = next;
  const remaining = firstAttemptAt + policy.windowMs - now;
  if (remaining <= 0) return null;
  const plain = Math.min(
    policy.maximumIntervalMs,
    policy.initialIntervalMs * policy.backoffCoefficient ** (attemptCount - 1),
  );
  const jittered = plain * (1 - policy.jitter + 2 * policy.jitter * random);
  return Math.round(Math.min(remaining, Math.max(jittered, retryAfterMs ?? 0)));
}
