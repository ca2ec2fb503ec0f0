/** How many requests an account may make: a token bucket for each, in memory of this process. */
import { LRUCache } from 'lru-cache';
import { ApiError } from '../domain/errors.ts';

export interface RateLimiter {
  /** Takes one token. Throws 20429 with the seconds until there is one again. */
  take(key: string, now: number): void;
}

interface Bucket {
  readonly tokens: number;
  /** Milliseconds. */
  readonly at: number;
}

/** `perSecond` tokens come back each second, up to `burst`. */
export function createRateLimiter(limit: { perSecond: number; burst: number }): RateLimiter {
  // Each is kept for the time in which an empty one fills up: by then it is full, which is what an unknown one counts as.
  // No `max`: with one, calls of other accounts could push out a bucket that somebody has emptied. There are no more of
  // them than accounts that called within this time, and an account is opened by the operator alone.
  const ttl = Math.ceil((limit.burst / limit.perSecond) * 1000);
  const buckets = new LRUCache<string, Bucket>({ ttl, ttlAutopurge: true });
  const refill = (bucket: Bucket, now: number): number =>
    Math.min(limit.burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * limit.perSecond);

  return {
    take(key, now) {
      const bucket = buckets.get(key);
      const tokens = bucket ? refill(bucket, now) : limit.burst;
      if (tokens < 1) {
        throw new ApiError(20429, undefined, Math.max(1, Math.ceil((1 - tokens) / limit.perSecond)));
      }
      buckets.set(key, { tokens: tokens - 1, at: now });
    },
  };
}
