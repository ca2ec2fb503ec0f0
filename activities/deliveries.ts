/** What a delivery asks of the world. The schedule is the workflow's. Source: service.md §6.1, §7. */
import { hasPendingPredecessor, nextInOrder } from '../db/reads/deliveries.ts';
import { findSwitchedOff } from '../db/reads/subscriptions.ts';
import { recordNextAttempt, settleDelivery } from '../db/writes/deliveries.ts';
import type { DeliveryActivities, ReplayActivities } from '../domain/ports.ts';
import { endpointDisabledMail } from './deliveries-mail.ts';
import type { FirstAttempts } from './deliveries-first-attempts.ts';
import { createReplayActivities, type ReplayDeps } from './deliveries-replay.ts';
import type { ActivityDeps } from './deps.ts';

export interface DeliveryDeps extends ReplayDeps {
  readonly firstAttempts: FirstAttempts;
  readonly gateways: Pick<ActivityDeps['gateways'], 'mail'>;
}

/** Everything a worker of the delivery queue needs. */
export function createDeliveryActivities(deps: DeliveryDeps): DeliveryActivities & ReplayActivities {
  const { db, firstAttempts, gateways } = deps;
  return {
    ...createReplayActivities(deps),
    attemptDelivery: firstAttempts.attemptDelivery,
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
      await gateways.mail.send(endpointDisabledMail({ ...endpoint, email: endpoint.email, deliverySid }));
    },
  };
}
