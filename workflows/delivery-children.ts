/** Starts the deliveries that an activity stored. They live on by themselves, whatever becomes of their parent. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { startChild } from '@temporalio/workflow';
import type { DeliveryStart } from '../domain/ports.ts';
import type { DeliveryPolicy } from '../domain/timers.ts';
import { deliveryStart } from './delivery-start.ts';
import { deliveryWorkflowType } from './messages.ts';
import type { webhookDelivery } from './webhook-delivery.ts';

export async function startDeliveries(
  deliveries: readonly DeliveryStart[],
  policy: DeliveryPolicy,
): Promise<void> {
  await Promise.all(deliveries.map((delivery) => startDelivery(delivery, policy)));
}

async function startDelivery(delivery: DeliveryStart, policy: DeliveryPolicy): Promise<void> {
  try {
    await startChild<typeof webhookDelivery>(deliveryWorkflowType, {
      ...deliveryStart(delivery, policy),
      parentClosePolicy: 'ABANDON',
    });
  } catch (err) {
    // An earlier run of the same activity stored it, and somebody started it since.
    if (!(err instanceof WorkflowExecutionAlreadyStartedError)) throw err;
  }
}
