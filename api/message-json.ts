/** Messages and media on the wire. Fields: spec/twilio-2010-subset.json, domain.md §2.2. */
import { z } from 'zod';
import type { MediaRow, MessageRow } from '../db/reads/messages.ts';
import { messageDirections, messageErrorText, messageStatuses } from '../domain/message.ts';
import { rfc2822Date } from './dates.ts';

export const messagesPath = '/2010-04-01/Accounts/{AccountSid}/Messages';

const text = z.string().nullable();

export const messageSchema = z
  .object({
    sid: z.string().meta({ examples: ['SM0123456789abcdef0123456789abcdef'] }),
    account_sid: z.string(),
    messaging_service_sid: z.null(),
    body: z.string(),
    num_segments: z.string(),
    num_media: z.string(),
    direction: z.enum(messageDirections),
    from: z.string(),
    to: z.string(),
    status: z.enum(messageStatuses),
    error_code: z.int().nullable(),
    error_message: text,
    price: z.null(),
    price_unit: z.null(),
    api_version: z.literal('2010-04-01'),
    date_created: z.string().meta({ description: 'RFC 2822' }),
    date_updated: z.string(),
    date_sent: text,
    uri: z.string(),
    subresource_uris: z.object({ media: z.string() }),
  })
  .meta({ id: 'Message', description: 'A text message that came in or goes out on a hosted number' });

export function messageJson(row: MessageRow): z.infer<typeof messageSchema> {
  const inbound = row.direction === 'inbound';
  const address = `${messagesPath.replace('{AccountSid}', row.accountSid)}/${row.sid}`;
  return {
    sid: row.sid,
    account_sid: row.accountSid,
    messaging_service_sid: null,
    body: row.body,
    num_segments: String(row.numSegments),
    num_media: String(row.numMedia),
    direction: row.direction,
    from: inbound ? row.contact : row.line,
    to: inbound ? row.line : row.contact,
    status: row.status,
    error_code: row.errorCode,
    error_message: messageErrorText(row.errorCode),
    price: null,
    price_unit: null,
    api_version: '2010-04-01',
    date_created: rfc2822Date(row.dateCreated),
    date_updated: rfc2822Date(row.dateUpdated),
    date_sent: rfc2822Date(row.dateSent),
    uri: `${address}.json`,
    subresource_uris: { media: `${address}/Media.json` },
  };
}

export const mediaSchema = z
  .object({
    sid: z.string().meta({ examples: ['ME0123456789abcdef0123456789abcdef'] }),
    account_sid: z.string(),
    parent_sid: z.string(),
    content_type: z.string(),
    date_created: z.string().meta({ description: 'RFC 2822' }),
    date_updated: z.string(),
    uri: z.string().meta({ description: 'Without `.json` it leads to the media itself' }),
  })
  .meta({ id: 'Media', description: 'What a message holds beside its text' });

type Media = Omit<MediaRow, 'byteLength' | 'position'>;

export function mediaJson(row: Media): z.infer<typeof mediaSchema> {
  return {
    sid: row.sid,
    account_sid: row.accountSid,
    parent_sid: row.messageSid,
    content_type: row.contentType,
    date_created: rfc2822Date(row.dateCreated),
    date_updated: rfc2822Date(row.dateUpdated),
    uri: `${messagesPath.replace('{AccountSid}', row.accountSid)}/${row.messageSid}/Media/${row.sid}.json`,
  };
}
