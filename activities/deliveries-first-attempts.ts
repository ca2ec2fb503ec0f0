/**
 * First attempts that begin while Temporal is told of their delivery, so that an event is on its way as soon as it is
 * stored. The workflow takes over what comes of it, as its first attempt. Source: decision 0026.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { LRUCache } from 'lru-cache';
import type { DeliveryToAttempt } from '../db/reads/deliveries.ts';
import type { AttemptReport, DeliveryActivities } from '../domain/ports.ts';
import { createAttempts, type AttemptDeps, type Attempts, type AttemptStep } from './deliveries-attempt.ts';

export interface FirstAttempts {
  /**
   * Begins the first attempt of a delivery that the caller has stored at that time. Only for the one call that stored
   * it. Answers whether it began; it does not where the storing is so long ago that others may soon.
   */
  begin(target: DeliveryToAttempt, storedAt: Date): boolean;
  /** Until when nobody else makes the first attempt of a delivery that was stored at this time. */
  reservedUntil(storedAt: Date): Date;
  /** The activity: makes an attempt, or takes over a first one that was begun. */
  readonly attemptDelivery: DeliveryActivities['attemptDelivery'];
}

/** How long after the storing an attempt may still begin. */
const beginWithinMs = 1_000;
/** What it takes beside the request: up to a second for a turn at the endpoint, and the storing of the answer. */
const besideRequestMs = 1_500;
/** Pause between two looks for what came of an attempt that another process began. */
const lookMs = 100;
/** First attempts that a process remembers until their workflows come for them. */
const mostRemembered = 10_000;

export function createFirstAttempts(deps: AttemptDeps): FirstAttempts {
  const attempts = createAttempts(deps);
  const reservedMs = beginWithinMs + besideRequestMs + deps.settings.deliveries.timeout;
  const begun = new LRUCache<string, Promise<AttemptReport>>({ max: mostRemembered, ttl: reservedMs });
  return {
    begin: (target, storedAt) => {
      if (Date.now() > storedAt.getTime() + beginWithinMs) return false;
      const attempt = attempts.makeFirst(target);
      // Whoever takes it over hears of the failure; where nobody does, the workflow makes the attempt itself.
      attempt.catch(() => {});
      begun.set(target.delivery.sid, attempt);
      return true;
    },
    reservedUntil: (storedAt) => new Date(storedAt.getTime() + reservedMs),
    attemptDelivery: ({ firstAttemptUntil, ...step }) => {
      if (firstAttemptUntil === undefined) return attempts.make(step);
      const own = begun.get(step.deliverySid);
      begun.delete(step.deliverySid);
      if (own) return own;
      const until = Date.parse(firstAttemptUntil);
      return Date.now() < until ? madeElsewhere(attempts, step, until) : attempts.make(step);
    },
  };
}

/**
 * Waits for what another process stores of the attempt. Fails when the time is over: that process is gone, or was still
 * waiting for its turn, and what became of it is unknown.
 */
async function madeElsewhere(attempts: Attempts, step: AttemptStep, until: number): Promise<AttemptReport> {
  while (Date.now() < until) {
    const report = await attempts.find(step);
    if (report) return report;
    await pause(lookMs);
  }
  throw ApplicationFailure.retryable(
    'Who began the first attempt has told nothing of it',
    'FirstAttemptLost',
  );
}
