/** Activities of an order: its place in the read model, the registry, the route test. */
import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { OrderActivities } from '../domain/ports.ts';
import { writeOrderSnapshot, writeUniqueName } from '../db/writes/hosted-number-orders.ts';
import { derivedSid } from '../security/derived-sid.ts';
import type { ActivityDeps } from './deps.ts';
import { createOrderCallbackActivity } from './order-callback.ts';
import { createPlacementActivity } from './order-placement.ts';
import { createVerificationActivities } from './verification.ts';

export function createOrderActivities(deps: ActivityDeps): OrderActivities {
  const { db, gateways, settings } = deps;
  const { registry, carrier } = gateways;
  return {
    ...createPlacementActivity(deps),
    ...createVerificationActivities(deps),
    ...createOrderCallbackActivity(deps),

    recordOrder: (snapshot) => writeOrderSnapshot(db, snapshot),

    async claimUniqueName({ orderSid, uniqueName }) {
      return { taken: !(await writeUniqueName(db, orderSid, uniqueName)) };
    },

    checkEligibility: ({ phoneNumber }) => registry.checkEligibility(phoneNumber, cancellationSignal()),

    submitRegistration: ({ orderSid, phoneNumber, documentSid, submission }) =>
      registry.register({ phoneNumber, documentSid, key: `${orderSid}/${submission}` }, cancellationSignal()),

    fetchRegistration: ({ phoneNumber }) => registry.fetchRegistration(phoneNumber, cancellationSignal()),

    removeRegistration: ({ orderSid, phoneNumber }) =>
      registry.deregister(phoneNumber, orderSid, cancellationSignal()),

    async sendRouteTest({ orderSid, phoneNumber, round }) {
      const text = {
        key: routeTestKey(orderSid),
        from: phoneNumber,
        to: settings.gateways.carrier.routeTestNumber,
        body: `route-test ${orderSid} ${round}`,
        mediaUrls: [],
        validityPeriodSeconds: null,
      };
      // A refusal needs no word of its own: the text does not come back, and the round fails.
      await carrier.submit(text, cancellationSignal());
    },
  };
}

/** The same for each try of one round, another for a round that an administrator's decision starts again. */
function routeTestKey(orderSid: string): string {
  const { workflowExecution, activityId } = activityInfo();
  return derivedSid('message', orderSid, workflowExecution?.runId ?? '', activityId);
}
