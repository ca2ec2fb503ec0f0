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

interface Endpoint {
  /** Start times of the requests under way, oldest first. */
  readonly open: Set<{ readonly at: number }>;
  /** Turns given out: when each delivery may come back. */
  readonly turns: Map<string, number>;
  /** When the next request may go out by the rate. */
  nextByRate: number;
  /** Turn of the last in the queue for a free place. */
  lastInQueue: number;
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
      const idle = endpoint.open.size === 0 && endpoint.turns.size === 0;
      if (idle && endpoint.nextByRate < at && endpoint.lastInQueue < at) endpoints.delete(key);
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
      const byRate = turn === undefined ? turnByRate(endpoint, at, maxPerSecond) : at;
      const full = endpoint.open.size >= concurrency;
      // Newcomers queue up behind those that were told to come back, even when a place is free this moment.
      const behindOthers = turn === undefined && endpoint.lastInQueue > at;
      const place = full || behindOthers ? turnInQueue(endpoint, at, concurrency) : at;
      const due = Math.max(byRate, place);
      if (due > at) {
        endpoint.turns.set(deliverySid, due);
        return wait(due - at);
      }
      endpoint.turns.delete(deliverySid);
      return admit(endpoint, at, now);
    },
  };
}

const newEndpoint = (): Endpoint => ({
  open: new Set(),
  turns: new Map(),
  nextByRate: 0,
  lastInQueue: 0,
  typicalMs: null,
});

const wait = (ms: number): Admission => ({
  admitted: false,
  waitMs: Math.max(shortestWaitMs, Math.ceil(ms)),
});

/** The next free moment by the rate; taking it moves the one after. A delivery that comes back has paid already. */
function turnByRate(endpoint: Endpoint, at: number, maxPerSecond: number | null): number {
  if (maxPerSecond === null) return at;
  const turn = Math.max(at, endpoint.nextByRate);
  endpoint.nextByRate = turn + 1_000 / maxPerSecond;
  return turn;
}

/**
 * When a place will be free for the last in the queue: as fast as places became free so far. A request that is
 * under way for longer than usual counts as it stands, so that an endpoint that begins to hang is noticed at once.
 */
function turnInQueue(endpoint: Endpoint, at: number, concurrency: number): number {
  const [oldest] = endpoint.open;
  const expectedMs = Math.max(endpoint.typicalMs ?? 0, oldest ? at - oldest.at : 0, 1);
  endpoint.lastInQueue = Math.max(at, endpoint.lastInQueue) + expectedMs / concurrency;
  return endpoint.lastInQueue;
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
