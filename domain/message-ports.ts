/** What messages ask of the outside world, and where texts that come in go. See `ports.ts`. */
import type { DeliveryStart } from './delivery-ports.ts';
import type { ErrorCode } from './errors.ts';
import type { MessageChange, MessageStatus, OutgoingMessage, StatusCode } from './message.ts';

export type MessagePlacement =
  | { readonly kind: 'placed'; readonly deliveries: readonly DeliveryStart[] }
  /** Nothing was stored: the line may not send, or the recipient opted out. */
  | { readonly kind: 'refused'; readonly code: ErrorCode };

/** A new state of an outgoing message, and what has to be told about it. */
export interface MessageProgress {
  readonly messageSid: string;
  /** From 2; the placement is 1. */
  readonly revision: number;
  readonly status: MessageStatus;
  readonly statusCode: StatusCode | null;
  /** Code to report as an event; `null`: none. */
  readonly reported: StatusCode | null;
  /** The status callback is due. */
  readonly statusChanged: boolean;
  readonly errorCode: number | null;
  /** ISO 8601, workflow time. */
  readonly at: string;
}

export type MessageSubmission =
  | { readonly kind: 'accepted'; readonly receiptFollows: boolean }
  | { readonly kind: 'refused'; readonly errorCode: number };

/** One request to a customer's SmsUrl, or to where its TwiML leads. */
export interface SmsUrlCall {
  readonly url: string;
  readonly method: 'POST' | 'GET';
  /** Parameters beside those of the inbound message, such as ErrorCode. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The number's fallback was asked about this text, here or before; it is not asked again. Absent: it was not. */
  readonly fallbackUsed?: true;
}

export interface SmsUrlOutcome {
  /** Replies to send. */
  readonly replies: readonly OutgoingMessage[];
  /** Where the conversation goes on, by Redirect, by an action, or to the fallback. */
  readonly next: SmsUrlCall | null;
  /** What was wrong with the answer, as an error code; it is kept with the message. */
  readonly errorCode: number | null;
}

/** Texts that go out, and the replies to those that come in. Inbound texts are stored by the API process itself. */
export interface MessageActivities {
  /**
   * Local activity. Checks line and recipient, stores the message and, unless it is scheduled, its message/send event.
   * `at` is when the run began, and tells its own message from one that an earlier run made. Key: the message's sid.
   */
  placeMessage(input: { readonly message: OutgoingMessage; readonly at: string }): Promise<MessagePlacement>;
  /** Local activity. Stores a state with its event and callback. Key: message and revision. */
  recordMessage(progress: MessageProgress): Promise<{ readonly deliveries: readonly DeliveryStart[] }>;
  /** Hands the message to the carrier and keeps the carrier's identifier. Key, sent along: the message's sid. */
  submitMessage(input: { readonly messageSid: string }): Promise<MessageSubmission>;
  /** Local activity. Marks as read, removes, redacts, or removes one of its media. Key: message and change. */
  changeMessage(input: {
    readonly messageSid: string;
    readonly accountSid: string;
    readonly change: MessageChange;
    /** For `delete-media`. */
    readonly mediaSid: string | null;
    readonly at: string;
  }): Promise<MessagePlacement>;
  /** Calls SmsUrl, or where it led, and reads the TwiML. Key, sent along: the message and the step. */
  callSmsUrl(input: {
    readonly messageSid: string;
    /** From 1. */
    readonly step: number;
    /** `null`: the number's own SmsUrl. */
    readonly call: SmsUrlCall | null;
  }): Promise<SmsUrlOutcome>;
}

/** A text as a carrier brings it. */
export interface ReceivedText {
  /** The carrier's identifier: the same text again changes nothing. */
  readonly carrierId: string;
  readonly from: string;
  /** E.164. */
  readonly to: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
}

export interface ReceivedReceipt {
  /** Identifier the carrier gave at submission. */
  readonly carrierId: string;
  /** Other spellings of it: some SMSCs answer in hexadecimal and report in decimal. */
  readonly otherIds?: readonly string[];
  /** The two numbers it names, where it does: which of them is the contact's differs between SMSCs. */
  readonly parties?: readonly string[];
  readonly state: 'delivered' | 'failed';
  readonly errorCode: number | null;
}

/** Where what a carrier brings goes. A fulfilled promise means that it is durable and may be acknowledged. */
export interface CarrierInbox {
  /** Stores a text and starts every delivery of it. `unknown-line`: no number of ours; nothing was stored. */
  receiveText(text: ReceivedText): Promise<'stored' | 'repeated' | 'route-test' | 'unknown-line'>;
  /** Tells the message's workflow. `unknown`: no message of ours has this identifier. */
  receiveReceipt(receipt: ReceivedReceipt): Promise<'told' | 'unknown'>;
}
