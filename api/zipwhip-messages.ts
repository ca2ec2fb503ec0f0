/** Zipwhip's `/message/…`, `/messageAttachment/list` and `/hostedContent/get`. Source: domain.md §3.2 and §3.3. */
import { z } from 'zod';
import { findMediaOfLine, findMessagesById, mediaOf, type MessageRow } from '../db/reads/messages.ts';
import { ApiError } from '../domain/errors.ts';
import { isInFlight, maxBodyLength, type OutgoingMessage } from '../domain/message.ts';
import { fingerprint, messagePayload } from '../domain/message-payload.ts';
import { isRecipient } from '../domain/party.ts';
import { derivedSid } from '../security/derived-sid.ts';
import type { ApiDeps } from './deps.ts';
import * as field from './fields.ts';
import { mediaContent } from './media.ts';
import { changeMessage, sendMessages } from './message-commands.ts';
import type { Operation } from './operation.ts';
import { zipwhipCall } from './zipwhip-operation.ts';
import { toE164, type LineSession } from './zipwhip-session.ts';

/** Recipients of one call. */
const maxContacts = 50;

/** Messages of one call. */
const maxMessages = 100;

/** Messages by the number that webhooks call `id`; several, one after another, with commas or repeated. */
const idsField = field
  .list(field.text({ max: 2000 }), maxMessages)
  .meta({ description: `Ids, one or several with commas between them; ${maxMessages} at most` });

const tokenSchema = z.object({
  contact: z.string(),
  device: z.string(),
  fingerprint: z.string(),
  message: z.string(),
});

const send = zipwhipCall({
  id: 'zipwhipMessageSend',
  path: '/message/send',
  methods: ['POST'],
  summary: 'Send a text from the line to one or more contacts',
  description:
    'To all of them or to none: one who opted out refuses the call (21610), and `response` names them.',
  fields: z.object({
    contacts: field.list(field.text({ max: 2000 }), maxContacts),
    body: field.text({ max: maxBodyLength, code: 21617 }).meta({ minLength: 1 }),
  }),
  response: z.object({ fingerprint: z.string(), root: z.string(), tokens: z.array(tokenSchema) }),
  handler: async ({ deps, accountSid, line, values, newSid }) => {
    if (values.body === '') throw new ApiError(21602, 'body is empty');
    const base = newSid('message');
    const messages = contactsOf(values.contacts).map(
      (to): OutgoingMessage => ({
        sid: derivedSid('message', base, to),
        accountSid,
        direction: 'outbound-api',
        from: line,
        to,
        body: values.body,
        mediaUrls: [],
        statusCallback: null,
        sendAt: null,
        validityPeriodSeconds: null,
        inReplyTo: null,
      }),
    );
    const sent = await sendMessages(deps, messages);
    const tokens = sent.map((row) => tokenJson(deps, row));
    return { fingerprint: tokens[0]?.fingerprint ?? '', root: tokens[0]?.message ?? '', tokens };
  },
});

const get = zipwhipCall({
  id: 'zipwhipMessageGet',
  path: '/message/get',
  methods: ['GET', 'POST'],
  summary: 'Fetch a message of the line by its id',
  fields: z.object({ message: field.text({ max: 20 }) }),
  response: z.record(z.string(), z.unknown()),
  handler: async ({ deps, accountSid, line, values }) => {
    const row = await requireOwn(deps, { accountSid, line }, values.message);
    const message = { ...row, hasMedia: row.numMedia > 0 };
    const payload = messagePayload(message, deps.config.messages);
    // Here ids are texts, in webhooks numbers.
    return {
      ...payload,
      id: String(payload.id),
      contactId: String(payload.contactId),
      deviceId: String(payload.deviceId),
    };
  },
});

const changeCall = (change: 'read' | 'delete', summary: string): Operation[] =>
  zipwhipCall({
    id: `zipwhipMessage${change === 'read' ? 'Read' : 'Delete'}`,
    path: `/message/${change}`,
    methods: ['POST'],
    summary,
    fields: z.object({ message: idsField }),
    response: z.boolean(),
    handler: async ({ deps, accountSid, line, values }) => {
      const ids = values.message.flatMap((ids) => ids.split(','));
      const rows = await requireAllOwn(deps, { accountSid, line }, ids);
      if (change === 'delete') requireSettled(rows);
      for (const row of rows) await changeMessage(deps, row, change);
      return true;
    },
  });

const attachmentSchema = z.object({
  fileName: z.string(),
  dateCreated: z.string(),
  fileSizeBytes: z.int(),
  mimeType: z.string(),
  storageKey: z.string(),
});

const attachments = zipwhipCall({
  id: 'zipwhipMessageAttachmentList',
  path: '/messageAttachment/list',
  methods: ['GET', 'POST'],
  summary: 'List what belongs to a message: the .txt of a long body, and media',
  fields: z.object({ messageId: field.text({ max: 20 }) }),
  response: z.array(attachmentSchema),
  counted: true,
  handler: async ({ deps, accountSid, line, values }) => {
    const message = await requireOwn(deps, { accountSid, line }, values.messageId);
    const rows = await mediaOf(deps.db, message.sid, { withBody: true });
    return rows.map(
      (row): z.infer<typeof attachmentSchema> => ({
        fileName: row.fileName,
        dateCreated: row.dateCreated.toISOString(),
        fileSizeBytes: row.byteLength,
        mimeType: row.contentType,
        storageKey: row.sid,
      }),
    );
  },
});

const content = zipwhipCall({
  id: 'zipwhipHostedContentGet',
  path: '/hostedContent/get',
  methods: ['GET', 'POST'],
  summary: 'Fetch the bytes of an attachment',
  fields: z.object({ storageKey: field.text({ max: 64 }) }),
  response: null,
  handler: async ({ deps, accountSid, line, values }) => {
    const media = await findMediaOfLine(deps.db, { accountSid, line }, values.storageKey);
    if (!media) throw new ApiError(20404);
    return mediaContent(media);
  },
});

export const zipwhipMessageOperations: readonly Operation[] = [
  ...send,
  ...get,
  ...changeCall('read', 'Mark messages of the line as read'),
  ...changeCall('delete', 'Remove messages of the line'),
  ...attachments,
  ...content,
];

/** Each contact once. Throws 21211. */
function contactsOf(given: readonly string[]): string[] {
  const contacts = [...new Set(given.flatMap((text) => text.split(',')).map((text) => toE164(text.trim())))];
  if (contacts.length === 0 || contacts.length > maxContacts) throw new ApiError(21604);
  if (!contacts.every(isRecipient)) throw new ApiError(21211);
  return contacts;
}

function tokenJson({ config }: ApiDeps, row: MessageRow): z.infer<typeof tokenSchema> {
  const { deviceId } = messagePayload({ ...row, hasMedia: false }, config.messages);
  return {
    contact: row.contact,
    device: String(deviceId),
    fingerprint: fingerprint(row.line, row.contact),
    message: String(row.id),
  };
}

/** Looked at before any is deleted: the same call again would miss those that are gone. Throws 20009. */
function requireSettled(rows: readonly MessageRow[]): void {
  const onTheirWay = rows.filter(({ status }) => isInFlight(status)).map(({ id }) => id);
  if (onTheirWay.length > 0)
    throw new ApiError(20009, `Cannot be deleted while on its way: ${onTheirWay.join(', ')}`);
}

/** A message of the session's own line. Throws 20404. */
async function requireOwn(deps: ApiDeps, session: LineSession, id: string): Promise<MessageRow> {
  const [message] = await requireAllOwn(deps, session, [id]);
  if (!message) throw new ApiError(20404);
  return message;
}

/** Messages of the session's own line, each once. Throws 20001 for too many, and 20404 unless it has every one. */
async function requireAllOwn(
  { db }: ApiDeps,
  session: LineSession,
  written: readonly string[],
): Promise<MessageRow[]> {
  const texts = new Set(written.map((id) => id.trim()));
  if (texts.size > maxMessages) throw new ApiError(20001, `message may name ${maxMessages} messages at most`);
  const isId = (text: string): boolean => /^\d{1,15}$/.test(text);
  if (![...texts].every(isId)) throw new ApiError(20404);
  const ids = [...new Set([...texts].map(Number))];
  const rows = new Map((await findMessagesById(db, session, ids)).map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = rows.get(id);
    if (!row) throw new ApiError(20404);
    return row;
  });
}
