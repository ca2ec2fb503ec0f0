/**
 * The life of a text message: its statuses, the status codes webhooks carry, and what moves it from one to the next.
 * A message has two tellings: Twilio's status, for the API and the status callback, and the code of the webhooks.
 * Source: service.md §3.4, domain.md §2.2 and §6.4.
 */
import type { LineKind } from './line-kind.ts';

/** Twilio's words for where a message stands. Source: domain.md §2.2. */
export const messageStatuses = [
  'accepted',
  'scheduled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'canceled',
  'receiving',
  'received',
  'read',
  'partially_delivered',
] as const;
export type MessageStatus = (typeof messageStatuses)[number];

export const messageDirections = ['inbound', 'outbound-api', 'outbound-reply'] as const;
export type MessageDirection = (typeof messageDirections)[number];

/** Statuses in which a message may neither be deleted nor redacted (20009). */
const inFlightStatuses = ['accepted', 'scheduled', 'queued', 'sending', 'receiving'] as const;

export function isInFlight(status: string): boolean {
  return (inFlightStatuses as readonly string[]).includes(status);
}

/** What a customer does to a message that is not on its way any more. */
export type MessageChange = 'read' | 'delete' | 'redact' | 'delete-media';

/** `statusCode` of the webhooks. Source: service.md §3.4, word for word. */
export const statusCodes = {
  0: { meaning: 'Successful transmission, no acknowledgment from carrier', final: true },
  1: { meaning: 'In process', final: false },
  2: { meaning: 'Queued', final: false },
  4: { meaning: 'Successful delivery to carrier', final: true },
  5: { meaning: 'Failed delivery to carrier', final: true },
  6: { meaning: 'Successful delivery to handset (toll-free numbers only)', final: true },
  7: { meaning: 'Failed delivery to handset (toll-free numbers only)', final: true },
} as const;
export type StatusCode = keyof typeof statusCodes;

/** The code of every inbound message. Source: domain.md §6.4. */
export const inboundStatusCode = 4 satisfies StatusCode;

export const messageTriggers = [
  'queued',
  'submitting',
  'accepted',
  'accepted-without-receipt',
  'refused',
  'expired',
  'handset-received',
  'handset-failed',
  'receipt-overdue',
  'canceled',
] as const;
export type MessageTrigger = (typeof messageTriggers)[number];

/** What decides a message's next step. */
export interface MessageFacts {
  readonly line: LineKind;
  readonly status: MessageStatus;
  /** `null` while a scheduled message waits. */
  readonly statusCode: StatusCode | null;
}

interface Step {
  readonly from: readonly MessageStatus[];
  readonly to: MessageStatus;
  /** The code this step reports on each kind of line; `null`: none. */
  readonly code: Readonly<Record<LineKind, StatusCode | null>>;
}

const both = (code: StatusCode | null): Step['code'] => ({ local: code, 'toll-free': code });

/**
 * On a toll-free line the carrier's acceptance reports nothing: 4 is final, and so is the handset's 6 or 7 that follows.
 * It stays at 1 until the receipt, or until the receipt is overdue, and then 4 is the last word (decision 0015).
 */
const steps: Readonly<Record<MessageTrigger, Step>> = {
  queued: { from: ['scheduled'], to: 'queued', code: both(2) },
  submitting: { from: ['queued'], to: 'sending', code: both(1) },
  accepted: { from: ['sending'], to: 'sent', code: { local: 4, 'toll-free': null } },
  'accepted-without-receipt': { from: ['sending'], to: 'sent', code: both(0) },
  refused: { from: ['queued', 'sending'], to: 'failed', code: both(5) },
  expired: { from: ['queued', 'sending'], to: 'failed', code: both(5) },
  'handset-received': { from: ['sent'], to: 'delivered', code: { local: null, 'toll-free': 6 } },
  'handset-failed': { from: ['sent'], to: 'undelivered', code: { local: null, 'toll-free': 7 } },
  'receipt-overdue': { from: ['sent'], to: 'sent', code: { local: null, 'toll-free': 4 } },
  canceled: { from: ['scheduled'], to: 'canceled', code: both(null) },
};

export interface MessageStep {
  readonly facts: MessageFacts;
  /** The code to report as an event (2 as message/send, any other as message/progress); `null`: no event. */
  readonly reported: StatusCode | null;
  /** Twilio's status changed: the status callback is due. */
  readonly statusChanged: boolean;
}

/** What a trigger does to a message; `null` where it does nothing. A final code is never followed by another. */
export function stepMessage(facts: MessageFacts, trigger: MessageTrigger): MessageStep | null {
  const step = steps[trigger];
  if (!step.from.includes(facts.status)) return null;
  const settled = facts.statusCode !== null && statusCodes[facts.statusCode].final;
  const reported = settled ? null : step.code[facts.line];
  const statusChanged = step.to !== facts.status;
  if (reported === null && !statusChanged) return null;
  return {
    facts: { ...facts, status: step.to, statusCode: reported ?? facts.statusCode },
    reported,
    statusChanged,
  };
}

/** Characters of a body. Source: domain.md §2.2 (21617). */
export const maxBodyLength = 1600;
/** Media of one message. Source: Twilio's Messages resource. */
export const maxMediaUrls = 10;
/** Requests to SmsUrl that one text may cause: Redirect after Redirect comes to an end. */
export const maxSmsUrlRequests = 10;
/** How far ahead a message may be scheduled. Days. Source: Twilio's message scheduling. */
export const maxScheduleDays = 35;
/** Longest validity period. Seconds. Source: Twilio's Messages resource. */
export const maxValidityPeriodSeconds = 36_000;

/** A text to send, as accepted from a customer or from a TwiML reply. */
export interface OutgoingMessage {
  readonly sid: string;
  readonly accountSid: string;
  readonly direction: Exclude<MessageDirection, 'inbound'>;
  /** E.164. */
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
  readonly statusCallback: string | null;
  /** ISO 8601; `null`: at once. */
  readonly sendAt: string | null;
  readonly validityPeriodSeconds: number | null;
  /** The inbound message this one answers. */
  readonly inReplyTo: string | null;
}

/** What `error_message` says beside `error_code`. Source: spec/error-codes.json, in our own words. */
export const messageErrors: Readonly<Record<number, string>> = {
  11200: 'SmsUrl did not answer with a status in the 200 range',
  11205: 'SmsUrl could not be reached or did not answer in time',
  11750: 'The answer of SmsUrl is too large',
  12100: 'The answer of SmsUrl is not well-formed TwiML',
  12200: 'The answer of SmsUrl holds a verb or an attribute that is not known here',
  12300: 'The answer of SmsUrl has the wrong content type',
  14101: 'A reply in the TwiML has a bad recipient',
  14103: 'A reply in the TwiML has no valid text or media',
  14107: 'The TwiML asks for more replies than one answer may, or leads in a circle',
  14108: 'From of a reply is not a number of this account that can send messages',
  21606: 'The number cannot send messages any more',
  21610: 'The recipient has opted out of messages from this number',
  30003: 'The handset cannot be reached',
  30004: 'The message was blocked',
  30005: 'The handset is unknown',
  30006: 'The recipient is a landline or its carrier cannot be reached',
  30007: 'The carrier filtered the message',
  30008: 'The carrier could not deliver the message',
  30036: 'The message was not taken by the carrier within its validity period',
};

/** What a carrier gives no better code for. */
export const undeliveredError = 30008;

export function messageErrorText(code: number | null): string | null {
  if (code === null) return null;
  return messageErrors[code] ?? 'The carrier could not deliver the message';
}
