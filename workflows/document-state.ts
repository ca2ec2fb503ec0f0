/** What an authorization document's workflow remembers, and the one way to change it. */
import {
  CancellationScope,
  getExternalWorkflowHandle,
  isCancellation,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import {
  decideDocument,
  isFinal,
  type DocumentStatus,
  type DocumentTrigger,
} from '../domain/authorization-document.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { Actor, DocumentDetails, Signature, TimelineEntry } from '../domain/ports.ts';
import { recording } from './document-activities.ts';
import {
  documentSignedSignal,
  documentWithdrawnSignal,
  orderWorkflowId,
  type Answer,
  type AuthorizationDocumentInput,
} from './messages.ts';

export type DocumentEnd = 'refused' | 'signed' | 'canceled' | 'failed';

const nextSteps: Readonly<Record<DocumentStatus, string>> = {
  opened: 'The customer finishes the data and sets the document to signing.',
  signing: 'The signer reads the letter and signs it.',
  signed: 'Nothing: the letter is signed.',
  canceled: 'Nothing: create a new document to start again.',
  failed: 'Nothing: create a new document to start again.',
};

/** One letter on its way: its link, and what has been mailed of it. A new mailing makes those before it void. */
export interface Mailing {
  /** From 1; 0 before the first. */
  readonly number: number;
  readonly expiresAt: string | null;
  /** Orders the letter names. One that leaves later is still in the letter, so the signing page goes on naming it. */
  readonly orderSids: readonly string[];
  /** The bytes of the letter are kept: it can be signed. */
  prepared: boolean;
  /** When the invitation was accepted. Workflow time, milliseconds since the epoch. */
  mailedAt: number | null;
  reminders: number;
  /** How often the customer asked to mail the invitation again, and up to which asking that was done. */
  asked: number;
  answered: number;
}

/** What a run that was continued goes on with. */
export interface CarriedDocument {
  readonly status: DocumentStatus;
  readonly details: DocumentDetails;
  readonly orderSids: readonly string[];
  readonly mailing: Mailing;
  readonly openUntil: number | null;
  readonly revision: number;
  readonly timelineLength: number;
}

const newMailing = { prepared: false, mailedAt: null, reminders: 0, asked: 0, answered: 0 };

export class LiveDocument {
  readonly sid: string;
  readonly accountSid: string;
  status: DocumentStatus = 'opened';
  details: DocumentDetails;
  orderSids: readonly string[];
  /** The live mailing of the letter, or the last one. */
  mailing: Mailing = { number: 0, expiresAt: null, orderSids: [], ...newMailing };
  /** When an opened document fails. Workflow time, milliseconds since the epoch. */
  openUntil: number | null = null;
  /** Steps of a mailing that are being taken. */
  stepsUnderWay = 0;
  signature: Signature | null = null;
  signedAt: string | null = null;
  failureReason: string | null = null;
  revision = 0;
  timelineLength = 0;
  private unpublished: TimelineEntry[] = [];
  private published: Promise<void> = Promise.resolve();

  constructor(input: AuthorizationDocumentInput, carried?: CarriedDocument) {
    const { addressSid, email, ccEmails, contactTitle, contactPhoneNumber } = input;
    this.sid = input.sid;
    this.accountSid = input.accountSid;
    this.orderSids = input.orderSids;
    this.details = { addressSid, email, ccEmails, contactTitle, contactPhoneNumber };
    if (carried) Object.assign(this, carried);
  }

  /** All that a new run has to know. Complete only when the run may rest and everything is settled. */
  carried(): CarriedDocument {
    const { status, details, orderSids, mailing, openUntil, revision, timelineLength } = this;
    return { status, details, orderSids, mailing, openUntil, revision, timelineLength };
  }

  get over(): boolean {
    return isFinal(this.status);
  }

  /** The server wants a new run, and nothing is under way that it would have to take over. */
  get mayRest(): boolean {
    const { stepsUnderWay, signature, mailing } = this;
    const busy = stepsUnderWay > 0 || signature !== null || mailing.asked > mailing.answered;
    return workflowInfo().continueAsNewSuggested && !busy;
  }

  /** Why a trigger is refused now; `null` when it is not. A given signature counts as signed: it will be sealed. */
  refusalOf(trigger: DocumentTrigger): ErrorCode | null {
    const decision = decideDocument(this.signature === null ? this.status : 'signed', trigger);
    return decision.allowed ? null : decision.code;
  }

  /** A new letter, a new link: those of an earlier mailing are void from here on. */
  send(lifeMs: number): void {
    this.apply('send', 'customer', 'sent the document to the signer');
    this.mailing = {
      ...newMailing,
      number: this.mailing.number + 1,
      expiresAt: new Date(Date.now() + lifeMs).toISOString(),
      orderSids: this.orderSids,
    };
    this.openUntil = null;
  }

  /** Asks the table and, when it agrees, changes the status. Makes nothing known yet. */
  apply(trigger: DocumentTrigger, actor: Actor, what: string, why: string | null = null): Answer {
    const decision = decideDocument(this.status, trigger);
    if (!decision.allowed) return { ok: false, code: decision.code };
    this.status = decision.status;
    if (this.over && this.status !== 'signed') this.failureReason = why ?? what;
    this.note(actor, what, why);
    return { ok: true, value: null };
  }

  note(actor: Actor, what: string, why: string | null = null): void {
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
    const inLetter = this.status === 'signing' || this.status === 'signed';
    const snapshot = {
      ...this.details,
      sid: this.sid,
      accountSid: this.accountSid,
      revision: this.revision,
      status: this.status,
      failureReason: this.failureReason,
      mailing: Math.max(1, this.mailing.number),
      expiresAt: this.mailing.expiresAt,
      signedAt: this.signedAt,
      signerName: this.signature?.signerName ?? null,
      orderSids: inLetter ? this.mailing.orderSids : this.orderSids,
      updatedAt: new Date().toISOString(),
      timeline: this.unpublished,
    };
    this.unpublished = [];
    // Out of reach of the scope that ends mails: a write that is begun is finished.
    this.published = CancellationScope.nonCancellable(() =>
      this.published.then(() =>
        recording(`record ${snapshot.status}, revision ${snapshot.revision}`).recordDocument(snapshot),
      ),
    );
    return this.published;
  }

  /** Resolves when everything that was published up to now is durable. */
  settled(): Promise<void> {
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

  showInWebUi(): void {
    const { number, expiresAt } = this.mailing;
    setCurrentDetails(
      [
        `**${this.status}**${this.failureReason ? `: ${this.failureReason}` : ''}`,
        '',
        `Next: ${nextSteps[this.status]}`,
        '',
        `- Orders: ${this.orderSids.join(', ') || 'none'}`,
        `- Mailing: ${number}${expiresAt ? `, valid until ${expiresAt}` : ''}`,
      ].join('\n'),
    );
  }
}
