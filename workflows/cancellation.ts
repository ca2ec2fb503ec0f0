/**
 * `temporal workflow cancel`, and the button of the Web UI, ask a run to end. Left to itself the SDK would end it at its
 * next step, in the middle of its life, and the read model would say for ever what it said then. Here the request is one
 * more thing that happens to a resource: its table says what comes of it, and everything else goes on.
 */
import { CancellationScope } from '@temporalio/workflow';

/** Runs a workflow's steps out of reach of a request to cancel, which `onRequest` hears of instead. */
export function shielded<T>(steps: () => Promise<T>, onRequest: () => Promise<void>): Promise<T> {
  void CancellationScope.current().cancelRequested.catch(() => CancellationScope.nonCancellable(onRequest));
  return CancellationScope.nonCancellable(steps);
}

/** The same for a handler, which runs beside the steps: what it has begun is finished. */
export function shieldedHandler<Args extends unknown[], T>(
  handle: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  return (...args) => CancellationScope.nonCancellable(() => handle(...args));
}

/** A question to the outside world that may be dropped: it fails then. */
export interface Question<T> {
  readonly answer: Promise<T>;
  readonly drop: () => void;
}

/** The promise is the activity's own, since a step between would change the order of commands in earlier histories. */
export function droppable<T>(ask: () => Promise<T>): Question<T> {
  const scope = new CancellationScope();
  let answer!: Promise<T>;
  // A scope runs what it is given at once.
  void scope.run(async () => {
    answer = ask();
  });
  return { answer, drop: () => scope.cancel() };
}
