import { describe, expect, it } from 'vitest';
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

  it('saves up no more than the burst', () => {
    const limiter = createRateLimiter({ perSecond: 100, burst: 2 });
    limiter.take('AC1', start);
    for (let i = 0; i < 2; i++) limiter.take('AC1', start + 60_000);
    expect(() => limiter.take('AC1', start + 60_000)).toThrow();
  });
});
