/** When the next attempt is due, whatever happens (service.md §7 rules 3 and 4; decision 0004). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSuccess, nextDelayMs, type NextAttempt, type RetryPolicy } from '../../domain/delivery.ts';
import { durationInWords } from '../../domain/delivery-words.ts';

const policies = fc.record({
  initialIntervalMs: fc.integer({ min: 1, max: 60_000 }),
  backoffCoefficient: fc.double({ min: 1, max: 4, noNaN: true }),
  maximumIntervalMs: fc.integer({ min: 60_000, max: 24 * 3_600_000 }),
  jitter: fc.double({ min: 0, max: 1, noNaN: true }),
  windowMs: fc.integer({ min: 1_000, max: 7 * 24 * 3_600_000 }),
});
const nexts: fc.Arbitrary<NextAttempt> = fc.record({
  policy: policies,
  attemptCount: fc.integer({ min: 1, max: 200 }),
  firstAttemptAt: fc.integer({ min: 0, max: 2_000_000_000_000 }),
  now: fc.integer({ min: 0, max: 2_000_000_000_000 }),
  retryAfterMs: fc.option(fc.integer({ min: 0, max: 1_000_000_000_000 }), { nil: undefined }),
  random: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
});

describe('the wait before the next attempt', () => {
  it('never leads past the end of the window, and there is none after it', () => {
    fc.assert(
      fc.property(nexts, (next) => {
        const end = next.firstAttemptAt + next.policy.windowMs;
        const delay = nextDelayMs(next);
        if (next.now >= end) expect(delay).toBeNull();
        else expect(next.now + (delay ?? Number.NaN)).toBeLessThanOrEqual(end);
      }),
    );
  });

  it('stays within the jitter of the exponential interval where nothing else decides', () => {
    fc.assert(
      fc.property(nexts, (given) => {
        const next = { ...given, retryAfterMs: undefined, now: given.firstAttemptAt };
        const { initialIntervalMs, backoffCoefficient, maximumIntervalMs, jitter, windowMs } = next.policy;
        const plain = Math.min(
          maximumIntervalMs,
          initialIntervalMs * backoffCoefficient ** (next.attemptCount - 1),
        );
        const delay = nextDelayMs(next) ?? Number.NaN;
        expect(delay).toBeLessThanOrEqual(Math.ceil(plain * (1 + jitter)));
        expect(delay).toBeGreaterThanOrEqual(Math.floor(Math.min(plain * (1 - jitter), windowMs)));
      }),
    );
  });

  it('is at least as long as Retry-After asks, and never shorter for it', () => {
    fc.assert(
      fc.property(nexts, (next) => {
        const remaining = next.firstAttemptAt + next.policy.windowMs - next.now;
        fc.pre(remaining > 0);
        const asked = nextDelayMs(next) ?? Number.NaN;
        const unasked = nextDelayMs({ ...next, retryAfterMs: undefined }) ?? Number.NaN;
        expect(asked).toBeGreaterThanOrEqual(unasked);
        expect(asked).toBeGreaterThanOrEqual(Math.min(remaining, next.retryAfterMs ?? 0));
      }),
    );
  });

  it('always comes to an end, with the last attempt at the end of the window', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        (random, jitter) => {
          const policy: RetryPolicy = {
            initialIntervalMs: 5_000,
            backoffCoefficient: 2,
            maximumIntervalMs: 3_600_000,
            jitter,
            windowMs: 72 * 3_600_000,
          };
          let now = 0;
          let attemptCount = 1;
          for (;;) {
            const delay = nextDelayMs({ policy, attemptCount, firstAttemptAt: 0, now, random });
            if (delay === null) break;
            now += delay;
            attemptCount += 1;
          }
          expect(now).toBe(policy.windowMs);
          expect(attemptCount).toBeLessThan(160);
        },
      ),
    );
  });
});

describe('what counts as success', () => {
  it.each([
    [199, false],
    [200, true],
    [204, true],
    [299, true],
    [300, false],
    [302, false],
    [410, false],
    [500, false],
  ])('%i: %s', (status, success) => expect(isSuccess(status)).toBe(success));
});

describe('durations for people', () => {
  it.each([
    [40, '40 ms'],
    [40_000, '40 s'],
    [80_000, '1 min 20 s'],
    [320_000, '5 min 20 s'],
    [1_280_000, '21 min'],
    [9_600_000, '2 h 40 min'],
    [21_600_000, '6 h'],
    [432_000_000, '5 d'],
    [259_200_000, '3 d'],
  ])('%i ms: %s', (ms, words) => expect(durationInWords(ms)).toBe(words));
});
