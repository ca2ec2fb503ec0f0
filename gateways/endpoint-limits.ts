/**
 * How many requests an endpoint gets at a time and per second, in this process. Who comes too early is told when its
 * turn is. Within a second it waits here, which costs less than a timer of its workflow; else it goes away, so that a
 * slow endpoint takes no worker slot from the others. An endpoint begins with a few requests at a time, gets more with
 * each answer, and fewer with each time-out: else the backlog of one that hangs, failing side by side, would take the
 * machine from everybody whenever the time-out is over.
 */
import { setTimeout } from 'node:timers/promises';

export interface EndpointLimits {
  /** Lets it in, or says when to come back. */
  knock(visit: Visit): Admission;
  /** As `knock`, and waits at the door for a turn that is near. */
  enter(visit: Visit): Promise<Admission>;
  /** How long one that is on its way had better take, so that it finds its turn. 0: it will be let in, or nearly. Milliseconds. */
  delayOf(visit: Pick<Visit, 'endpointKey' | 'deliverySid'>): number;
}

interface Visit {
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
  readonly endpointConcurrency: number;
  /** The longest a request can take. Milliseconds. */
  readonly timeout: number;
  /** A clock that only goes forward. Milliseconds. */
  readonly now?: () => number;
}

/** The longest anybody waits at the door. */
const longestAtDoorMs = 1_000;
/** How many deliveries of one endpoint may: each keeps a slot of the worker, and others need theirs. */
const mostAtDoor = 200;
/** A wait is a timer of the workflow: shorter ones are not worth their cost. */
const shortestWaitMs = 20;
/** By default a Temporal server is punctual only with timers of a second or more; turns by rate have to be on time. */
const shortestRateWaitMs = 1_000;
/** The span in which no more requests than the rate go out: a second, less what punctual timers may be early or late. */
const rateSpanMs = 900;
/** After this time one that waits looks in again: the endpoint may have recovered, and the queue be needless. */
const longestWaitMs = 300_000;
/** How long an endpoint is believed to take that has answered nothing yet. */
const usualAnswerMs = 20;
/** A timer may fire a little early. */
const timerToleranceMs = 20;
/** Share of its places an endpoint begins with, and keeps though it answers nothing in time. */
const leastShare = 0.1;
/** A turn that was not taken is forgotten: its delivery ended, or went to another worker. */
const forgetAfterMs = 60_000;
const secondMs = 1_000;

interface Endpoint {
  /** Start times of the requests under way, oldest first. */
  readonly open: Set<{ readonly at: number }>;
  /** When the last requests were let through, oldest first. Kept only where there is a rate. */
  readonly recent: number[];
  /** Turns given out: when each delivery may come back. */
  readonly turns: Map<string, number>;
  /** The last of these turns. */
  lastTurn: number;
  /** How long a request of this endpoint takes, smoothed; null before the first ended. */
  typicalMs: number | null;
  /** Requests it may have open at a time now. */
  places: number;
  atDoor: number;
}

export function createEndpointLimits({
  endpointConcurrency,
  timeout,
  now = () => performance.now(),
}: EndpointLimitsOptions): EndpointLimits {
  const endpoints = new Map<string, Endpoint>();
  const least = Math.max(1, Math.floor(endpointConcurrency * leastShare));
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

  const endpointOf = (key: string): Endpoint => {
    const endpoint = endpoints.get(key) ?? newEndpoint(least);
    endpoints.set(key, endpoint);
    return endpoint;
  };

  const knock = ({ endpointKey, deliverySid, maxPerSecond }: Visit): Admission => {
    const at = now();
    sweep(at);
    const endpoint = endpointOf(endpointKey);
    const turn = endpoint.turns.get(deliverySid);
    // With half of its places free an endpoint is not busy, whatever turns were given out when it was.
    const busy = maxPerSecond !== null || endpoint.open.size >= endpoint.places / 2;
    if (busy && turn !== undefined && turn > at) return wait(turn - at);
    const freeByRate = whenRateAllows(endpoint, at, maxPerSecond);
    // Newcomers queue up behind those that were told to come back, even when a place is free this moment.
    const behindOthers = busy && turn === undefined && endpoint.lastTurn > at;
    if (endpoint.open.size < endpoint.places && freeByRate <= at && !behindOthers) {
      endpoint.turns.delete(deliverySid);
      if (maxPerSecond !== null) endpoint.recent.push(at);
      return admit(endpoint, at, { now, timeout, least, most: endpointConcurrency });
    }
    const due = dueTurn(endpoint, { at, freeByRate, maxPerSecond });
    // One that came when it was told to, a little too early for the rate, keeps its place before the others.
    const early = turn !== undefined && endpoint.open.size < endpoint.places;
    if (!early) endpoint.lastTurn = due;
    const next = early ? Math.max(at + shortestRateWaitMs, freeByRate) : due;
    endpoint.turns.set(deliverySid, next);
    return wait(next - at);
  };

  const enter = async (visit: Visit): Promise<Admission> => {
    const until = now() + longestAtDoorMs;
    for (;;) {
      const admission = knock(visit);
      if (admission.admitted || now() + admission.waitMs > until) return admission;
      const endpoint = endpointOf(visit.endpointKey);
      if (endpoint.atDoor >= mostAtDoor) return admission;
      endpoint.atDoor += 1;
      await setTimeout(admission.waitMs);
      endpoint.atDoor -= 1;
    }
  };

  const delayOf = ({ endpointKey, deliverySid }: Pick<Visit, 'endpointKey' | 'deliverySid'>): number => {
    const [endpoint, at] = [endpoints.get(endpointKey), now()];
    if (!endpoint || endpoint.open.size < endpoint.places / 2) return 0;
    const due = dueTurn(endpoint, { at, freeByRate: at, maxPerSecond: null });
    if (due - at <= longestAtDoorMs) return 0;
    endpoint.lastTurn = due;
    endpoint.turns.set(deliverySid, due);
    return Math.ceil(Math.min(due - at, longestWaitMs));
  };

  return { knock, enter, delayOf };
}

const newEndpoint = (places: number): Endpoint => ({
  open: new Set(),
  recent: [],
  turns: new Map(),
  lastTurn: 0,
  typicalMs: null,
  places,
  atDoor: 0,
});

const wait = (ms: number): Admission => ({ admitted: false, waitMs: Math.ceil(Math.min(ms, longestWaitMs)) });

/** When the span that ends then holds fewer requests than the rate. */
function whenRateAllows({ recent }: Endpoint, at: number, maxPerSecond: number | null): number {
  if (maxPerSecond === null) return at;
  while (recent[0] !== undefined && recent[0] <= at - rateSpanMs) recent.shift();
  const oldest = recent.at(-maxPerSecond);
  return oldest === undefined ? at : oldest + rateSpanMs;
}

interface Crowd {
  readonly at: number;
  readonly freeByRate: number;
  readonly maxPerSecond: number | null;
}

/**
 * The turn behind the last one given out. By the rate; and as places become free, which takes as long as requests took
 * so far. A request under way for longer than that counts as it stands, so that an endpoint that begins to hang is
 * noticed at once. A tenth is added: coming late costs little, coming early costs another wait.
 */
function dueTurn(endpoint: Endpoint, crowd: Crowd): number {
  const { at, freeByRate, maxPerSecond } = crowd;
  const [oldest] = endpoint.open;
  const usualMs = endpoint.typicalMs ?? usualAnswerMs;
  const expectedMs = 1.1 * Math.max(usualMs, oldest ? at - oldest.at : 0, 1);
  const spacingMs = Math.max(
    expectedMs / endpoint.places,
    maxPerSecond === null ? 0 : secondMs / maxPerSecond,
  );
  const placeFree = oldest && endpoint.open.size >= endpoint.places ? oldest.at + expectedMs : at;
  const soonest = at + (maxPerSecond === null ? shortestWaitMs : shortestRateWaitMs);
  return Math.max(soonest, freeByRate, placeFree, endpoint.lastTurn + spacingMs);
}

interface Places {
  readonly now: () => number;
  readonly timeout: number;
  readonly least: number;
  readonly most: number;
}

function admit(endpoint: Endpoint, at: number, { now, timeout, least, most }: Places): Admission {
  const visit = { at };
  endpoint.open.add(visit);
  return {
    admitted: true,
    leave: () => {
      if (!endpoint.open.delete(visit)) return;
      const tookMs = now() - at;
      endpoint.typicalMs = endpoint.typicalMs === null ? tookMs : endpoint.typicalMs * 0.8 + tookMs * 0.2;
      const timedOut = tookMs > timeout - timerToleranceMs;
      endpoint.places = timedOut
        ? Math.max(least, Math.floor(endpoint.places / 2))
        : Math.min(most, endpoint.places * 2);
    },
  };
}
