/** How many requests may wait for an answer at a time (the SMPP window). Others queue, first come, first served. */
import { GatewayError } from './service-client.ts';

export interface SubmissionWindow {
  /** Resolves to the function that gives the place back. Throws GatewayError when none is free in time, or on abort. */
  enter(signal?: AbortSignal): Promise<() => void>;
}

/** `waitMs`: how long a submission queues before its caller is told to come again. Milliseconds. */
export function createWindow({ size, waitMs }: { size: number; waitMs: number }): SubmissionWindow {
  const queue = new Set<() => void>();
  let free = size;

  const leave = (): void => {
    free += 1;
    const [next] = queue;
    next?.();
  };

  return {
    enter: (signal) =>
      new Promise((resolve, reject) => {
        const admit = (): void => {
          free -= 1;
          forget();
          let left = false;
          resolve(() => {
            if (!left) leave();
            left = true;
          });
        };
        const turnAway = (): void => {
          forget();
          reject(new GatewayError('The carrier takes no more texts at the moment'));
        };
        const forget = (): void => {
          queue.delete(admit);
          clearTimeout(timer);
          signal?.removeEventListener('abort', turnAway);
        };
        const timer = setTimeout(turnAway, waitMs);
        if (signal?.aborted) return turnAway();
        if (free > 0) return admit();
        queue.add(admit);
        signal?.addEventListener('abort', turnAway);
      }),
  };
}
