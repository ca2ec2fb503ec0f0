/**
 * Activity contracts: what workflows may ask of the outside world. Types only; `activities/` satisfies them.
 * Every activity takes one object, is idempotent by the key its comment names, and returns expected outcomes as
 * values. It throws only when trying again may help, or a non-retryable ApplicationFailure when it never will.
 */
import type { DocumentStatus } from './authorization-document.ts';
import type { AttemptResult, DeliveryState } from './delivery.ts';
import type { ErrorCode } from './errors.ts';
import type { EventType } from './events.ts';
import type { NumberState, OrderStatus, VerificationType } from './hosted-number-order.ts';
import type { MessageChange, MessageStatus, OutgoingMessage, StatusCode } from './message.ts';
import type { AttemptOutcome, CallStatus } from './verification.ts';

/** What a customer may set when an order is created. Fixed from then on, but for the labels. */
export interface OrderRequest {
  readonly sid: string;
  readonly accountSid: string;
  readonly incomingPhoneNumberSid: string;
  /** E.164. */
  readonly phoneNumber: string;
  readonly friendlyName: string | null;
  readonly uniqueName: string | null;
  readonly email: string | null;
  readonly ccEmails: readonly string[];
  readonly addressSid: string | null;
  readonly verificationType: VerificationType;
  readonly verificationDocumentSid: string | null;
  readonly statusCallbackUrl: string | null;
  readonly statusCallbackMethod: 'POST' | 'GET';
  readonly smsUrl: string | null;
  readonly smsMethod: 'POST' | 'GET';
  readonly smsFallbackUrl: string | null;
  readonly smsFallbackMethod: 'POST' | 'GET';
  readonly smsApplicationSid: string | null;
}

export type Eligibility =
  | { readonly kind: 'eligible'; readonly holder: string | null }
  | { readonly kind: 'ineligible'; readonly reason: string; readonly holder: string | null };

export type Placement =
  | { readonly kind: 'placed'; readonly eligibility: Eligibility | { readonly kind: 'pending' } }
  /** Nothing was stored: the number or the unique name is taken. */
  | { readonly kind: 'refused'; readonly code: ErrorCode };

export interface TimelineEntry {
  readonly sequence: number;
  /** ISO 8601, workflow time. */
  readonly at: string;
  /** `customer`, `administrator`, `callee`, `signer`, `registry`, `carrier`, `service`. */
  readonly actor: string;
  readonly what: string;
  readonly why: string | null;
  readonly status: string;
}

/** The whole state of an order that people can see, as of one revision. */
export interface OrderSnapshot {
  readonly sid: string;
  readonly revision: number;
  readonly status: OrderStatus;
  readonly failureReason: string | null;
  readonly verificationAttempts: number;
  readonly verificationType: VerificationType;
  readonly verificationDocumentSid: string | null;
  readonly verificationCallSids: readonly string[];
  readonly ownershipVerified: boolean;
  readonly signingDocumentSid: string | null;
  readonly documentSigned: boolean;
  readonly extension: string | null;
  readonly callDelay: number;
  readonly friendlyName: string | null;
  readonly email: string | null;
  readonly ccEmails: readonly string[];
  readonly numberState: NumberState;
  readonly holdsNumber: boolean;
  readonly canceled: boolean;
  /** ISO 8601; when the customer released the number, else null. */
  readonly releasedAt: string | null;
  /** ISO 8601, workflow time. */
  readonly updatedAt: string;
  /** Entries since the revision before; inserted or ignored by sequence. */
  readonly timeline: readonly TimelineEntry[];
}

/** A status callback to send for an order: activity makes event and delivery rows; idempotent by order and sequence. */
export interface OrderCallback {
  readonly orderSid: string;
  readonly sequence: number;
  readonly status: OrderStatus | 'canceled';
  readonly failureReason: string | null;
  readonly verificationAttempts: number;
  /** ISO 8601. */
  readonly at: string;
}

export type RegistrationState =
  | { readonly state: 'accepted' }
  | { readonly state: 'pending' }
  | { readonly state: 'rejected'; readonly reason: string };

export interface OrderActivities {
  /** Local activity. Asks the registry within its time budget, then stores order and number in one transaction. Key: sid. */
  placeOrder(input: {
    readonly request: OrderRequest;
    /** `takeOver`: an administrator vouches for a number that is hosted already; the registry is not asked. */
    readonly takeOver: boolean;
    readonly budgetMs: number;
    readonly at: string;
  }): Promise<Placement>;
  /** Asks the registry, however long it takes. Read only. */
  checkEligibility(input: { readonly phoneNumber: string }): Promise<Eligibility>;
  /** Copies the state to the read model unless a later revision is there. Key: sid and revision. */
  recordOrder(snapshot: OrderSnapshot): Promise<void>;
  /** Gives the order a unique name of its account, `null` to take it away. Key: sid. */
  claimUniqueName(input: {
    readonly orderSid: string;
    readonly uniqueName: string | null;
  }): Promise<{ readonly taken: boolean }>;
  /** Makes the code of a call from a cryptographic source, voids every earlier one. Key: order and call number. */
  openVerificationAttempt(input: {
    readonly orderSid: string;
    readonly callNumber: number;
    readonly at: string;
  }): Promise<void>;
  /** Places the call. Key, sent to the provider: order and call number. */
  placeVerificationCall(input: {
    readonly orderSid: string;
    readonly callNumber: number;
    readonly to: string;
    readonly extension: string | null;
  }): Promise<
    { readonly placed: true; readonly callSid: string } | { readonly placed: false; readonly reason: string }
  >;
  /** Hangs up a call that is still live. A call that is over already is no error. */
  endVerificationCall(input: { readonly callSid: string }): Promise<void>;
  /** Asks the provider how a call stands, for the case that its callback was lost. */
  fetchVerificationCall(input: { readonly callSid: string }): Promise<{ readonly status: CallStatus }>;
  /** Stores how a call ended and voids its code. Key: order and call number. */
  closeVerificationAttempt(input: {
    readonly orderSid: string;
    readonly callNumber: number;
    readonly callSid: string | null;
    readonly outcome: AttemptOutcome;
    readonly at: string;
  }): Promise<void>;
  /** Asks the registry to route the number's texts here. Key, sent along: order sid and submission. */
  submitRegistration(input: {
    readonly orderSid: string;
    readonly phoneNumber: string;
    readonly documentSid: string | null;
    /** From 1: an order that an administrator sends on again is submitted anew. */
    readonly submission: number;
  }): Promise<RegistrationState>;
  fetchRegistration(input: {
    readonly orderSid: string;
    readonly phoneNumber: string;
  }): Promise<RegistrationState>;
  /** Ends the routing of the number's texts. Key: order sid. A registration that is gone already is no error. */
  removeRegistration(input: { readonly orderSid: string; readonly phoneNumber: string }): Promise<void>;
  /** Sends a text from the number to the route-test handset, which answers it. Key: order, round. */
  sendRouteTest(input: {
    readonly orderSid: string;
    readonly phoneNumber: string;
    readonly round: number;
  }): Promise<void>;
  /** Stores the callback's event and delivery; `null` where the order has no callback address. Key: order and sequence. */
  prepareOrderCallback(input: OrderCallback): Promise<DeliveryStart | null>;
}

/** What the signer gave on the signing page. */
export interface Signature {
  readonly signerName: string;
  readonly signerTitle: string;
  readonly signerPhone: string;
  /** Business and service address as the signer confirmed or filled in. */
  readonly address: LetterAddress;
  readonly consentedAt: string;
  readonly ipAddress: string;
  readonly userAgent: string;
}

export interface LetterAddress {
  readonly customerName: string;
  readonly street: string;
  readonly streetSecondary: string | null;
  readonly city: string;
  readonly region: string;
  readonly postalCode: string;
  readonly isoCountry: string;
}

export interface DocumentDetails {
  readonly addressSid: string | null;
  readonly email: string;
  readonly ccEmails: readonly string[];
  readonly contactTitle: string | null;
  readonly contactPhoneNumber: string | null;
}

export interface DocumentSnapshot extends DocumentDetails {
  readonly sid: string;
  readonly accountSid: string;
  readonly revision: number;
  readonly status: DocumentStatus;
  readonly failureReason: string | null;
  readonly mailing: number;
  readonly expiresAt: string | null;
  readonly signedAt: string | null;
  readonly signerName: string | null;
  readonly orderSids: readonly string[];
  readonly updatedAt: string;
  readonly timeline: readonly TimelineEntry[];
}

export interface DocumentActivities {
  /** Local or ordinary. Inserts or updates the document and its orders unless a later revision is there. */
  recordDocument(snapshot: DocumentSnapshot): Promise<void>;
  /** Tells an order's workflow that it belongs to this document now. Key: order and document. */
  attachOrder(input: {
    readonly orderSid: string;
    readonly accountSid: string;
    readonly documentSid: string;
  }): Promise<{ readonly attached: boolean }>;
  /** Renders the letter of this mailing and keeps its bytes. Key: document and mailing. */
  prepareLetter(input: {
    readonly documentSid: string;
    readonly mailing: number;
  }): Promise<{ readonly sha256: string; readonly byteLength: number }>;
  /** Mails the letter with its signing link. Key, as Message-ID: document, mailing, kind and number. */
  mailLetter(input: {
    readonly documentSid: string;
    readonly mailing: number;
    readonly kind: 'invitation' | 'reminder';
    readonly number: number;
    readonly expiresAt: string;
  }): Promise<{ readonly accepted: true } | { readonly accepted: false; readonly reason: string }>;
  /** Appends signature and audit page to the letter as mailed and keeps the result. Key: document and mailing. */
  sealDocument(input: {
    readonly documentSid: string;
    readonly mailing: number;
    readonly signature: Signature;
    readonly signedAt: string;
  }): Promise<{ readonly sha256: string }>;
  /** Mails the signed letter to signer and copied recipients. Key, as Message-ID: document and recipient. */
  mailCopies(input: { readonly documentSid: string; readonly mailing: number }): Promise<void>;
}

/** What a `webhookDelivery` workflow is started with. Small and without customer data: the payload is in the database. */
export interface DeliveryStart {
  readonly deliverySid: string;
  readonly accountSid: string;
  readonly kind: string;
  /** Host of the endpoint, for the Web UI and the search attribute. */
  readonly endpointHost: string;
  /** Fairness key: subscription sid, or the callback's host. */
  readonly endpointKey: string;
  /** From 1 within its order key; only later ones look for predecessors. */
  readonly sequence: number;
}

export interface AttemptReport {
  readonly result: AttemptResult;
  readonly httpStatus: number | null;
  /** Why there was no proper answer, in our own words. */
  readonly error: string | null;
  /** What Retry-After asked for. Milliseconds. */
  readonly retryAfterMs: number | null;
  /** For `waiting`: when the endpoint's limit lets this delivery through. Milliseconds. */
  readonly waitMs: number | null;
  /** For `delivered`: the deliveries of the same order key that waited for this one. */
  readonly heldBack: readonly string[];
  /** This attempt switched the endpoint off; its account has to be told. */
  readonly switchedOff: boolean;
}

export interface DeliveryActivities {
  /**
   * Sends the event once and stores the attempt; a success ends the delivery in the same statement. An attempt that
   * is stored already is not made again: its report is repeated. Key: delivery and attempt number.
   */
  attemptDelivery(input: {
    readonly deliverySid: string;
    readonly attemptNumber: number;
  }): Promise<AttemptReport>;
  /** Tells whether an earlier delivery of the same order key is unfinished. It wakes this one when it ends. */
  findPredecessor(input: { readonly deliverySid: string }): Promise<{ readonly unfinished: boolean }>;
  /** Stores when the next attempt is due. Key: delivery and attempt count. */
  recordNextAttempt(input: {
    readonly deliverySid: string;
    readonly attemptCount: number;
    readonly nextAttemptAt: string;
  }): Promise<void>;
  /** Stores the end of a delivery and names those it held back. Key: delivery. */
  settleDelivery(input: {
    readonly deliverySid: string;
    readonly state: DeliveryState;
    readonly attemptCount: number;
    readonly at: string;
  }): Promise<{ readonly heldBack: readonly string[] }>;
  /** Tells the account by mail that an endpoint was switched off. Key, as Message-ID: delivery. */
  announceSwitchOff(input: { readonly deliverySid: string }): Promise<void>;
}

/** Which deliveries of a subscription are sent again, or that a test event is made for it. */
export type ReplaySelection =
  /** One delivery that has ended, whoever its endpoint is. */
  | { readonly kind: 'one'; readonly deliverySid: string }
  /** Every delivery made at or after `since` that stands in one of these states. ISO 8601. */
  | { readonly kind: 'since'; readonly since: string; readonly states: readonly DeliveryState[] }
  | { readonly kind: 'test'; readonly eventType: EventType };

export interface ReplayPage {
  readonly replaySid: string;
  readonly accountSid: string;
  readonly subscriptionSid: string | null;
  readonly selection: ReplaySelection;
  /** Deliveries up to this position were looked at by earlier pages. */
  readonly after: number;
  /** ISO 8601, workflow time at which the replay began: nothing made later is part of it. */
  readonly until: string;
}

export interface ReplayActivities {
  /** Makes and starts the deliveries of one page. Key: replay and the delivery that is sent again. */
  replayPage(input: ReplayPage): Promise<{
    readonly deliverySids: readonly string[];
    /** Where the next page begins; `null` at the end. */
    readonly next: number | null;
  }>;
}

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
   * Key: the message's sid.
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

/** How far a bulk request has come. */
export interface BulkProgress {
  readonly done: number;
  readonly total: number;
}

/** Requests about many numbers. The numbers are in the database, so that none of them is in a workflow's history. */
export interface BulkActivities {
  /**
   * Takes on the next numbers that have no outcome yet: places their orders, or asks the registry about them, and
   * stores each outcome at once. Heartbeats with each number. Key: the request; a number with an outcome is left alone.
   */
  workBulkBatch(input: { readonly requestSid: string; readonly size: number }): Promise<BulkProgress>;
  /** Marks the request as processed. Key: the request. */
  finishBulkRequest(input: { readonly requestSid: string; readonly at: string }): Promise<void>;
  /** Tells the address the customer gave, if any. Key, as Message-ID: the request. A refused address is no error. */
  mailBulkResult(input: { readonly requestSid: string }): Promise<void>;
}
