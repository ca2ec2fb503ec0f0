import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRateLimiter } from '../../api/rate-limit.ts';

describe('requests per account (service.md §8, decision 0021)', () => {
  const start = Date.UTC(2026, 0, 1);

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

  it('serves many accounts as fast as few, and forgets the emptied bucket of none', () => {
    const limiter = createRateLimiter({ perSecond: 1, burst: 2 });
    for (let i = 0; i < 2; i++) limiter.take('AC1', start);
    const before = performance.now();
    for (let other = 0; other < 40_000; other++) limiter.take(`AC-${other}`, start);
    // A fifth of a second; ten seconds and more where each request looks at all buckets.
    expect(performance.now() - before).toBeLessThan(3000);
    expect(() => limiter.take('AC1', start)).toThrow();
  });

  it('saves up no more than the burst', () => {
    const limiter = createRateLimiter({ perSecond: 100, burst: 2 });
    limiter.take('AC1', start);
    for (let i = 0; i < 2; i++) limiter.take('AC1', start + 60_000);
    expect(() => limiter.take('AC1', start + 60_000)).toThrow();
  });

  describe('as time goes by', () => {
    afterEach(() => {
      vi.useRealTimers();
      vi.restoreAllMocks();
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
});
