/** Load: so many callers that each go on when answered (closed), or so many calls a second whatever the answers (open). */
import { setTimeout as pause } from 'node:timers/promises';

export interface LoadResult {
  readonly count: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Of each call, from when it was due. A closed load's call is due when it is made. Milliseconds. */
  readonly latencies: readonly number[];
}

export interface ClosedLoad {
  readonly concurrency: number;
  /** Ends after so many calls … */
  readonly count?: number;
  /** … or when this time is over. */
  readonly seconds?: number;
}

/** Rejects when a call does. */
export async function closedLoop(
  { concurrency, count = Infinity, seconds = Infinity }: ClosedLoad,
  call: (index: number) => Promise<unknown>,
): Promise<LoadResult> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count && performance.now() < endsAt) {
      const index = next++;
      const calledAt = performance.now();
      await call(index);
      latencies.push(performance.now() - calledAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  return toResult(latencies, startedAt);
}

/**
 * A call is measured from when it was due (`dueAt`, as `performance.now()` counts): where this process lags behind, the
 * wait is the caller's too. Rejects when a call does, and makes no more of them.
 */
export async function openLoop(
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  call: (dueAt: number) => Promise<unknown>,
): Promise<LoadResult> {
  const latencies: number[] = [];
  const calls: Promise<void>[] = [];
  let failed = false;
  const startedAt = performance.now();
  for (let index = 0; index < perSecond * seconds; index++) {
    const dueAt = startedAt + (index * 1000) / perSecond;
    const wait = dueAt - performance.now();
    if (wait > 0) await pause(wait);
    if (failed) break;
    const made = call(dueAt).then(() => void latencies.push(performance.now() - dueAt));
    // Looked at right away: a rejection that nobody waits for yet ends the process.
    made.catch(() => (failed = true));
    calls.push(made);
  }
  await Promise.all(calls);
  return toResult(latencies, startedAt);
}

function toResult(latencies: readonly number[], startedAt: number): LoadResult {
  const seconds = (performance.now() - startedAt) / 1000;
  return { count: latencies.length, seconds, perSecond: latencies.length / seconds, latencies };
}

/** Waits until something is so. Rejects with `what` when it takes too long. */
export async function until(
  what: string,
  timeoutMs: number,
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`after ${timeoutMs / 1000} s still not so: ${what}`);
    await pause(10);
  }
}
