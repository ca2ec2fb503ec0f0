/** Starts the workflows of deliveries that were stored. Doing it again changes nothing. */
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { DeliveryStart } from '../domain/ports.ts';
import { deliveryPolicy, type Settings } from '../settings.ts';
import {
  accountSidAttribute,
  deliveryWorkflowId,
  deliveryWorkflowType,
  endpointHostAttribute,
  eventTypeAttribute,
  type WebhookDeliveryInput,
} from '../workflows/messages.ts';

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
  await Promise.all(starts.map((start) => startDelivery(client, { ...start, policy })));
}

async function startDelivery(client: Client, input: WebhookDeliveryInput): Promise<void> {
  const { deliverySid, accountSid, kind, endpointHost, endpointKey, policy } = input;
  try {
    await client.workflow.start(deliveryWorkflowType, {
      workflowId: deliveryWorkflowId(deliverySid),
      taskQueue: policy.taskQueue,
      args: [input],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      requestEagerStart: true,
      // A slow endpoint's backlog shares the task queue with everybody: the server takes turns by this key.
      priority: { fairnessKey: endpointKey },
      staticSummary: `${kind} to ${endpointHost}`,
      typedSearchAttributes: [
        { key: accountSidAttribute, value: accountSid },
        { key: eventTypeAttribute, value: kind },
        { key: endpointHostAttribute, value: endpointHost },
      ],
    });
  } catch (err) {
    // It has run and ended: the same event came once more.
    if (!(err instanceof WorkflowExecutionAlreadyStartedError)) throw err;
  }
}
