/** How an order's workflow is started, whoever starts it: the same id, texts and search attributes every time. */
import { TypedSearchAttributes } from '@temporalio/common';
import type { HostedNumberOrderInput } from './messages.ts';
import { accountSidAttribute, orderStatusAttribute, phoneNumberAttribute } from './search-attributes.ts';

/** Who carries orders out, as `temporal.yaml` says. */
interface OrderWorker {
  readonly taskQueues: { readonly orders: string };
  readonly workflowTaskTimeout: number;
}

export interface OrderStart {
  readonly workflowId: string;
  readonly taskQueue: string;
  /** Milliseconds. */
  readonly workflowTaskTimeout: number;
  readonly args: [HostedNumberOrderInput];
  readonly staticSummary: string;
  readonly staticDetails: string;
  readonly typedSearchAttributes: TypedSearchAttributes;
}

/** `origin` is the first sentence an operator reads, such as "Ordered by the customer." */
export function orderStart(
  input: HostedNumberOrderInput,
  { taskQueues, workflowTaskTimeout }: OrderWorker,
  origin: string,
): OrderStart {
  const { sid, accountSid, phoneNumber, incomingPhoneNumberSid, uniqueName } = input.request;
  const details = [
    origin,
    `Incoming phone number: ${incomingPhoneNumberSid}`,
    ...(uniqueName === null ? [] : [`Unique name: ${uniqueName}`]),
  ];
  return {
    workflowId: sid,
    taskQueue: taskQueues.orders,
    workflowTaskTimeout,
    args: [input],
    staticSummary: `Host ${phoneNumber} for ${accountSid}`,
    staticDetails: details.join('\n\n'),
    typedSearchAttributes: new TypedSearchAttributes([
      { key: accountSidAttribute, value: accountSid },
      { key: phoneNumberAttribute, value: phoneNumber },
      // Nearly every order is here when its first task is done; one that is not says so then (order-state.ts).
      { key: orderStatusAttribute, value: input.takeOver ? 'completed' : 'received' },
    ]),
  };
}
