/** What may be done to a message: one function for each, used by the Messages resource, the Zipwhip calls and the console. */
import { TypedSearchAttributes } from '@temporalio/common';
import { findNumberInUse } from '../db/reads/incoming-phone-numbers.ts';
import { findMessage, isOptedOut, type MessageRow } from '../db/reads/messages.ts';
import { ApiError } from '../domain/errors.ts';
import { isInFlight, type MessageChange, type OutgoingMessage } from '../domain/message.ts';
import { deliveryPolicy, messageTimers } from '../settings.ts';
import * as messages from '../workflows/messages.ts';
import type { ApiDeps } from './deps.ts';
import { callWorkflow, startWithCall, WorkflowEnded } from './workflow-calls.ts';

/**
 * Accepts a message: it is stored and its event recorded when this resolves. The same sid again changes nothing.
 * Throws 21266, 21606 and 21610.
 */
export async function sendMessage(deps: ApiDeps, message: OutgoingMessage): Promise<MessageRow> {
  const known = await findMessage(deps.db, message.accountSid, message.sid);
  if (known) return asAccepted(known);
  await requireSendable(deps, message);
  try {
    await startMessage(deps, message);
  } catch (error) {
    // The same request made twice at a time, and the other one is through already.
    const made =
      error instanceof ApiError ? await findMessage(deps.db, message.accountSid, message.sid) : undefined;
    if (!made) throw error;
  }
  return asAccepted(await requireMessage(deps, message.accountSid, message.sid));
}

/**
 * Accepts messages that belong together: what speaks against one of them refuses them all, before any is sent. Throws as
 * `sendMessage`, and names the recipients who opted out. Those that were accepted before are as they are.
 */
export async function sendMessages(
  deps: ApiDeps,
  together: readonly OutgoingMessage[],
): Promise<readonly MessageRow[]> {
  const known = await Promise.all(
    together.map(({ accountSid, sid }) => findMessage(deps.db, accountSid, sid)),
  );
  const refused = await Promise.all(
    together.filter((_, place) => known[place] === undefined).map((message) => optedOutOf(deps, message)),
  );
  const optedOut = refused.filter((recipient) => recipient !== null);
  if (optedOut.length > 0)
    throw new ApiError(21610, `Opted out of messages from this number: ${optedOut.join(', ')}`);
  const accepted: MessageRow[] = [];
  for (const message of together) accepted.push(await sendMessage(deps, message));
  return accepted;
}

/** What is answered is the message as it was accepted: it may be on its way already, or through. */
function asAccepted(row: MessageRow): MessageRow {
  const status = row.sendAt === null ? 'queued' : 'scheduled';
  return { ...row, status, dateUpdated: row.dateCreated, dateSent: null, errorCode: null };
}

/** Stops a scheduled message. Throws 20409 when it is not scheduled any more. */
export async function cancelMessage(deps: ApiDeps, message: MessageRow): Promise<MessageRow> {
  try {
    await callWorkflow(deps, {
      workflowId: messages.messageWorkflowId(message.sid),
      update: messages.cancelMessageUpdate,
      args: [],
    });
  } catch (error) {
    if (!(error instanceof WorkflowEnded)) throw error;
    throw new ApiError(20409, 'Only a message that is still scheduled can be canceled');
  }
  return requireMessage(deps, message.accountSid, message.sid);
}

/** How long a request waits for a change to be stored. Milliseconds. */
const changeTimeoutMs = 25_000;

/** Marks a message as read, removes or redacts it, or removes one of its media. Throws 20009 while it is on its way. */
export async function changeMessage(
  deps: ApiDeps,
  message: Pick<MessageRow, 'sid' | 'accountSid' | 'status'>,
  change: MessageChange,
  mediaSid: string | null = null,
): Promise<void> {
  if (change !== 'read' && isInFlight(message.status)) throw new ApiError(20009);
  const { temporal, config } = deps;
  const input: messages.MessageChangeInput = {
    messageSid: message.sid,
    accountSid: message.accountSid,
    change,
    mediaSid,
    delivery: deliveryPolicy(config),
  };
  const answer = await temporal.withDeadline(
    Date.now() + changeTimeoutMs,
    (): Promise<messages.Answer> =>
      temporal.workflow.execute(messages.messageChangeType, {
        workflowId: messages.messageChangeId(input),
        taskQueue: config.temporal.taskQueues.messages,
        args: [input],
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: `${change} ${message.sid}`,
        typedSearchAttributes: [{ key: messages.accountSidAttribute, value: message.accountSid }],
      }),
  );
  if (!answer.ok) throw new ApiError(answer.code, answer.detail);
}

/** Refused here, before a workflow is made for it; the workflow looks again when it stores the message. */
async function requireSendable(deps: ApiDeps, message: OutgoingMessage): Promise<void> {
  if ((await optedOutOf(deps, message)) !== null) throw new ApiError(21610);
}

/** The recipient of a message, if it may not be sent because they opted out. Throws 21266 and 21606. */
async function optedOutOf(
  { db }: ApiDeps,
  { accountSid, from, to }: OutgoingMessage,
): Promise<string | null> {
  if (from === to) throw new ApiError(21266);
  const [number, optedOut] = await Promise.all([findNumberInUse(db, from), isOptedOut(db, from, to)]);
  if (number?.accountSid !== accountSid) throw new ApiError(21606);
  return optedOut ? to : null;
}

async function startMessage(deps: ApiDeps, message: OutgoingMessage): Promise<void> {
  const { config } = deps;
  const input: messages.OutboundMessageInput = { message, timers: messageTimers(config) };
  await startWithCall(deps, {
    workflowType: messages.outboundMessageType,
    update: messages.submitMessageUpdate,
    options: {
      // Free again after a run that was refused; a message that was sent is known when it is placed.
      workflowId: messages.messageWorkflowId(message.sid),
      taskQueue: config.temporal.taskQueues.messages,
      args: [input],
      staticSummary: message.sendAt === null ? 'send a text' : `send a text at ${message.sendAt}`,
      typedSearchAttributes: new TypedSearchAttributes([
        { key: messages.accountSidAttribute, value: message.accountSid },
        { key: messages.phoneNumberAttribute, value: message.from },
      ]),
    },
  });
}

export async function requireMessage(deps: ApiDeps, accountSid: string, sid: string): Promise<MessageRow> {
  const message = await findMessage(deps.db, accountSid, sid);
  if (!message) throw new ApiError(20404);
  return message;
}
