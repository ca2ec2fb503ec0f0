/** The order table's view of an order as the read model keeps it: what may be done, and what comes next. */
import type { NumberState, OrderFacts, OrderStatus } from './hosted-number-order.ts';

/** What is kept of an order, of its number and of its calls. */
export interface OrderState {
  readonly status: OrderStatus;
  readonly verificationAttempts: number;
  /** A verification call is waiting, ringing or in progress. */
  readonly callLive: boolean;
  readonly billUnderReview: boolean;
  readonly ownershipVerified: boolean;
  readonly signingDocumentSid: string | null;
  readonly documentSigned: boolean;
  readonly numberState: NumberState;
  readonly canceledAt: Date | null;
}

/** The facts as far as the read model tells them. The workflow decides; it can refuse all the same. */
export function factsOf(order: OrderState): OrderFacts {
  return {
    status: order.status,
    verificationAttempts: order.verificationAttempts,
    callLive: order.callLive,
    billUnderReview: order.billUnderReview,
    ownershipVerified: order.ownershipVerified,
    documentSid: order.signingDocumentSid,
    documentSigned: order.documentSigned,
    numberState: order.numberState,
    canceled: order.canceledAt !== null,
  };
}
