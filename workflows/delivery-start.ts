/** How a delivery's workflow is started, whoever starts it: the same id, texts and search attributes every time. */
import type { SearchAttributePair } from '@temporalio/common';
import type { DeliveryStart } from '../domain/ports.ts';
import type { DeliveryPolicy } from '../domain/timers.ts';
import type { WebhookDeliveryInput } from './messages.ts';
import { accountSidAttribute, endpointHostAttribute, eventTypeAttribute } from './search-attributes.ts';

export interface DeliveryStartOptions {
  readonly workflowId: string;
  readonly taskQueue: string;
  readonly args: [WebhookDeliveryInput];
  readonly workflowIdReusePolicy: 'REJECT_DUPLICATE';
  readonly staticSummary: string;
  readonly typedSearchAttributes: SearchAttributePair[];
  readonly priority: { readonly fairnessKey: string };
}

/** `firstAttemptUntil`: see `WebhookDeliveryInput`. */
export function deliveryStart(
  delivery: DeliveryStart,
  policy: DeliveryPolicy,
  firstAttemptUntil: Date | null = null,
): DeliveryStartOptions {
  const { deliverySid, accountSid, kind, endpointHost, endpointKey } = delivery;
  return {
    workflowId: deliverySid,
    taskQueue: policy.taskQueue,
    args: [
      {
        ...delivery,
        policy,
        ...(firstAttemptUntil && { firstAttemptUntil: firstAttemptUntil.toISOString() }),
      },
    ],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    staticSummary: `${kind} to ${endpointHost}`,
    typedSearchAttributes: [
      { key: accountSidAttribute, value: accountSid },
      { key: eventTypeAttribute, value: kind },
      { key: endpointHostAttribute, value: endpointHost },
    ],
    // A slow endpoint's backlog shares the task queue with everybody: the server takes turns by this key.
    priority: { fairnessKey: endpointKey },
  };
}
