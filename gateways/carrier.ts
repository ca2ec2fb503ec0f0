/** The carrier that takes and brings texts: SMPP 3.4 or Twilio-shaped HTTP, one interface. */

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

export interface IncomingText {
  /** The carrier's identifier: the same text again changes nothing. */
  readonly carrierId: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
}

export interface DeliveryReceipt {
  /** Identifier the carrier gave at submission. */
  readonly carrierId: string;
  /** The same identifier in other notations, for carriers that answer in one and report in another (SMPP). */
  readonly otherIds?: readonly string[];
  readonly state: 'delivered' | 'failed';
  readonly errorCode: number | null;
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
  onText(text: IncomingText): Promise<void>;
  onReceipt(receipt: DeliveryReceipt): Promise<void>;
}
