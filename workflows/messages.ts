/**
 * How the rest of the service talks to workflows: workflow ids, and every update, signal and query.
 * Updates are commands and answer; signals are facts that happened. Names on the wire are what the `temporal` CLI uses.
 */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { OrderFacts, ResolveTarget, VerificationType } from '../domain/hosted-number-order.ts';
import type { DocumentStatus } from '../domain/authorization-document.ts';
import type {
  DeliveryStart,
  DocumentDetails,
  OrderRequest,
  ReplaySelection,
  Signature,
} from '../domain/ports.ts';
import type { DeliveryPolicy, DocumentTimers, MessageTimers, OrderTimers } from '../domain/timers.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { MessageChange, MessageFacts, OutgoingMessage } from '../domain/message.ts';
import type { CallStatus } from '../domain/verification.ts';

/** The answer to an update: done, or refused with the API's code. A refusal is a value; it fails nothing. */
export type Answer<T = null> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: ErrorCode; readonly detail?: string };

/* ───────── hostedNumberOrder: id = order sid ───────── */

export interface HostedNumberOrderInput {
  readonly request: OrderRequest;
  /** An administrator takes over a number that is hosted already: completed at once. */
  readonly takeOver: boolean;
  readonly timers: OrderTimers;
}

export const orderWorkflowType = 'hostedNumberOrder';
export const orderWorkflowId = (orderSid: string): string => orderSid;

export interface OrderChanges {
  readonly friendlyName?: string | null;
  readonly uniqueName?: string | null;
  readonly email?: string | null;
  readonly ccEmails?: readonly string[];
  readonly verificationType?: VerificationType;
  readonly verificationDocumentSid?: string | null;
  readonly extension?: string | null;
  /** Seconds, 0 to 60. */
  readonly callDelay?: number;
}

export interface OrderUpdate {
  readonly changes: OrderChanges;
  /** The client set Status=pending-verification. */
  readonly startVerification: boolean;
}

/** First word of a new order: waits until the order is stored and the registry answered, or its time is up. */
export const placeOrderUpdate = defineUpdate<Answer>('placeOrder');
/**
 * Changes fields, then starts verification when asked to. What the order table refuses changes nothing; the new values stay
 * when it is the voice provider that refuses the call, a unique name also when something else moved the order meanwhile.
 */
export const updateOrderUpdate = defineUpdate<Answer, [OrderUpdate]>('updateOrder');
export const cancelOrderUpdate = defineUpdate<Answer>('cancelOrder');
/** Sent by an authorization document that takes the order in. */
export const attachDocumentUpdate = defineUpdate<Answer, [{ readonly documentSid: string }]>(
  'attachDocument',
);
/** The callee keyed six digits; `correct` was found in constant time against the live code. Answers the prompts left. */
export const enterTokenUpdate = defineUpdate<
  Answer<{ readonly verified: boolean; readonly promptsLeft: number }>,
  [{ readonly callSid: string; readonly prompt: number; readonly correct: boolean }]
>('enterToken');
/** Administrator: sends an order in action-required on its way. */
export const resolveUpdate = defineUpdate<
  Answer,
  [{ readonly target: ResolveTarget; readonly reason?: string }]
>('resolve');
/** Administrator: gives the three verification attempts back. */
export const resetVerificationUpdate = defineUpdate<Answer, [{ readonly reason?: string }?]>(
  'resetVerification',
);
/** Administrator: accepts or refuses the phone bill. */
export const reviewBillUpdate = defineUpdate<
  Answer,
  [{ readonly accepted: boolean; readonly reason?: string }]
>('reviewBill');
/** Customer: releases the completed number; retirement begins. */
export const releaseUpdate = defineUpdate<Answer>('release');
/** Administrator: takes back a release within the 3 days. */
export const restoreUpdate = defineUpdate<Answer, [{ readonly reason?: string }?]>('restore');

export const callProgressSignal =
  defineSignal<[{ readonly callSid: string; readonly status: CallStatus }]>('callProgress');
export const documentSignedSignal = defineSignal<[{ readonly documentSid: string }]>('documentSigned');
export const documentWithdrawnSignal =
  defineSignal<[{ readonly documentSid: string; readonly reason: string }]>('documentWithdrawn');
/** The registry told us by itself; a poll finds out as well. */
export interface RegistryDecision {
  readonly accepted: boolean;
  /** Why it was not. */
  readonly reason: string | null;
}
export const registryDecidedSignal = defineSignal<[RegistryDecision]>('registryDecided');
/** A text of the route test came back through the carrier. */
export const routeTestArrivedSignal = defineSignal<[{ readonly round: number }]>('routeTestArrived');

export const orderFactsQuery = defineQuery<OrderFacts>('facts');

/* ───────── authorizationDocument: id = document sid ───────── */

export interface AuthorizationDocumentInput extends DocumentDetails {
  readonly sid: string;
  readonly accountSid: string;
  readonly orderSids: readonly string[];
  readonly timers: DocumentTimers;
}

export const documentWorkflowType = 'authorizationDocument';
export const documentWorkflowId = (documentSid: string): string => documentSid;

export interface DocumentUpdate {
  readonly status?: 'opened' | 'signing';
  readonly orderSids?: readonly string[];
  readonly changes: Partial<DocumentDetails>;
}

/** First word of a new document: attaches the orders (all or none) and waits until the document is stored. */
export const createDocumentUpdate = defineUpdate<Answer>('createDocument');
export const updateDocumentUpdate = defineUpdate<Answer, [DocumentUpdate]>('updateDocument');
/** The v2 API's DELETE. */
export const cancelDocumentUpdate = defineUpdate<Answer>('cancelDocument');
export const signDocumentUpdate = defineUpdate<
  Answer,
  [{ readonly mailing: number; readonly signature: Signature }]
>('signDocument');
export const declineDocumentUpdate = defineUpdate<
  Answer,
  [{ readonly mailing: number; readonly reason: string }]
>('declineDocument');
/** An order was canceled or failed and needs the document no more. */
export const orderLeftSignal = defineSignal<[{ readonly orderSid: string }]>('orderLeft');
export const documentStatusQuery = defineQuery<DocumentStatus>('status');

/* ───────── webhookDelivery: id = delivery sid ───────── */

export interface WebhookDeliveryInput extends DeliveryStart {
  readonly policy: DeliveryPolicy;
  /**
   * Until then the process that stored the delivery makes the first attempt, beside the start. ISO 8601; absent: nobody
   * has begun it.
   */
  readonly firstAttemptUntil?: string;
}

export const deliveryWorkflowType = 'webhookDelivery';
export const deliveryWorkflowId = (deliverySid: string): string => deliverySid;

/** Ends the wait between attempts; neither a turn at a busy endpoint nor the deliveries that this one has to wait for. */
export const retryNowSignal = defineSignal('retryNow');
export const cancelDeliverySignal = defineSignal('cancelDelivery');
/** The endpoint was switched off or removed. */
export const disableDeliverySignal = defineSignal('disableDelivery');
/** The delivery before this one in its order key has ended. */
export const predecessorEndedSignal = defineSignal('predecessorEnded');

/* ───────── deliveryReplay: id = replay sid, derived from what is asked ───────── */

export interface DeliveryReplayInput {
  readonly replaySid: string;
  readonly accountSid: string;
  /** Null for a callback's delivery. */
  readonly subscriptionSid: string | null;
  readonly selection: ReplaySelection;
  /** Where a run that was continued goes on. */
  readonly progress?: { readonly after: number; readonly until: string; readonly count: number };
}

export interface DeliveryReplayResult {
  readonly count: number;
  /** Sids of the new deliveries of the last page: all of them where one delivery or a test was asked for. */
  readonly deliverySids: readonly string[];
}

export const replayWorkflowType = 'deliveryReplay';
export const replayWorkflowId = (replaySid: string): string => replaySid;

/* ───────── bulkRequest: id = BH or EC sid ───────── */

export interface BulkRequestInput {
  readonly requestSid: string;
}

export const bulkWorkflowType = 'bulkRequest';
export const bulkWorkflowId = (requestSid: string): string => requestSid;

/* ───────── outboundMessage: id = message sid ───────── */

export interface OutboundMessageInput {
  readonly message: OutgoingMessage;
  readonly timers: MessageTimers;
}

export const outboundMessageType = 'outboundMessage';
export const messageWorkflowId = (messageSid: string): string => messageSid;

/** First word of a new message: waits until it is stored with its event, or refused. */
export const submitMessageUpdate = defineUpdate<Answer>('submitMessage');
/** Stops a message that is still scheduled. */
export const cancelMessageUpdate = defineUpdate<Answer>('cancelMessage');
/** The carrier reported what became of the message. */
export interface Receipt {
  readonly delivered: boolean;
  readonly errorCode: number | null;
}
export const receiptArrivedSignal = defineSignal<[Receipt]>('receiptArrived');
export const messageFactsQuery = defineQuery<MessageFacts>('facts');

/* ───────── messageChange: id = message sid and change ───────── */

export interface MessageChangeInput {
  readonly messageSid: string;
  readonly accountSid: string;
  readonly change: MessageChange;
  /** For `delete-media`. */
  readonly mediaSid: string | null;
  readonly delivery: DeliveryPolicy;
}

export const messageChangeType = 'messageChange';
export const messageChangeId = ({ messageSid, change, mediaSid }: MessageChangeInput): string =>
  [messageSid, change, ...(mediaSid === null ? [] : [mediaSid])].join('/');

/* ───────── inboundReply: id derived from the inbound message ───────── */

export interface InboundReplyInput {
  readonly messageSid: string;
  readonly accountSid: string;
  readonly timers: MessageTimers;
}

export const inboundReplyType = 'inboundReply';
export const inboundReplyId = (messageSid: string): string => `${messageSid}/reply`;
export {
  accountSidAttribute,
  endpointHostAttribute,
  eventTypeAttribute,
  phoneNumberAttribute,
} from './search-attributes.ts';
export { deliveryStart } from './delivery-start.ts';
export { orderStart } from './order-start.ts';
