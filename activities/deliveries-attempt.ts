/** One attempt of a delivery: a turn at its endpoint, the request, and what is stored of it. Source: service.md §6.1, §7. */
import { findDeliveryToAttempt, nextInOrder, type DeliveryToAttempt } from '../db/reads/deliveries.ts';
import { recordFailure, recordSuccess } from '../db/writes/deliveries.ts';
import { durationInWords } from '../domain/delivery-words.ts';
import type { AttemptReport } from '../domain/ports.ts';
import { createEndpointClient, type EndpointAnswer, type EndpointClient } from '../gateways/endpoint.ts';
import { createEndpointGuard } from '../gateways/endpoint-guard.ts';
import { buildRequest, endpointKeyOf } from './deliveries-request.ts';
import type { ActivityDeps } from './deps.ts';
import { permanentFailure } from './failures.ts';

export type AttemptDeps = Pick<ActivityDeps, 'db' | 'vault' | 'settings' | 'limits' | 'allowPrivateWebhooks'>;

export interface AttemptStep {
  readonly deliverySid: string;
  readonly attemptNumber: number;
}

export interface Attempts {
  /** See `DeliveryActivities.attemptDelivery`. */
  make(step: AttemptStep): Promise<AttemptReport>;
  /** Makes the first attempt of a delivery that was stored a moment ago. */
  makeFirst(target: DeliveryToAttempt): Promise<AttemptReport>;
  /** What came of an attempt that is stored, or of its delivery that has ended; `null` while there is nothing. */
  find(step: AttemptStep): Promise<AttemptReport | null>;
}

interface Sending extends AttemptDeps {
  /** The way to customers' endpoints. One per process: it keeps connections. */
  readonly client: EndpointClient;
}

export function createAttempts(given: AttemptDeps): Attempts {
  const { db, settings, allowPrivateWebhooks } = given;
  const client = createEndpointClient({
    guard: createEndpointGuard({ allowPrivate: allowPrivateWebhooks }),
    timeoutMs: settings.deliveries.timeout,
    headBytes: settings.deliveries.responseHeadBytes,
  });
  const deps: Sending = { ...given, client };
  const load = (step: AttemptStep) => loadTarget(db, step);
  return {
    makeFirst: (target) => makeAttempt(deps, target, 1),
    find: async (step) => earlierReport(db, await load(step)),
    make: async (step) => {
      const target = await load(step);
      return (await earlierReport(db, target)) ?? makeAttempt(deps, target, step.attemptNumber);
    },
  };
}

async function loadTarget(db: AttemptDeps['db'], step: AttemptStep): Promise<DeliveryToAttempt> {
  const target = await findDeliveryToAttempt(db, step);
  if (!target) throw permanentFailure('The delivery is not in the database', 'DeliveryNotFound');
  return target;
}

const plain: AttemptReport = {
  result: 'failed',
  httpStatus: null,
  error: null,
  retryAfterMs: null,
  waitMs: null,
  heldBack: [],
  switchedOff: false,
};

/**
 * The report of this attempt when it was made before: the worker died after storing it, before Temporal heard of it.
 * Also the report of a delivery that has ended, or whose endpoint is switched off: then nothing is sent. A webhook that
 * is on although this attempt was answered 410 has a new address, where the event is to go.
 */
async function earlierReport(
  db: AttemptDeps['db'],
  target: DeliveryToAttempt,
): Promise<AttemptReport | null> {
  const { delivery, subscription, attempt } = target;
  const { httpStatus = null, error = null, retryAfter = null } = attempt ?? {};
  const report = { ...plain, httpStatus, error };
  if (delivery.state === 'delivered')
    return { ...report, result: 'delivered', heldBack: await nextInOrder(db, delivery.sid) };
  const switchedOff = subscription?.disabledBy === delivery.sid;
  const gone = httpStatus === 410;
  const off = subscription !== null && (!subscription.enabled || subscription.dateDeleted !== null);
  if (delivery.state !== 'pending' || off)
    return { ...report, result: gone ? 'gone' : 'disabled', switchedOff };
  if (!attempt) return null;
  const result = gone && subscription === null ? 'gone' : 'failed';
  return { ...report, result, retryAfterMs: leftUntil(retryAfter) };
}

async function makeAttempt(deps: Sending, target: DeliveryToAttempt, number: number): Promise<AttemptReport> {
  const { delivery, subscription } = target;
  const admission = await deps.limits.enter({
    endpointKey: endpointKeyOf(target),
    deliverySid: delivery.sid,
    maxPerSecond: subscription?.maxPerSecond ?? null,
  });
  if (!admission.admitted) return { ...plain, result: 'waiting', waitMs: admission.waitMs };
  const made = await sendRequest(deps, target, number).finally(() => admission.leave());
  return recordAnswer(deps, made);
}

/** Made when it may go out, and not before: its signature tells the time. */
async function sendRequest(
  { vault, client }: Sending,
  target: DeliveryToAttempt,
  number: number,
): Promise<MadeAttempt> {
  const at = new Date();
  const request = buildRequest(target, { at, attemptNumber: number, vault });
  const answer = await client.send(request);
  const endpointUrl = target.subscription?.url ?? null;
  return { deliverySid: target.delivery.sid, number, at, url: request.address, endpointUrl, answer };
}

interface MadeAttempt {
  readonly deliverySid: string;
  readonly number: number;
  readonly at: Date;
  readonly url: string;
  /** The subscription's address when the request was made; `null` for a callback. */
  readonly endpointUrl: string | null;
  readonly answer: EndpointAnswer;
}

async function recordAnswer(
  { db, settings }: AttemptDeps,
  { deliverySid, number, at, url, endpointUrl, answer }: MadeAttempt,
): Promise<AttemptReport> {
  const { durationMs, httpStatus, error, head, retryAfter } = answer;
  const attempt = {
    deliverySid,
    number,
    at,
    durationMs,
    url,
    httpStatus,
    error,
    responseHead: head,
    retryAfter,
  };
  if (answer.ok) {
    await recordSuccess(db, attempt);
    return { ...plain, result: 'delivered', httpStatus, heldBack: await nextInOrder(db, deliverySid) };
  }
  const { disableAfter, failuresForgottenAfter } = settings.deliveries;
  const gone = httpStatus === 410;
  const { switchedOff } = await recordFailure(db, attempt, {
    endpointUrl,
    gone,
    failingSince: new Date(at.getTime() - disableAfter),
    goesOnSince: new Date(at.getTime() - failuresForgottenAfter),
    reason: gone
      ? 'it answered 410 Gone'
      : `it took nothing for ${durationInWords(disableAfter)} (last: ${error ?? `HTTP ${httpStatus}`})`,
  });
  if (gone && !switchedOff) return reportStored(db, { deliverySid, attemptNumber: number });
  return {
    ...plain,
    result: gone ? 'gone' : switchedOff ? 'disabled' : 'failed',
    httpStatus,
    error,
    retryAfterMs: leftUntil(retryAfter),
    switchedOff,
  };
}

/** Of a 410 that switched nothing off: another one was first, its webhook has a new address, or it was of a callback. */
async function reportStored(db: AttemptDeps['db'], step: AttemptStep): Promise<AttemptReport> {
  return (await earlierReport(db, await loadTarget(db, step))) ?? { ...plain, httpStatus: 410 };
}

const leftUntil = (moment: Date | null): number | null =>
  moment && Math.max(0, moment.getTime() - Date.now());
