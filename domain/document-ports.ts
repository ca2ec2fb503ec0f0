/** What an authorization document asks of the outside world. See `ports.ts`. */
import type { DocumentStatus } from './authorization-document.ts';
import type { TimelineEntry } from './timeline.ts';

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

/** Whom a mail goes to. `copy` is 0 for the signer and counts the copied recipients from 1. */
export interface MailRecipient {
  readonly to: string;
  readonly copy: number;
}

export type MailAnswer = { readonly accepted: true } | { readonly accepted: false; readonly reason: string };

export interface DocumentActivities {
  /** Inserts or updates the document and its orders unless a later revision is there. Key: sid and revision. */
  recordDocument(snapshot: DocumentSnapshot): Promise<void>;
  /** Tells an order's workflow that it belongs to this document now. Key: order and document. */
  attachOrder(input: {
    readonly orderSid: string;
    readonly accountSid: string;
    readonly documentSid: string;
  }): Promise<{ readonly attached: boolean }>;
  /** Renders the letter of this mailing as recorded and keeps its bytes. Key: document and mailing. */
  prepareLetter(input: {
    readonly documentSid: string;
    readonly mailing: number;
  }): Promise<{ readonly sha256: string; readonly byteLength: number }>;
  /**
   * Mails the letter to one recipient: with its signing link to the signer, without to a copied one. Refuses a mailing
   * that is void. Key, as Message-ID: document, mailing, kind, number and copy.
   */
  mailLetter(input: {
    readonly documentSid: string;
    readonly mailing: number;
    readonly kind: 'invitation' | 'reminder';
    readonly number: number;
    readonly expiresAt: string;
    /** Runs begun by 0.1.0 name none: the signer and every copied recipient. */
    readonly recipient?: MailRecipient;
  }): Promise<MailAnswer>;
  /** Appends signature and audit page to the letter as mailed and keeps the result. Key: document and mailing. */
  sealDocument(input: {
    readonly documentSid: string;
    readonly mailing: number;
    readonly signature: Signature;
    readonly signedAt: string;
  }): Promise<{ readonly sha256: string }>;
  /** Mails the signed letter to one recipient. Key, as Message-ID: document, mailing and copy. */
  mailCopies(input: {
    readonly documentSid: string;
    readonly mailing: number;
    /** Runs begun by 0.1.0 name none: the signer and every copied recipient. */
    readonly recipient?: MailRecipient;
  }): Promise<MailAnswer>;
}
