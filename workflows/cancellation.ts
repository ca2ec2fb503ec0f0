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
