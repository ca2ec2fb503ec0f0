/** Time limits that come in time, whatever they are combined with. */

/**
 * `AbortSignal.timeout` for `AbortSignal.any`, which holds its parts weakly: on Node 20 the collector takes a time-out that
 * nobody listens to, and then it never comes (https://github.com/nodejs/node/issues/57736). A listener holds it.
 */
export function heldTimeout(ms: number): AbortSignal {
  const signal = AbortSignal.timeout(ms);
  signal.addEventListener('abort', () => {}, { once: true });
  return signal;
}
