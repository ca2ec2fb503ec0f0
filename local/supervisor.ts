/** Keeps a process running: one that dies is started again, after a delay that grows while it keeps dying. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Running } from './child-process.ts';

export interface Supervised<T extends Running> {
  /** The process that runs now, or ran last. */
  readonly current: () => T;
  /** Stops it for good. */
  stop(): Promise<void>;
}

const firstDelayMs = 250;
const longestDelayMs = 10_000;
/** One that lived this long begins anew with the shortest delay. Milliseconds. */
const steadyAfterMs = 30_000;

/** Resolves after the first start; rejects when that fails. `log` is told of every death. */
export async function supervise<T extends Running>(
  start: () => Promise<T>,
  log: (line: string) => void,
): Promise<Supervised<T>> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let current = await start();
  let startedAt = Date.now();
  let delayMs = firstDelayMs;

  async function again(reason: string): Promise<void> {
    delayMs = Date.now() - startedAt > steadyAfterMs ? firstDelayMs : Math.min(delayMs * 2, longestDelayMs);
    log(`ended (${reason}); started again in ${delayMs / 1000} s`);
    await pause(delayMs, undefined, { signal });
    startedAt = Date.now();
    current = await start();
    log('runs again');
  }
  async function watch(): Promise<void> {
    let reason = await current.ended;
    while (!signal.aborted) {
      try {
        await again(reason);
        reason = await current.ended;
      } catch (err) {
        reason = (err as Error).message;
      }
    }
  }
  const watching = watch();

  return {
    current: () => current,
    async stop() {
      stopping.abort();
      await current.stop();
      await watching;
      // One that was being started when the stop came.
      await current.stop();
    },
  };
}
