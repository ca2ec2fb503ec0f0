import { LRUCache } from 'lru-cache';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRateLimiter } from '../../api/rate-limit.ts';

describe('requests per account (service.md §8, decision 0021)', () => {
  const start = Date.UTC(2026, 0, 1);

  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('lets a burst through, then one request for each token that comes back', () => {
    const limiter = createRateLimiter({ perSecond: 2, burst: 3 });
    for (let i = 0; i < 3; i++) limiter.take('AC1', start);
    expect(() => limiter.take('AC1', start)).toThrow(
      expect.objectContaining({ code: 20429, retryAfterSeconds: 1 }),
    );
    expect(() => limiter.take('AC1', start + 500)).not.toThrow();
    expect(() => limiter.take('AC1', start + 500)).toThrow();
  });

  it('never lets one account pay for another', () => {
    const limiter = createRateLimiter({ perSecond: 1, burst: 1 });
    limiter.take('AC1', start);
    expect(() => limiter.take('AC2', start)).not.toThrow();
  });

  it('looks at the bucket of the caller alone, and forgets the emptied bucket of none', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const calls = countCalls(LRUCache.prototype);
    // A bucket lives for 200 seconds: however slow the machine is, none ends before the test does.
    const limiter = createRateLimiter({ perSecond: 0.01, burst: 2 });
    for (let i = 0; i < 2; i++) limiter.take('AC1', start);
    for (let other = 0; other < 40_000; other++) limiter.take(`AC-${other}`, start);
    expect(calls).toEqual({ get: 40_002, set: 40_002 });
    expect(() => limiter.take('AC1', start)).toThrow();
  });

  it('saves up no more than the burst', () => {
    const limiter = createRateLimiter({ perSecond: 100, burst: 2 });
    limiter.take('AC1', start);
    for (let i = 0; i < 2; i++) limiter.take('AC1', start + 60_000);
    expect(() => limiter.take('AC1', start + 60_000)).toThrow();
  });

  it('remembers a bucket until it is full again, and no longer', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
    const limiter = createRateLimiter({ perSecond: 3, burst: 10 });
    for (let i = 0; i < 10; i++) limiter.take('AC1', Date.now());
    vi.advanceTimersByTime(3300);
    // 9.9 tokens are back.
    for (let i = 0; i < 9; i++) limiter.take('AC1', Date.now());
    expect(() => limiter.take('AC1', Date.now())).toThrow();
    // Each bucket that is kept has a timer.
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    vi.advanceTimersByTime(3340);
    vi.advanceTimersByTime(2);
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** How often each method of a class is called from now on, its iterators included. */
function countCalls(prototype: object): Readonly<Record<PropertyKey, number>> {
  const calls: Record<PropertyKey, number> = {};
  for (const name of Reflect.ownKeys(prototype)) {
    const { value } = Reflect.getOwnPropertyDescriptor(prototype, name) ?? {};
    if (name === 'constructor' || typeof value !== 'function') continue;
    const method = vi.spyOn(prototype as Record<PropertyKey, () => unknown>, name);
    method.mockImplementation(function (this: unknown, ...given) {
      calls[name] = (calls[name] ?? 0) + 1;
      return Reflect.apply(value, this, given);
    });
  }
  return calls;
}
