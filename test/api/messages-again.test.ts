/** A message that is asked for again under the sid of one that was refused. */
import { WithStartWorkflowOperation } from '@temporalio/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendMessage } from '../../api/message-commands.ts';
import { messageTimers } from '../../settings.ts';
import { outboundMessageType, submitMessageUpdate } from '../../workflows/messages.ts';
import { startMessageCustomer, type MessageCustomer } from '../support/message-customer.ts';
import { outgoingMessage } from '../support/outgoing-message.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';

let customer: MessageCustomer;
beforeAll(async () => {
  customer = await startMessageCustomer({});
});
afterAll(() => customer?.stop());

it('is sent once nothing speaks against it, though its first workflow refused it', async () => {
  const { deps, temporal, credentials } = customer.service;
  const { phoneNumber: from } = await customer.host();
  const to = newPhoneNumber();
  const message = outgoingMessage({ accountSid: credentials.accountSid, from, to, body: 'news' });
  await customer.bring({ from: to, to: from, body: 'STOP' });
  // The contact opts out between the API's look and the workflow's.
  const startWorkflowOperation = new WithStartWorkflowOperation(outboundMessageType, {
    workflowId: message.sid,
    taskQueue: deps.config.temporal.taskQueues.messages,
    args: [{ message, timers: messageTimers(deps.config) }],
    workflowIdConflictPolicy: 'FAIL',
  });
  const refused = await temporal.workflow.executeUpdateWithStart(submitMessageUpdate, {
    startWorkflowOperation,
  });
  expect(refused).toEqual({ ok: false, code: 21610 });
  await customer.bring({ from: to, to: from, body: 'START' });
  expect(await sendMessage(deps, message)).toMatchObject({ sid: message.sid, status: 'queued' });
});
