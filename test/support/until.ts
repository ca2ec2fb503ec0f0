/** Waiting for a condition, never for a fixed time. */
import { setTimeout as pause } from 'node:timers/promises';

/** Pause between two looks: a tenth of the time waited so far, within these bounds. Milliseconds. */
const shortestPauseMs = 20;
const longestPauseMs = 200;

export interface UntilOptions {
  /** Milliseconds after which the wait fails. */
  readonly timeoutMs?: number;
  /** What is waited for, for the failure's message. */
  readonly what?: string;
}

/** Resolves with the first value of `look` that is neither false, null nor undefined. Fails with the last error or value. */
export async function until<T>(
  look: () => T | Promise<T>,
  { timeoutMs = 20_000, what = look.toString() }: UntilOptions = {},
): Promise<Exclude<T, false | null | undefined>> {
  const begun = Date.now();
  let last: unknown;
  for (;;) {
    try {
      const value = await look();
      if (value !== false && value !== null && value !== undefined)
        return value as Exclude<T, false | null | undefined>;
      last = value;
    } catch (err) {
      last = err;
    }
    const waitedMs = Date.now() - begun;
    if (waitedMs > timeoutMs)
      throw new Error(`not within ${timeoutMs} ms: ${what}; last: ${String(last)}`, { cause: last });
    await pause(Math.min(Math.max(waitedMs / 10, shortestPauseMs), longestPauseMs));
  }
}
