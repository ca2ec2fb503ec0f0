/** How an endpoint's limits hand out turns: few wait inside, and not for long; nobody is forgotten (issue 4, "Delivery"). */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEndpointLimits, type Admission } from '../../gateways/endpoint-limits.ts';

/** A clock that a test moves, and deliveries that come back when they were told to. */
function simulate(options: {
  readonly concurrency: number;
  readonly maxPerSecond: number | null;
  readonly arrivals: readonly number[];
  /** Time a request takes that is let through then. */
  readonly tookMs: (at: number) => number;
}) {
  let now = 0;
  const limits = createEndpointLimits({
    endpointConcurrency: options.concurrency,
    timeout: 7_000,
    now: () => now,
  });
  const queue = options.arrivals.map((at, index) => ({
    at,
    index,
    leave: undefined as (() => void) | undefined,
  }));
  const admittedAt = new Map<number, number>();
  let open = 0;
  let mostOpen = 0;
  let visits = 0;
  while (queue.length > 0) {
    queue.sort((left, right) => left.at - right.at);
    const event = queue.shift();
    if (!event) break;
    now = Math.max(now, event.at);
    if (event.leave) {
      event.leave();
      open -= 1;
      continue;
    }
    visits += 1;
    const admission: Admission = limits.knock({
      endpointKey: 'WH',
      deliverySid: `DL${event.index}`,
      maxPerSecond: options.maxPerSecond,
    });
    if (admission.admitted) {
      admittedAt.set(event.index, now);
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      queue.push({
        at: now + options.tookMs(now),
        index: event.index,
        leave: () => admission.leave(),
      });
    } else {
      queue.push({ at: now + admission.waitMs, index: event.index, leave: undefined });
    }
  }
  return { admittedAt, mostOpen, visits, end: now };
}

describe('the limit of requests at a time', () => {
  it('is never exceeded, and every delivery gets its turn', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 2_000 }),
        (concurrency, arrivals, tookMs) => {
          const run = simulate({ concurrency, maxPerSecond: null, arrivals, tookMs: () => tookMs });
          expect(run.mostOpen).toBeLessThanOrEqual(concurrency);
          expect(run.admittedAt.size).toBe(arrivals.length);
        },
      ),
    );
  });

  it('costs few visits: 1,000 deliveries to an endpoint that hangs ask once in 5 minutes each, or little more', () => {
    const run = simulate({
      concurrency: 50,
      maxPerSecond: null,
      arrivals: Array.from({ length: 1_000 }, (_, index) => index * 5),
      tookMs: () => 7_000,
    });
    // 5 at a time, 7 seconds each, is the least it can take.
    expect(run.end).toBeLessThan(1.2 * 1_400_000);
    expect(run.visits).toBeLessThan((1_000 * run.end) / 300_000 + 500);
  });

  it('begins with a tenth, grows with each answer, and shrinks when requests time out', () => {
    let now = 0;
    const limits = createEndpointLimits({ endpointConcurrency: 50, timeout: 7_000, now: () => now });
    let next = 0;
    /** Lets 100 deliveries knock; answers how many came in, and ends them all after `tookMs`. */
    const round = (tookMs: number): number => {
      const visits = Array.from({ length: 100 }, () =>
        limits.knock({ endpointKey: 'WH', deliverySid: `DL${next++}`, maxPerSecond: null }),
      );
      now += tookMs;
      const admitted = visits.filter((visit) => visit.admitted);
      for (const visit of admitted) visit.leave();
      return admitted.length;
    };
    expect(round(7_000)).toBe(5);
    now += 50_000; // every turn that was given out is over, and not yet forgotten
    expect(round(10)).toBe(5);
    now += 50_000;
    expect(round(7_000)).toBeGreaterThanOrEqual(25);
    now += 50_000;
    expect(round(7_000)).toBeLessThanOrEqual(5);
  });

  it('is not felt by the first burst for an endpoint that answers', () => {
    const run = simulate({
      concurrency: 50,
      maxPerSecond: null,
      arrivals: Array.from({ length: 500 }, () => 0),
      tookMs: () => 20,
    });
    expect(run.end).toBeLessThan(3_500);
  });

  it('is felt no longer once the endpoint has recovered', () => {
    const run = simulate({
      concurrency: 50,
      maxPerSecond: null,
      arrivals: [
        ...Array.from({ length: 500 }, () => 0),
        ...Array.from({ length: 100 }, (_, index) => 30_000 + index * 20),
      ],
      tookMs: (at) => (at < 20_000 ? 7_000 : 10),
    });
    for (let index = 500; index < 600; index++) expect(run.admittedAt.get(index)).toBeLessThan(40_000);
  });

  it('does not hold up the others: each endpoint has its own', () => {
    const limits = createEndpointLimits({ endpointConcurrency: 1, timeout: 7_000, now: () => 0 });
    const knock = (endpointKey: string, deliverySid: string) =>
      limits.knock({ endpointKey, deliverySid, maxPerSecond: null });
    expect(knock('slow', 'DL1').admitted).toBe(true);
    expect(knock('slow', 'DL2').admitted).toBe(false);
    expect(knock('healthy', 'DL3').admitted).toBe(true);
  });
});

describe('the rate', () => {
  it('is never exceeded (to a tenth of a second), and each delivery waits once', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 2, maxLength: 100 }),
        (maxPerSecond, arrivals) => {
          const run = simulate({ concurrency: 1_000, maxPerSecond, arrivals, tookMs: () => 1 });
          const times = [...run.admittedAt.values()].sort((left, right) => left - right);
          expect(times).toHaveLength(arrivals.length);
          for (const [index, at] of times.entries()) {
            const inSecond = times.slice(index).filter((other) => other < at + 900).length;
            expect(inSecond).toBeLessThanOrEqual(maxPerSecond);
          }
          expect(run.visits).toBeLessThanOrEqual(2 * arrivals.length);
        },
      ),
    );
  });
});

describe('a turn that is near', () => {
  const options = { endpointConcurrency: 50, timeout: 7_000 };
  const visit = (index: number) => ({
    endpointKey: 'WH',
    deliverySid: `DL${index}`,
    maxPerSecond: null,
  });
  /** Resolves when everybody who can go on has done so. */
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

  /**
   * Time that passes only when everybody waits, from one timer to the next, for the limits and for those at their door:
   * Vitest's fake timers leave node:timers/promises alone.
   */
  function standingClock() {
    let now = 0;
    const ringing: { readonly at: number; readonly ring: () => void }[] = [];
    const pause = (ms: number) =>
      new Promise<void>((resolve) => void ringing.push({ at: now + ms, ring: resolve }));
    const fake = vi.spyOn(timers, 'setTimeout').mockImplementation(pause as typeof timers.setTimeout);
    syncBuiltinESMExports();
    onTestFinished(() => {
      fake.mockRestore();
      syncBuiltinESMExports();
    });
    return {
      now: () => now,
      pause,
      /** Lets time pass until nobody waits for it. */
      run: async () => {
        for (;;) {
          await settled();
          const next = ringing.sort((left, right) => left.at - right.at).shift();
          if (!next) return;
          now = next.at;
          next.ring();
        }
      },
    };
  }

  it('is waited for at the door, so that a burst needs no timers of its workflows', async () => {
    const clock = standingClock();
    const limits = createEndpointLimits({ ...options, now: clock.now });
    const admitted: number[] = [];
    const visits = Array.from({ length: 150 }, async (_, index) => {
      const admission = await limits.enter(visit(index));
      if (!admission.admitted) return;
      admitted.push(index);
      await clock.pause(20);
      admission.leave();
    });
    await settled();
    // The others wait.
    expect(admitted).toEqual([0, 1, 2, 3, 4]);
    await clock.run();
    await Promise.all(visits);
    expect(admitted).toHaveLength(150);
  });

  it('is waited for by so many only: the rest goes away at once', async () => {
    const clock = standingClock();
    const limits = createEndpointLimits({ ...options, now: clock.now });
    let answered = 0;
    const visits = Array.from({ length: 400 }, async (_, index) => {
      await limits.enter(visit(index));
      answered += 1;
    });
    await settled();
    expect(answered).toBe(200);
    await clock.run();
    await Promise.all(visits);
  });

  it('is not near where requests hang: who comes goes away at once', async () => {
    const clock = standingClock();
    const limits = createEndpointLimits({ ...options, now: clock.now });
    for (let index = 0; index < 5; index++) await limits.enter(visit(index));
    const hanging = clock.pause(5_000);
    await clock.run();
    await hanging;
    limits.knock(visit(5));
    let answer: Admission | undefined;
    void limits.enter(visit(6)).then((admission) => (answer = admission));
    await settled();
    expect(answer).toMatchObject({ admitted: false });
  });

  it('is none of those who are still on their way: told how long to take, each finds its own turn', async () => {
    let now = 0;
    const limits = createEndpointLimits({ ...options, now: () => now });
    const delayOf = (index: number) => limits.delayOf({ endpointKey: 'WH', deliverySid: `DL${index}` });
    expect(delayOf(0)).toBe(0);
    const open = await Promise.all([0, 1, 2, 3, 4].map((index) => limits.enter(visit(index))));
    expect(delayOf(5)).toBe(0);
    now = 5_000; // hanging since
    expect(delayOf(5)).toBe(0);
    expect(limits.knock(visit(5)).admitted).toBe(false);
    expect([6, 7, 8].map(delayOf)).toEqual([1_600, 2_700, 3_800]);
    now += 3_800;
    for (const admission of open) if (admission.admitted) admission.leave();
    expect([5, 6, 7, 8].every((index) => limits.knock(visit(index)).admitted)).toBe(true);
  });
});
