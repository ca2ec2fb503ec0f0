/** A text that came in on a number with an SmsUrl: asks the customer's server what to answer, and answers it. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { startChild } from '@temporalio/workflow';
import { maxSmsUrlRequests, type OutgoingMessage } from '../domain/message.ts';
import type { SmsUrlCall, SmsUrlOutcome } from '../domain/ports.ts';
import { customer } from './message-activities.ts';
import { messageWorkflowId, outboundMessageType, type InboundReplyInput } from './messages.ts';
import type { outboundMessage } from './outbound-message.ts';
import { accountSidAttribute, phoneNumberAttribute } from './search-attributes.ts';

export async function inboundReply(input: InboundReplyInput): Promise<void> {
  const { messageSid, timers } = input;
  let call: SmsUrlCall | null = null;
  for (let step = 1; step <= maxSmsUrlRequests; step++) {
    const summary = step === 1 ? 'call SmsUrl' : `step ${step}: go on where the answer led`;
    const outcome: SmsUrlOutcome = await customer(timers.smsUrlTimeoutMs, summary).callSmsUrl({
      messageSid,
      step,
      call,
    });
    for (const reply of outcome.replies) await startReply(reply, input);
    if (outcome.next === null) return;
    call = outcome.next;
  }
}

/** A reply is a message like any other; it goes its way without this workflow. */
async function startReply(message: OutgoingMessage, { timers }: InboundReplyInput): Promise<void> {
  try {
    await startChild<typeof outboundMessage>(outboundMessageType, {
      workflowId: messageWorkflowId(message.sid),
      args: [{ message, timers }],
      parentClosePolicy: 'ABANDON',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: 'reply to an inbound text',
      typedSearchAttributes: [
        { key: accountSidAttribute, value: message.accountSid },
        { key: phoneNumberAttribute, value: message.from },
      ],
    });
  } catch (err) {
    // This run was reset to before the reply, which has been sent.
    if (!(err instanceof WorkflowExecutionAlreadyStartedError)) throw err;
  }
}
