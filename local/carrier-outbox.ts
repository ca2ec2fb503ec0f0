/** Brings things to the service until it takes them, as carriers do: a few at a time, later again with growing waits. */

export interface Outbox {
  /** Hands one thing over; resolves after the first try, whatever became of it. */
  push(sid: string): Promise<void>;
  stop(): void;
}

export interface OutboxOptions {
  /** Tries at a time. */
  readonly concurrency: number;
  /** One try. False, or a rejection: try again later. */
  readonly attempt: (sid: string) => Promise<boolean>;
}

/** Waits between tries: 1 second, doubled up to 5 seconds. Milliseconds. */
const firstWaitMs = 1000;
const longestWaitMs = 5000;

export function createOutbox({ concurrency, attempt }: OutboxOptions): Outbox {
  const queue: { sid: string; waitMs: number; tried: () => void }[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let running = 0;
  let stopped = false;

  const later = (sid: string, waitMs: number): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      queue.push({ sid, waitMs: Math.min(waitMs * 2, longestWaitMs), tried: () => null });
      work();
    }, waitMs);
    timers.add(timer);
  };

  const work = (): void => {
    if (stopped) return;
    while (running < concurrency) {
      const next = queue.shift();
      if (!next) return;
      running += 1;
      void attempt(next.sid)
        .catch(() => false)
        .then((done) => {
          running -= 1;
          if (!done && !stopped) later(next.sid, next.waitMs);
          next.tried();
          work();
        });
    }
  };

  return {
    push: (sid) =>
      new Promise((resolve) => {
        queue.push({ sid, waitMs: firstWaitMs, tried: resolve });
        work();
      }),
    stop: () => {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
