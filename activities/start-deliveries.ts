/** Starts the workflows of deliveries that were stored. Doing it again changes nothing. */
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { DeliveryStart } from '../domain/ports.ts';
import type { EndpointLimits } from '../gateways/endpoint-limits.ts';
import { deliveryPolicy, type Settings } from '../settings.ts';
import { deliveryStart, deliveryWorkflowType } from '../workflows/messages.ts';

export interface DeliveryStarter {
  /** Shares its connection with a delivery worker where deliveries shall start eagerly. */
  readonly temporal: Client;
  readonly settings: Settings;
  /** Those of this process's own delivery worker. */
  readonly limits: EndpointLimits;
}

/**
 * Starts them all and waits until the server has them: from then on none is lost. Eager start saves a round trip where
 * the client shares its connection with a delivery worker. One whose endpoint is busy for longer sleeps at the server
 * until its turn: what a customer's hanging endpoint piles up costs the others nothing but the start. Throws when the
 * server cannot be reached.
 */
export async function startDeliveries(
  { temporal, settings, limits }: DeliveryStarter,
  starts: readonly DeliveryStart[],
): Promise<void> {
  const policy = deliveryPolicy(settings);
  const start = async (delivery: DeliveryStart): Promise<void> => {
    // One that waits for the event before it has its turn when that has ended.
    const startDelay = delivery.sequence > 1 ? 0 : limits.delayOf(delivery);
    try {
      await temporal.workflow.start(deliveryWorkflowType, {
        ...deliveryStart(delivery, policy),
        workflowIdConflictPolicy: 'USE_EXISTING',
        ...(startDelay > 0 ? { startDelay } : { requestEagerStart: true }),
      });
    } catch (err) {
      // It has run and ended: the same event came once more.
      if (!(err instanceof WorkflowExecutionAlreadyStartedError)) throw err;
    }
  };
  await Promise.all(starts.map(start));
}
