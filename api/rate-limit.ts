/** How many requests an account may make: a token bucket for each, in memory of this process. */
import { ApiError } from '../domain/errors.ts';

export interface RateLimiter {
  /** Takes one token. Throws 20429 with the seconds until there is one again. */
  take(key: string, now: number): void;
}

/** Buckets kept at most; beyond it full ones, which say nothing, are dropped. */
const maxBuckets = 10_000;

/** `perSecond` tokens come back each second, up to `burst`. */
export function createRateLimiter(limit: { perSecond: number; burst: number }): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const refill = (bucket: { tokens: number; at: number }, now: number): number =>
    Math.min(limit.burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * limit.perSecond);

  return {
    take(key, now) {
      const bucket = buckets.get(key);
      const tokens = bucket ? refill(bucket, now) : limit.burst;
      if (tokens < 1) {
        throw new ApiError(20429, undefined, Math.max(1, Math.ceil((1 - tokens) / limit.perSecond)));
      }
      buckets.set(key, { tokens: tokens - 1, at: now });
      if (buckets.size > maxBuckets) {
        for (const [key, bucket] of buckets) if (refill(bucket, now) >= limit.burst) buckets.delete(key);
      }
    },
  };
}
