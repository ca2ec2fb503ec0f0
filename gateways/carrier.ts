/** The carrier that takes and brings texts: SMPP 3.4 or Twilio-shaped HTTP, one interface. */
import type { ReceivedReceipt, ReceivedText } from '../domain/ports.ts';

export interface OutgoingText {
  /** Our message sid; sent as the key, so that a repeated submission is one message. */
  readonly key: string;
  /** E.164. */
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
  readonly validityPeriodSeconds: number | null;
}

export type Submission =
  | { readonly kind: 'accepted'; readonly carrierId: string; readonly receiptFollows: boolean }
  | { readonly kind: 'refused'; readonly errorCode: number; readonly reason: string };

export interface CarrierGateway {
  submit(text: OutgoingText, signal?: AbortSignal): Promise<Submission>;
  close(): Promise<void>;
}

/** What the carrier brings. Both are acknowledged only after the promise is fulfilled. */
export interface CarrierListener {
  onText(text: ReceivedText): Promise<void>;
  onReceipt(receipt: ReceivedReceipt): Promise<void>;
}
