/** What an order asks of the outside world. See `ports.ts`. */
import type { DeliveryStart } from './delivery-ports.ts';
import type { ErrorCode } from './errors.ts';
import type { NumberState, OrderStatus, VerificationType } from './hosted-number-order.ts';
import type { LineType } from './line-kind.ts';
import type { TimelineEntry } from './timeline.ts';
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
  | {
      readonly kind: 'ineligible';
      readonly reason: string;
      readonly holder: string | null;
      /** Absent or `null` where the registry does not say. */
      readonly lineType?: LineType | null;
    };

export type Placement =
  | { readonly kind: 'placed'; readonly eligibility: Eligibility | { readonly kind: 'pending' } }
  /** Nothing was stored: the number or the unique name is taken. */
  | { readonly kind: 'refused'; readonly code: ErrorCode };

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
  /** A phone bill waits for an administrator's review. */
  readonly billUnderReview: boolean;
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

export type CallPlacement =
  | { readonly placed: true; readonly callSid: string }
  /** The provider refused, or could not be reached in time. */
  | { readonly placed: false; readonly reason: string };

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
  }): Promise<CallPlacement>;
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
  /**
   * Sends a text from the number to the route-test handset, which answers it. Key: order, run and activity, so that a round
   * which is started again sends a text of its own.
   */
  sendRouteTest(input: {
    readonly orderSid: string;
    readonly phoneNumber: string;
    readonly round: number;
  }): Promise<void>;
  /** Stores the callback's event and delivery; `null` where the order has no callback address. Key: order and sequence. */
  prepareOrderCallback(input: OrderCallback): Promise<DeliveryStart | null>;
}
