/** What an authorization document's workflow remembers, and the one way to change it. */
import { getExternalWorkflowHandle, isCancellation, setCurrentDetails } from '@temporalio/workflow';
import {
  decideDocument,
  isFinal,
  type DocumentStatus,
  type DocumentTrigger,
} from '../domain/authorization-document.ts';
import type { DocumentDetails, Signature, TimelineEntry } from '../domain/ports.ts';
import { recording } from './document-activities.ts';
import {
  documentSignedSignal,
  documentWithdrawnSignal,
  orderWorkflowId,
  type Answer,
  type AuthorizationDocumentInput,
} from './messages.ts';

const nextSteps: Readonly<Record<DocumentStatus, string>> = {
  opened: 'The customer finishes the data and sets the document to signing.',
  signing: 'The signer reads the letter and signs it.',
  signed: 'Nothing: the letter is signed.',
  canceled: 'Nothing: create a new document to start again.',
  failed: 'Nothing: create a new document to start again.',
};

export class LiveDocument {
  readonly sid: string;
  readonly accountSid: string;
  status: DocumentStatus = 'opened';
  details: DocumentDetails;
  orderSids: readonly string[];
  /** Which mailing of the letter is the live one. From 1. */
  mailing = 0;
  expiresAt: string | null = null;
  signature: Signature | null = null;
  signedAt: string | null = null;
  failureReason: string | null = null;
  private revision = 0;
  private timelineLength = 0;
  private unpublished: TimelineEntry[] = [];
  private published: Promise<void> = Promise.resolve();

  constructor({
    sid,
    accountSid,
    orderSids,
    addressSid,
    email,
    ccEmails,
    contactTitle,
    contactPhoneNumber,
  }: AuthorizationDocumentInput) {
    this.sid = sid;
    this.accountSid = accountSid;
    this.orderSids = orderSids;
    this.details = { addressSid, email, ccEmails, contactTitle, contactPhoneNumber };
  }

  get over(): boolean {
    return isFinal(this.status);
  }

  /** Asks the table and, when it agrees, changes the status. Makes nothing known yet. */
  apply(trigger: DocumentTrigger, actor: string, what: string, why: string | null = null): Answer {
    const decision = decideDocument(this.status, trigger);
    if (!decision.allowed) return { ok: false, code: decision.code };
    this.status = decision.status;
    if (this.over && this.status !== 'signed') this.failureReason = why ?? what;
    this.note(actor, what, why);
    return { ok: true, value: null };
  }

  note(actor: string, what: string, why: string | null = null): void {
    this.timelineLength += 1;
    this.unpublished.push({
      sequence: this.timelineLength,
      at: new Date().toISOString(),
      actor,
      what,
      why,
      status: this.status,
    });
  }

  /** Copies the state to the read model. Resolves when durable; a later state never overtakes an earlier one. */
  publish(): Promise<void> {
    this.showInWebUi();
    this.revision += 1;
    const snapshot = {
      ...this.details,
      sid: this.sid,
      accountSid: this.accountSid,
      revision: this.revision,
      status: this.status,
      failureReason: this.failureReason,
      mailing: Math.max(1, this.mailing),
      expiresAt: this.expiresAt,
      signedAt: this.signedAt,
      signerName: this.signature?.signerName ?? null,
      orderSids: this.orderSids,
      updatedAt: new Date().toISOString(),
      timeline: this.unpublished,
    };
    this.unpublished = [];
    this.published = this.published.then(() =>
      recording(`record ${snapshot.status}, revision ${snapshot.revision}`).recordDocument(snapshot),
    );
    return this.published;
  }

  /** Takes orders in, all or none. */
  async attach(orderSids: readonly string[]): Promise<Answer> {
    const attached: string[] = [];
    for (const orderSid of orderSids) {
      const answer = await recording(`attach ${orderSid}`).attachOrder({
        orderSid,
        accountSid: this.accountSid,
        documentSid: this.sid,
      });
      if (answer.attached) {
        attached.push(orderSid);
        continue;
      }
      await this.tellOrders(attached, 'withdrawn', 'another order could not join the document');
      return { ok: false, code: 22101 };
    }
    return { ok: true, value: null };
  }

  /** Tells orders what became of the letter. An order whose workflow has ended needs to hear nothing. */
  async tellOrders(
    orderSids: readonly string[],
    news: 'signed' | 'withdrawn',
    reason: string,
  ): Promise<void> {
    for (const orderSid of orderSids) {
      const order = getExternalWorkflowHandle(orderWorkflowId(orderSid));
      try {
        if (news === 'signed') await order.signal(documentSignedSignal, { documentSid: this.sid });
        else await order.signal(documentWithdrawnSignal, { documentSid: this.sid, reason });
      } catch (err) {
        if (isCancellation(err)) throw err;
      }
    }
  }

  private showInWebUi(): void {
    setCurrentDetails(
      [
        `**${this.status}**${this.failureReason ? `: ${this.failureReason}` : ''}`,
        '',
        `Next: ${nextSteps[this.status]}`,
        '',
        `- Orders: ${this.orderSids.join(', ') || 'none'}`,
        `- Mailing: ${this.mailing}${this.expiresAt ? `, valid until ${this.expiresAt}` : ''}`,
      ].join('\n'),
    );
  }
}
