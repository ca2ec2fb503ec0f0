/** What is told about a message: its events as JSON, its status callbacks as forms. */
import type { MessageRow } from '../db/reads/messages.ts';
import {
  pendingDeliveriesOf,
  recordCallback,
  recordEvent,
  type RecordedDelivery,
} from '../db/writes/events.ts';
import type { Queryable } from '../db/client.ts';
import type { EventType } from '../domain/events.ts';
import { messagePayload, optOutPayload, type MessageView } from '../domain/message-payload.ts';
import type { OptOutChange } from '../domain/opt-out.ts';
import type { DeliveryStart } from '../domain/ports.ts';
import type { Settings } from '../settings.ts';

/**
 * Places of events in the life of their message. An outgoing message's own events take its revisions, from 1; nothing
 * comes after the deletion.
 */
export const eventSequences = { receive: 1, optOut: 2, read: 3, send: 1, delete: 1000 } as const;

/** A message as far as its events need to know it. */
export interface MessageToTell extends MessageView {
  readonly sid: string;
  readonly accountSid: string;
}

export interface MessageTelling {
  readonly kind: Exclude<EventType, 'optout/change'>;
  readonly sequence: number;
  readonly at: Date;
}

export function recordMessageEvent(
  db: Queryable,
  settings: Settings,
  message: MessageToTell,
  { kind, sequence, at }: MessageTelling,
): Promise<RecordedDelivery[]> {
  return recordEvent(db, {
    accountSid: message.accountSid,
    kind,
    resourceSid: message.sid,
    sequence,
    line: message.line,
    payload: JSON.stringify(messagePayload(message, settings.messages)),
    at,
  });
}

export function recordOptOutEvent(
  db: Queryable,
  message: MessageToTell,
  type: OptOutChange,
): Promise<RecordedDelivery[]> {
  const at = message.dateCreated;
  return recordEvent(db, {
    accountSid: message.accountSid,
    kind: 'optout/change',
    resourceSid: message.sid,
    sequence: eventSequences.optOut,
    line: message.line,
    payload: JSON.stringify(optOutPayload({ ...message, type, at })),
    at,
  });
}

/** What is still pending of the event above; nothing where the text changed nothing. */
export function pendingOptOutEvent(db: Queryable, message: MessageToTell): Promise<RecordedDelivery[]> {
  return pendingDeliveriesOf(db, {
    accountSid: message.accountSid,
    kind: 'optout/change',
    resourceSid: message.sid,
    sequence: eventSequences.optOut,
  });
}

/** The message's status callback; none where it asked for none. Source: domain.md §2.5. */
export async function recordStatusCallback(
  db: Queryable,
  message: MessageRow,
  { sequence, at }: Pick<MessageTelling, 'sequence' | 'at'>,
): Promise<DeliveryStart[]> {
  if (message.statusCallback === null) return [];
  const form = new URLSearchParams({
    MessageSid: message.sid,
    SmsSid: message.sid,
    MessageStatus: message.status,
    SmsStatus: message.status,
    To: message.contact,
    From: message.line,
    AccountSid: message.accountSid,
    ApiVersion: '2010-04-01',
    ...(message.errorCode === null ? {} : { ErrorCode: String(message.errorCode) }),
  });
  const delivery = await recordCallback(db, {
    accountSid: message.accountSid,
    kind: 'message/status',
    resourceSid: message.sid,
    sequence,
    line: message.line,
    payload: form.toString(),
    url: message.statusCallback,
    method: 'POST',
    at,
  });
  return [delivery];
}

export function toTell(row: MessageRow): MessageToTell {
  return { ...row, hasMedia: row.numMedia > 0 };
}
