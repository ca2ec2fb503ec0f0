/**
 * The JSON bodies of message and opt-out webhooks, every field of service.md §2.4 and §2.5 in its order there.
 * Meanings that the specification leaves open: domain.md §3.3 and decision 0017.
 */
import type { MessageDirection, MessageStatus, StatusCode } from './message.ts';
import type { OptOutChange } from './opt-out.ts';

/** Constants and the body limit of the payload. Source: `messages` in temporal.yaml. */
export interface PayloadSettings {
  /** UTF-8 bytes of a body; a longer text goes as a .txt attachment. Source: domain.md §3.4: 700. */
  readonly bodyLimitBytes: number;
  readonly messageTransport: number;
  readonly messageStatus: number;
  readonly outgoingMessageType: string;
}

/** A message as of the event that is told. */
export interface MessageView {
  /** At most 2^53 − 1, so that every JSON reader keeps it whole. */
  readonly id: number;
  readonly direction: MessageDirection;
  /** The hosted number and the other party, E.164. */
  readonly line: string;
  readonly contact: string;
  readonly body: string;
  /** Media beside the text. */
  readonly hasMedia: boolean;
  readonly statusCode: number | null;
  /** Tells a message without a code that was canceled from one that waits. Not needed where there is a code. */
  readonly status?: MessageStatus;
  readonly dateCreated: Date;
  readonly sendAt: Date | null;
  readonly dateDelivered: Date | null;
  readonly dateRead: Date | null;
  readonly dateDeleted: Date | null;
}

/** The fields of a message webhook; also what `/message/get` answers with. */
export interface MessagePayload {
  readonly body: string;
  readonly bodySize: number;
  readonly address: string;
  readonly finalSource: string;
  readonly finalDestination: string;
  readonly messageType: string;
  readonly fingerprint: string;
  readonly id: number;
  readonly cc: null;
  readonly bcc: null;
  readonly visible: boolean;
  readonly read: boolean;
  readonly contactId: number;
  readonly scheduledDate: string | null;
  readonly deviceId: number;
  readonly dateDeleted: string | null;
  readonly messageTransport: number;
  readonly dateDelivered: string | null;
  readonly hasAttachment: boolean;
  readonly dateCreated: string;
  readonly deleted: boolean;
  readonly dateRead: string | null;
  readonly statusCode: number;
  readonly messageStatus: number;
}

export function messagePayload(message: MessageView, settings: PayloadSettings): MessagePayload {
  const inbound = message.direction === 'inbound';
  const body = cutToBytes(message.body, settings.bodyLimitBytes);
  return {
    body,
    bodySize: utf8Length(body),
    address: `ptn:/${message.contact}`,
    finalSource: inbound ? message.contact : message.line,
    finalDestination: inbound ? message.line : message.contact,
    messageType: inbound ? 'MO' : settings.outgoingMessageType,
    fingerprint: fingerprint(message.line, message.contact),
    id: message.id,
    cc: null,
    bcc: null,
    visible: true,
    read: message.dateRead !== null,
    contactId: partyId(message.contact),
    scheduledDate: iso(message.sendAt),
    deviceId: partyId(message.line),
    dateDeleted: iso(message.dateDeleted),
    messageTransport: settings.messageTransport,
    dateDelivered: iso(message.dateDelivered),
    hasAttachment: message.hasMedia || isOverLimit(message.body, settings.bodyLimitBytes),
    dateCreated: message.dateCreated.toISOString(),
    deleted: message.dateDeleted !== null,
    dateRead: iso(message.dateRead),
    statusCode: message.statusCode ?? codeWithout(message),
    messageStatus: settings.messageStatus,
  };
}

/**
 * What is told of a message that never got a code: it waits for its time, or was canceled meanwhile. A canceled one is
 * not queued any more, and 5 is what others are told with that were never handed to a carrier. Source: decision 0015.
 */
function codeWithout({ status }: Pick<MessageView, 'status'>): StatusCode {
  return status === 'canceled' ? 5 : 2;
}

export interface OptOutView {
  readonly id: number;
  readonly line: string;
  readonly contact: string;
  readonly body: string;
  readonly type: OptOutChange;
  readonly at: Date;
}

export function optOutPayload(change: OptOutView): Readonly<Record<string, string>> {
  return {
    messageBody: change.body,
    line: change.line,
    contact: change.contact,
    messageId: String(change.id),
    type: change.type,
    // The specification asks for an offset here, and for Z in the message payload.
    eventDate: change.at.toISOString().replace('Z', '+00:00'),
  };
}

/**
 * A stored payload of a message that was redacted or removed since: every field stays, the text is empty, and nothing is
 * left to be fetched. The order of fields stays too. Source: decision 0017.
 */
export function withoutText(payload: string): string {
  const fields = JSON.parse(payload) as Readonly<Record<string, unknown>>;
  const emptied = 'messageBody' in fields ? emptyOptOut : emptyMessage;
  return JSON.stringify({ ...fields, ...emptied });
}

const emptyMessage: Pick<MessagePayload, 'body' | 'bodySize' | 'hasAttachment'> = {
  body: '',
  bodySize: 0,
  hasAttachment: false,
};
const emptyOptOut = { messageBody: '' };

/** The whole text part becomes a .txt attachment beyond this limit. Source: service.md §6.1. */
export function isOverLimit(body: string, limitBytes: number): boolean {
  return utf8Length(body) > limitBytes;
}

/** Number of bytes of the text in UTF-8; half a surrogate pair counts as the replacement character it becomes. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += bytesOf(character);
  return bytes;
}

/** The longest beginning of the text that fits, whole characters only. */
export function cutToBytes(text: string, limitBytes: number): string {
  let bytes = 0;
  let length = 0;
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > limitBytes) return text.slice(0, length);
    length += character.length;
  }
  return text;
}

/** Names the conversation, not the message: the same for both directions. Digits, as text. */
export function fingerprint(line: string, contact: string): string {
  const party = isNumber(contact) ? digits(contact) : String(nameId(contact));
  return digits(line) + party.padStart(maxDigits, '0');
}

/** Digits of an E.164 number at most. As an integer it stays below 2^53, and is the same wherever it is made. */
const maxDigits = 15;

/** Of a line or of a contact: a number is its own id. */
function partyId(party: string): number {
  return isNumber(party) ? Number(digits(party).slice(0, maxDigits)) : nameId(party);
}

/** A number however it is written, short codes included. `BANK24` is none, and neither is a name without any digit. */
const isNumber = (party: string): boolean => /^[+\s().-]*\d[\d\s().-]*$/.test(party);

/** Every name's id lies above every number's. */
const firstNameId = 10 ** maxDigits;
/** The largest prime below 2^48: a name's id stays below 2^53. */
const hashModulus = 281_474_976_710_597n;
/** A prime above every code point. */
const hashBase = 1_114_117n;

/** The same wherever it is made, with nothing to store: a polynomial over the name's characters. Source: decision 0017. */
function nameId(name: string): number {
  let hash = 0n;
  for (const character of name) {
    hash = (hash * hashBase + BigInt(character.codePointAt(0) ?? 0)) % hashModulus;
  }
  return firstNameId + Number(hash);
}

const digits = (phoneNumber: string): string => phoneNumber.replaceAll(/\D/g, '');
const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

function bytesOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
