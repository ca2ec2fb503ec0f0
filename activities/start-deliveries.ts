/** Starts the workflows of deliveries that were stored. Doing it again changes nothing. */
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { DeliveryStart } from '../domain/ports.ts';
import { deliveryPolicy, type Settings } from '../settings.ts';
import { deliveryStart, deliveryWorkflowType } from '../workflows/messages.ts';

/**
 * Starts them all and waits until the server has them: from then on none is lost. Eager start saves a round trip where
 * the client shares its connection with a delivery worker. Throws when the server cannot be reached.
 */
export async function startDeliveries(
  client: Client,
  settings: Settings,
  starts: readonly DeliveryStart[],
): Promise<void> {
  const policy = deliveryPolicy(settings);
  const start = async (delivery: DeliveryStart): Promise<void> => {
    try {
      await client.workflow.start(deliveryWorkflowType, {
        ...deliveryStart(delivery, policy),
        workflowIdConflictPolicy: 'USE_EXISTING',
        requestEagerStart: true,
      });
    } catch (err) {
      // It has run and ended: the same event came once more.
      if (!(err instanceof WorkflowExecutionAlreadyStartedError)) throw err;
    }
  };
  await Promise.all(starts.map(start));
}
