/** /2010-04-01/Accounts/{AC}/Messages. Source: domain.md §2.2. */
import { z } from 'zod';
import { listMessages } from '../db/reads/messages.ts';
import { ApiError } from '../domain/errors.ts';
import {
  isInFlight,
  maxBodyLength,
  maxMediaUrls,
  maxScheduleDays,
  maxValidityPeriodSeconds,
  type OutgoingMessage,
} from '../domain/message.ts';
import { isActive } from './account-tokens.ts';
import { dateOrTime, dateRange } from './date-filter.ts';
import * as field from './fields.ts';
import { cancelMessage, changeMessage, requireMessage, sendMessage } from './message-commands.ts';
import { messageJson, messageSchema, messagesPath as path } from './message-json.ts';
import { operation, type Operation } from './operation.ts';
import { legacyList, legacyListSchema, pageRequest, pagingFields } from './paging.ts';
import { requireSafeUrls } from './safe-url.ts';

const tag = 'Messages';
const messageAnswer = { description: 'The message', schema: messageSchema };

const createForm = z.object({
  To: field.optional(field.recipient(21211)),
  From: field.optional(field.phoneNumber(21212)),
  MessagingServiceSid: field.optional(field.text({ max: 64 })),
  Body: field.optional(field.text({ max: maxBodyLength, code: 21617 })),
  MediaUrl: field.list(field.httpUrl(21620), maxMediaUrls).optional(),
  StatusCallback: field.optional(field.httpUrl(21609)),
  ValidityPeriod: field.optional(field.integer({ min: 1, max: maxValidityPeriodSeconds })),
  ScheduleType: field.optional(field.choice(['fixed'])),
  SendAt: field.optional(dateOrTime),
});
type CreateForm = z.output<typeof createForm>;

const createOperation = operation({
  id: 'createMessage',
  method: 'POST',
  path: `${path}.json`,
  tag,
  summary: 'Send a text from a hosted number',
  description:
    'Answered when the message is stored and its `message/send` event recorded. `SendAt`, with or without ' +
    '`ScheduleType=fixed`, sends it later; `ScheduleType` without `SendAt` is refused (20001). There are no messaging ' +
    'services here: `From` names the number.',
  auth: 'account',
  form: createForm,
  responses: { 201: messageAnswer },
  errors: [21266, 21602, 21603, 21604, 21606, 21610],
  handler: async ({ ctx, deps, account, form, newSid }) => {
    // An owner comes this way with its own credentials for a sub-account that may be suspended.
    if (!isActive(account)) throw new ApiError(20005);
    const { to, from, body, mediaUrls } = requireContent(form);
    await requireSafeUrls(deps, [form.StatusCallback], 21609);
    await requireSafeUrls(deps, mediaUrls, 21620);
    const message = await sendMessage(deps, {
      sid: newSid(mediaUrls.length > 0 ? 'messageWithMedia' : 'message'),
      accountSid: account.sid,
      direction: 'outbound-api',
      from,
      to,
      body,
      mediaUrls,
      statusCallback: form.StatusCallback ?? null,
      sendAt: scheduleOf(form),
      validityPeriodSeconds: form.ValidityPeriod ?? null,
      inReplyTo: null,
    });
    return ctx.json(messageJson(message), 201);
  },
});

const listOperation = operation({
  id: 'listMessages',
  method: 'GET',
  path: `${path}.json`,
  tag,
  summary: 'List messages, newest first',
  auth: 'account',
  query: z.object({
    To: field.optional(field.party(21211)),
    From: field.optional(field.party(21212)),
    DateSent: field.optional(dateOrTime),
    'DateSent<': field.optional(dateOrTime),
    'DateSent>': field.optional(dateOrTime),
    ...pagingFields,
  }),
  responses: {
    200: { description: 'A page of messages', schema: legacyListSchema(messageSchema, 'messages') },
  },
  handler: async ({ ctx, deps, account, query }) => {
    const request = pageRequest(query);
    const sent = dateRange({
      on: query.DateSent,
      before: query['DateSent<'],
      after: query['DateSent>'],
    });
    const filter = { to: query.To, from: query.From, sentFrom: sent.from, sentBefore: sent.before };
    const page = await listMessages(deps.db, account.sid, filter, request);
    const address = `${path.replace('{AccountSid}', account.sid)}.json`;
    const answer = { address, requestUrl: ctx.req.url, request, page, toItem: messageJson };
    return ctx.json(legacyList(answer, 'messages'));
  },
});

const fetchOperation = operation({
  id: 'fetchMessage',
  method: 'GET',
  path: `${path}/{Sid}.json`,
  tag,
  summary: 'Fetch a message',
  auth: 'account',
  responses: { 200: messageAnswer },
  handler: async ({ ctx, deps, account, params }) =>
    ctx.json(messageJson(await requireMessage(deps, account.sid, params.Sid))),
});

const updateOperation = operation({
  id: 'updateMessage',
  method: 'POST',
  path: `${path}/{Sid}.json`,
  tag,
  summary: 'Redact a message, or stop a scheduled one',
  description:
    '`Body` sent empty takes text and media out of a message that is not on its way any more, and out of its webhooks: ' +
    'deliveries that are shown, retried, replayed or still on their way carry an empty `body`. ' +
    '`Status=canceled` stops a message that is still scheduled.',
  auth: 'account',
  form: z.object({
    Body: field.text({ max: maxBodyLength, code: 21617 }).optional(),
    Status: field.optional(field.choice(['canceled'])),
  }),
  responses: { 200: messageAnswer },
  errors: [20009, 20409],
  handler: async ({ ctx, deps, account, params, form }) => {
    const message = await requireMessage(deps, account.sid, params.Sid);
    if (form.Body) throw new ApiError(20001, 'Body may only be sent empty, to redact the message');
    if (form.Status) await cancelMessage(deps, message);
    if (form.Body === '') {
      if (!form.Status && isInFlight(message.status)) throw new ApiError(20009);
      await changeMessage(deps, await requireMessage(deps, account.sid, message.sid), 'redact');
    }
    return ctx.json(messageJson(await requireMessage(deps, account.sid, message.sid)));
  },
});

const deleteOperation = operation({
  id: 'deleteMessage',
  method: 'DELETE',
  path: `${path}/{Sid}.json`,
  tag,
  summary: 'Remove a message',
  description:
    'Tells every subscription to `message/delete`, with an empty `body`. The text leaves its other webhooks as well, as ' +
    'when a message is redacted. A message on its way cannot be removed.',
  auth: 'account',
  responses: { 204: { description: 'Removed' } },
  errors: [20009],
  handler: async ({ ctx, deps, account, params }) => {
    await changeMessage(deps, await requireMessage(deps, account.sid, params.Sid), 'delete');
    return ctx.body(null, 204);
  },
});

export const messageOperations: readonly Operation[] = [
  createOperation,
  listOperation,
  fetchOperation,
  updateOperation,
  deleteOperation,
];

/** Throws 21602, 21603 and 21604. */
function requireContent(
  form: Pick<CreateForm, 'To' | 'From' | 'Body' | 'MediaUrl'>,
): Pick<OutgoingMessage, 'to' | 'from' | 'body' | 'mediaUrls'> {
  const mediaUrls = form.MediaUrl ?? [];
  const body = form.Body ?? '';
  if (!form.To) throw new ApiError(21604);
  if (!form.From) throw new ApiError(21603);
  if (body === '' && mediaUrls.length === 0) throw new ApiError(21602);
  return { to: form.To, from: form.From, body, mediaUrls };
}

/** When it is to be sent: a moment to come, not too far away; `null` for now. Throws 20001. */
function scheduleOf({ ScheduleType, SendAt }: Pick<CreateForm, 'ScheduleType' | 'SendAt'>): string | null {
  // Who asks for a schedule must not have the text go out at once: that cannot be taken back.
  if (!SendAt && ScheduleType) throw new ApiError(20001, 'SendAt is missing');
  if (!SendAt) return null;
  const aheadMs = SendAt.getTime() - Date.now();
  if (aheadMs <= 0) throw new ApiError(20001, 'SendAt lies in the past');
  if (aheadMs > maxScheduleDays * 86_400_000)
    throw new ApiError(20001, `SendAt lies more than ${maxScheduleDays} days ahead`);
  return SendAt.toISOString();
}
