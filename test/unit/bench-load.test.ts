/** How the bench makes load and counts: what its figures rest on. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openLoop } from '../../bench/load.ts';
import { sendAtRate } from '../../bench/scenarios/rate.ts';
import { latencyOf, percentile } from '../../bench/statistics.ts';

/** What a bench does that has something else to do: nothing is called meanwhile. */
function holdUp(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('a steady rate', () => {
  it('breaks off at a call that fails while others are still to be made, and makes no more', async () => {
    let calls = 0;
    const load = openLoop({ perSecond: 100, seconds: 60 }, () => {
      calls += 1;
      return calls === 2 ? Promise.reject(new Error('the service is gone')) : pause(5);
    });
    await expect(load).rejects.toThrow('the service is gone');
    expect(calls).toBeLessThan(10);
  });

  it('counts from when a call was due: a bench that lags behind hides no wait', async () => {
    let calls = 0;
    const { latencies } = await openLoop({ perSecond: 100, seconds: 0.1 }, async () => {
      if (++calls === 1) holdUp(80);
    });
    // Due after 10 ms, made after 80.
    expect(latencies[1]).toBeGreaterThanOrEqual(69);
  });

  it('counts arrivals from there too', async () => {
    let calls = 0;
    const { arrivals } = await sendAtRate(
      async () => {
        if (++calls === 1) holdUp(80);
        const at = performance.now();
        return () => at;
      },
      { perSecond: 100, seconds: 0.1 },
    );
    expect(arrivals[1]).toBeGreaterThanOrEqual(69);
  });
});

describe('a percentile', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);

  it('is the smallest value that so many of a hundred do not exceed', () => {
    expect(latencyOf(values)).toEqual({ p50: 50, p95: 95, p99: 99, max: 100 });
    expect(percentile([3, 1, 2], 0.5)).toBe(2);
    expect(percentile([1, 2], 0.5)).toBe(1);
    expect(percentile(values, 0)).toBe(1);
  });

  it('of nothing is no number', () => {
    expect(percentile([], 0.95)).toBeNaN();
  });
});
