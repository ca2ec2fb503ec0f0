/**
 * How many requests an endpoint gets at a time and per second, in this process. Who comes too early is told when its
 * turn is and goes away: nobody waits here, so a slow endpoint takes no worker slot from the others.
 */

export interface EndpointLimits {
  enter(visit: Visit): Admission;
}

export interface Visit {
  /** Endpoint whose limit counts. */
  readonly endpointKey: string;
  /** Who comes. A turn is kept for it until it comes back. */
  readonly deliverySid: string;
  /** Requests a second at most; null for no limit. */
  readonly maxPerSecond: number | null;
}

export type Admission =
  | { readonly admitted: true; leave(): void }
  | { readonly admitted: false; readonly waitMs: number };

export interface EndpointLimitsOptions {
  /** Requests an endpoint may have open at a time. */
  readonly concurrency: number;
  /** A clock that only goes forward. Milliseconds. */
  readonly now?: () => number;
}

/** A wait is a timer of the workflow: shorter ones are not worth their cost. */
const shortestWaitMs = 20;
/** A turn that was not taken is forgotten: its delivery ended, or went to another worker. */
const forgetAfterMs = 60_000;
const secondMs = 1_000;

interface Endpoint {
  /** Start times of the requests under way, oldest first. */
  readonly open: Set<{ readonly at: number }>;
  /** When requests of the last second were let through, oldest first. Kept only where there is a rate. */
  readonly recent: number[];
  /** Turns given out: when each delivery may come back. */
  readonly turns: Map<string, number>;
  /** The last of these turns. */
  lastTurn: number;
  /** How long a request of this endpoint takes, smoothed; null before the first ended. */
  typicalMs: number | null;
}

export function createEndpointLimits({
  concurrency,
  now = () => performance.now(),
}: EndpointLimitsOptions): EndpointLimits {
  const endpoints = new Map<string, Endpoint>();
  let sweptAt = now();

  const sweep = (at: number): void => {
    if (at - sweptAt < forgetAfterMs) return;
    sweptAt = at;
    for (const [key, endpoint] of endpoints) {
      for (const [deliverySid, turn] of endpoint.turns)
        if (turn < at - forgetAfterMs) endpoint.turns.delete(deliverySid);
      if (endpoint.open.size === 0 && endpoint.turns.size === 0 && endpoint.lastTurn < at - secondMs)
        endpoints.delete(key);
    }
  };

  return {
    enter: ({ endpointKey, deliverySid, maxPerSecond }) => {
      const at = now();
      sweep(at);
      const endpoint = endpoints.get(endpointKey) ?? newEndpoint();
      endpoints.set(endpointKey, endpoint);
      const turn = endpoint.turns.get(deliverySid);
      if (turn !== undefined && turn > at) return wait(turn - at);
      const freeByRate = whenRateAllows(endpoint, at, maxPerSecond);
      // Newcomers queue up behind those that were told to come back, even when a place is free this moment.
      const behindOthers = turn === undefined && endpoint.lastTurn > at;
      if (endpoint.open.size < concurrency && freeByRate <= at && !behindOthers) {
        endpoint.turns.delete(deliverySid);
        if (maxPerSecond !== null) endpoint.recent.push(at);
        return admit(endpoint, at, now);
      }
      const spacing = spacingOf(endpoint, at, { concurrency, maxPerSecond });
      endpoint.lastTurn = Math.max(at, endpoint.lastTurn, freeByRate - spacing) + spacing;
      endpoint.turns.set(deliverySid, endpoint.lastTurn);
      return wait(endpoint.lastTurn - at);
    },
  };
}

const newEndpoint = (): Endpoint => ({
  open: new Set(),
  recent: [],
  turns: new Map(),
  lastTurn: 0,
  typicalMs: null,
});

const wait = (ms: number): Admission => ({
  admitted: false,
  waitMs: Math.max(shortestWaitMs, Math.ceil(ms)),
});

/**
 * When the last second holds fewer requests than the rate. Deliveries may come back late and in bunches, since
 * Temporal's timers are not exact: a second is filled up, but never over.
 */
function whenRateAllows({ recent }: Endpoint, at: number, maxPerSecond: number | null): number {
  if (maxPerSecond === null) return at;
  while (recent[0] !== undefined && recent[0] <= at - secondMs) recent.shift();
  const oldest = recent.at(-maxPerSecond);
  return oldest === undefined ? at : oldest + secondMs;
}

/**
 * Time between two turns: by the rate, or as fast as places became free so far. A request that is under way for longer
 * than usual counts as it stands, so that an endpoint that begins to hang is noticed at once.
 */
function spacingOf(
  endpoint: Endpoint,
  at: number,
  { concurrency, maxPerSecond }: { readonly concurrency: number; readonly maxPerSecond: number | null },
): number {
  const [oldest] = endpoint.open;
  const expectedMs = Math.max(endpoint.typicalMs ?? 0, oldest ? at - oldest.at : 0, 1);
  return Math.max(expectedMs / concurrency, maxPerSecond === null ? 0 : secondMs / maxPerSecond);
}

function admit(endpoint: Endpoint, at: number, now: () => number): Admission {
  const visit = { at };
  endpoint.open.add(visit);
  return {
    admitted: true,
    leave: () => {
      if (!endpoint.open.delete(visit)) return;
      const tookMs = now() - at;
      endpoint.typicalMs = endpoint.typicalMs === null ? tookMs : endpoint.typicalMs * 0.8 + tookMs * 0.2;
    },
  };
}
