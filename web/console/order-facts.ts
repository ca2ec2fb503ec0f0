/** The order table's view of an order in the read model: which buttons it has, and what comes next. */
import {
  type NumberState,
  type OrderFacts,
  type OrderStatus,
  type VerificationType,
  newOrderFacts,
} from '../../domain/hosted-number-order.ts';

export interface OrderState {
  readonly status: OrderStatus;
  readonly verificationType: VerificationType;
  readonly verificationAttempts: number;
  readonly callLive: boolean;
  readonly ownershipVerified: boolean;
  readonly signingDocumentSid: string | null;
  readonly documentSigned: boolean;
  readonly numberState: NumberState | null;
  readonly canceled: boolean;
}

/** The facts as far as the read model tells them. The workflow decides; a button can be refused all the same. */
export function factsOf(order: OrderState): OrderFacts {
  const { status, verificationType, callLive, ownershipVerified } = order;
  const waitsForProof = status === 'pending-verification' || status === 'pending-loa';
  return {
    ...newOrderFacts,
    status,
    callLive,
    ownershipVerified,
    verificationAttempts: order.verificationAttempts,
    billUnderReview: waitsForProof && verificationType === 'phone-bill' && !ownershipVerified && !callLive,
    documentSid: order.signingDocumentSid,
    documentSigned: order.documentSigned,
    numberState: order.numberState ?? 'pending',
    canceled: order.canceled,
  };
}
