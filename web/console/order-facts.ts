/** The order table's view of an order in the read model: which buttons it has, and what comes next. */
import {
  type NumberState,
  type OrderFacts,
  type OrderStatus,
  newOrderFacts,
} from '../../domain/hosted-number-order.ts';

export interface OrderState {
  readonly status: OrderStatus;
  readonly verificationAttempts: number;
  readonly callLive: boolean;
  readonly billUnderReview: boolean;
  readonly ownershipVerified: boolean;
  readonly signingDocumentSid: string | null;
  readonly documentSigned: boolean;
  readonly numberState: NumberState | null;
  readonly canceled: boolean;
}

/** The facts as far as the read model tells them. The workflow decides; a button can be refused all the same. */
export function factsOf(order: OrderState): OrderFacts {
  return {
    ...newOrderFacts,
    status: order.status,
    callLive: order.callLive,
    ownershipVerified: order.ownershipVerified,
    verificationAttempts: order.verificationAttempts,
    billUnderReview: order.billUnderReview,
    documentSid: order.signingDocumentSid,
    documentSigned: order.documentSigned,
    numberState: order.numberState ?? 'pending',
    canceled: order.canceled,
  };
}
