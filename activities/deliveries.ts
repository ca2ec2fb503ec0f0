/** One attempt of a delivery and what comes after it. The schedule is the workflow's. Source: service.md §6.1, §7. */
import { findDeliveryToAttempt, type DeliveryToAttempt } from '../db/reads/deliveries.ts';
import { findSwitchedOff } from '../db/reads/subscriptions.ts';
import {
  hasPendingPredecessor,
  nextInOrder,
  recordFailure,
  recordNextAttempt,
  recordSuccess,
  settleDelivery,
} from '../db/writes/deliveries.ts';
import { durationInWords } from '../domain/delivery-words.ts';
import type { AttemptReport, DeliveryActivities, ReplayActivities } from '../domain/ports.ts';
import {
  createEndpointClient,
  retryAfterMs,
  type EndpointAnswer,
  type EndpointClient,
} from '../gateways/endpoint.ts';
import { createEndpointGuard } from '../gateways/endpoint-guard.ts';
import { endpointDisabledMail } from './deliveries-mail.ts';
import { createReplayActivities } from './deliveries-replay.ts';
import { buildRequest, endpointKeyOf } from './deliveries-request.ts';
import type { ActivityDeps } from './deps.ts';
import { permanentFailure } from './failures.ts';

export interface DeliveryDeps
  extends Pick<ActivityDeps, 'db' | 'temporal' | 'vault' | 'settings' | 'limits' | 'allowPrivateWebhooks'> {
  readonly gateways: Pick<ActivityDeps['gateways'], 'mail'>;
}

interface AttemptDeps extends DeliveryDeps {
  /** The way to customers' endpoints. One per process: it keeps connections. */
  readonly client: EndpointClient;
}

/** Everything a worker of the delivery queue needs. */
export function createDeliveryActivities(given: DeliveryDeps): DeliveryActivities & ReplayActivities {
  const { db, settings, allowPrivateWebhooks } = given;
  const client = createEndpointClient({
    guard: createEndpointGuard({ allowPrivate: allowPrivateWebhooks }),
    timeoutMs: settings.deliveries.timeout,
    headBytes: settings.deliveries.responseHeadBytes,
  });
  const deps: AttemptDeps = { ...given, client };
  return {
    ...createReplayActivities(given),
    attemptDelivery: async (step) => {
      const target = await findDeliveryToAttempt(db, step);
      if (!target) throw permanentFailure('The delivery is not in the database', 'DeliveryNotFound');
      return (await earlierReport(deps, target)) ?? makeAttempt(deps, target, step.attemptNumber);
    },
    findPredecessor: async ({ deliverySid }) => ({
      unfinished: await hasPendingPredecessor(db, deliverySid),
    }),
    recordNextAttempt: ({ deliverySid, attemptCount, nextAttemptAt }) =>
      recordNextAttempt(db, { deliverySid, attemptCount, nextAttemptAt: new Date(nextAttemptAt) }),
    settleDelivery: async ({ deliverySid, state, at }) => {
      await settleDelivery(db, { deliverySid, state, at: new Date(at) });
      return { heldBack: await nextInOrder(db, deliverySid) };
    },
    announceSwitchOff: async ({ deliverySid }) => {
      const endpoint = await findSwitchedOff(db, deliverySid);
      if (!endpoint || endpoint.email === null) return;
      // A mail that is refused for good changes nothing: the console shows the endpoint as switched off.
      await deps.gateways.mail.send(
        endpointDisabledMail({ ...endpoint, email: endpoint.email, deliverySid }),
      );
    },
  };
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
 * Also the report of a delivery that has ended, or whose endpoint is switched off: then nothing is sent.
 */
async function earlierReport({ db }: DeliveryDeps, target: DeliveryToAttempt): Promise<AttemptReport | null> {
  const { delivery, subscription, attempt } = target;
  if (delivery.state === 'delivered')
    return { ...plain, ...attempt, result: 'delivered', heldBack: await nextInOrder(db, delivery.sid) };
  const switchedOff = subscription?.disabledBy === delivery.sid;
  const off = subscription !== null && (!subscription.enabled || subscription.dateDeleted !== null);
  if (delivery.state !== 'pending' || off) return { ...plain, ...attempt, result: 'disabled', switchedOff };
  if (!attempt) return null;
  return { ...plain, ...attempt, result: attempt.httpStatus === 410 ? 'gone' : 'failed' };
}

async function makeAttempt(
  deps: AttemptDeps,
  target: DeliveryToAttempt,
  number: number,
): Promise<AttemptReport> {
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
  { vault, client }: AttemptDeps,
  target: DeliveryToAttempt,
  number: number,
): Promise<MadeAttempt> {
  const at = new Date();
  const request = buildRequest(target, { at, attemptNumber: number, vault });
  const answer = await client.send(request);
  return { deliverySid: target.delivery.sid, number, at, url: request.address, answer };
}

interface MadeAttempt {
  readonly deliverySid: string;
  readonly number: number;
  readonly at: Date;
  readonly url: string;
  readonly answer: EndpointAnswer;
}

async function recordAnswer(
  { db, settings }: DeliveryDeps,
  { deliverySid, number, at, url, answer }: MadeAttempt,
): Promise<AttemptReport> {
  const { durationMs, httpStatus, error, head } = answer;
  const attempt = { deliverySid, number, at, durationMs, url, httpStatus, error, responseHead: head };
  if (answer.ok) {
    await recordSuccess(db, attempt);
    return { ...plain, result: 'delivered', httpStatus, heldBack: await nextInOrder(db, deliverySid) };
  }
  const { disableAfter } = settings.deliveries;
  const gone = httpStatus === 410;
  const { switchedOff } = await recordFailure(db, attempt, {
    gone,
    failingSince: new Date(at.getTime() - disableAfter),
    reason: gone
      ? 'it answered 410 Gone'
      : `it took nothing for ${durationInWords(disableAfter)} (last: ${error ?? `HTTP ${httpStatus}`})`,
  });
  return {
    ...plain,
    result: gone ? 'gone' : switchedOff ? 'disabled' : 'failed',
    httpStatus,
    error,
    retryAfterMs: retryAfterMs(answer.retryAfter, new Date()),
    switchedOff,
  };
}
