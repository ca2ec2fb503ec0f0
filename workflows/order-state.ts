/**
 * What an order's workflow remembers, and the one way to change it: apply a trigger of the order table, then publish.
 * Plain data throughout, so that a long-lived order can be continued as new.
 */
import { patched, setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import {
  decideOrder,
  newOrderFacts,
  maxVerificationAttempts,
  type OrderFacts,
  type OrderStatus,
  type OrderTrigger,
} from '../domain/hosted-number-order.ts';
import { nextStep } from '../domain/order-next-step.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { Actor, OrderRequest, OrderSnapshot, TimelineEntry } from '../domain/ports.ts';
import type { DeliveryPolicy } from '../domain/timers.ts';
import { startDeliveries } from './delivery-children.ts';
import type { OrderChanges } from './messages.ts';
import { recording } from './order-activities.ts';
import { orderStatusAttribute } from './search-attributes.ts';

/** Everything that outlives a run when the order is continued as new. */
export interface OrderState {
  facts: OrderFacts;
  revision: number;
  timelineLength: number;
  callbackCount: number;
  /** Calls of the order, those before an administrator's reset included. */
  callCount: number;
  callSids: readonly string[];
  failureReason: string | null;
  /** When the signer signed, as the order heard of it. ISO 8601. */
  letterSignedAt: string | null;
  releasedAt: string | null;
  /** When the present status began, by the workflow's clock; absent in what a run of an earlier release passed on. */
  statusSince?: number;
  /** Submissions to the registry; each has an idempotency key of its own. */
  submissionCount: number;
  fields: Required<Omit<OrderChanges, 'uniqueName'>>;
}

export function newOrderState(request: OrderRequest, takeOver: boolean): OrderState {
  return {
    facts: takeOver ? takenOver : newOrderFacts,
    revision: 1,
    timelineLength: 2, // the first activity writes the first two entries
    callbackCount: 0,
    callCount: 0,
    callSids: [],
    failureReason: null,
    letterSignedAt: null,
    releasedAt: null,
    submissionCount: 0,
    fields: {
      friendlyName: request.friendlyName,
      email: request.email,
      ccEmails: request.ccEmails,
      verificationType: request.verificationType,
      verificationDocumentSid: request.verificationDocumentSid,
      extension: null,
      callDelay: 0,
    },
  };
}

/** A number that an administrator takes over is in service from the first moment. */
const takenOver: OrderFacts = {
  ...newOrderFacts,
  status: 'completed',
  ownershipVerified: true,
  documentSigned: true,
  numberState: 'in-use',
};

/** Statuses that are explained by a failure reason. Source: domain.md §1.3. */
const needsReason: ReadonlySet<OrderStatus> = new Set(['action-required', 'failed']);

export type Application = { readonly ok: true } | { readonly ok: false; readonly code: ErrorCode };

export interface Why {
  readonly actor: Actor;
  readonly what: string;
  readonly why?: string | null;
  /** Becomes the reason of an order that fails or waits for an administrator; any other change of status clears it. */
  readonly failure?: string;
}

/** An order in the middle of its life: its state, and how it is changed and made known. */
export class LiveOrder {
  readonly request: OrderRequest;
  readonly state: OrderState;
  /** While its registration is being removed an order keeps its number, whatever else the facts say. */
  keepsNumber = false;
  /** Verification calls that this run has seen begin: tells a call that is over from the next one. */
  callsBegun = 0;
  private readonly delivery: DeliveryPolicy;
  private unpublished: TimelineEntry[] = [];
  /** The publications so far, one after another: a later state never overtakes an earlier one. */
  private published: Promise<void> = Promise.resolve();

  constructor(request: OrderRequest, state: OrderState, delivery: DeliveryPolicy) {
    this.request = request;
    this.state = state;
    this.delivery = delivery;
  }

  get facts(): OrderFacts {
    return this.state.facts;
  }

  /** Asks the table and, when it agrees, changes the state. Makes nothing known yet. */
  apply(
    trigger: OrderTrigger,
    reason: Why,
    more: Pick<Partial<OrderFacts>, 'documentSid'> = {},
  ): Application {
    const applied = this.adopt(trigger, reason.failure ?? null, more);
    if (applied.ok) this.note(reason);
    return applied;
  }

  /** Like `apply`, for what the first activity has stored already, timeline and all. */
  adopt(
    trigger: OrderTrigger,
    failure: string | null,
    more: Pick<Partial<OrderFacts>, 'documentSid'> = {},
  ): Application {
    const decision = decideOrder(this.facts, trigger, patched);
    if (!decision.allowed) return { ok: false, code: decision.code };
    const moved = decision.facts.status !== this.facts.status;
    if (decision.facts.callLive && !this.facts.callLive) this.callsBegun += 1;
    this.state.facts = { ...decision.facts, ...more };
    if (trigger === 'release') this.state.releasedAt = new Date().toISOString();
    if (trigger === 'restore') this.state.releasedAt = null;
    if (moved) {
      this.state.statusSince = Date.now();
      this.state.failureReason = needsReason.has(decision.facts.status) ? failure : null;
    }
    this.showInWebUi();
    return { ok: true };
  }

  /** The error a trigger would be refused with now; `null` when it would be allowed. */
  refusalOf(trigger: OrderTrigger): ErrorCode | null {
    const decision = decideOrder(this.facts, trigger, patched);
    return decision.allowed ? null : decision.code;
  }

  /** Resolves when everything published so far is durable. */
  settled(): Promise<void> {
    return this.published;
  }

  /** Adds an entry to the timeline; it is stored with the next publication. */
  note({ actor, what, why = null }: Why): void {
    this.state.timelineLength += 1;
    this.unpublished.push({
      sequence: this.state.timelineLength,
      at: new Date().toISOString(),
      actor,
      what,
      why,
      status: this.facts.canceled ? 'canceled' : this.facts.status,
    });
  }

  /** Copies the state to the read model and, after a change of status, starts the status callback. Resolves when durable. */
  publish({ statusChanged = true }: { readonly statusChanged?: boolean } = {}): Promise<void> {
    this.state.revision += 1;
    const snapshot = this.snapshot();
    const callback = statusChanged && this.request.statusCallbackUrl !== null;
    const sequence = callback ? ++this.state.callbackCount : 0;
    this.published = this.published.then(async () => {
      await recording(
        `record ${snapshot.canceled ? 'canceled' : snapshot.status}, revision ${snapshot.revision}`,
      ).recordOrder(snapshot);
      if (callback) await this.startCallback(snapshot, sequence);
    });
    return this.published;
  }

  private async startCallback(snapshot: OrderSnapshot, sequence: number): Promise<void> {
    const delivery = await recording(`prepare status callback ${sequence}`).prepareOrderCallback({
      orderSid: snapshot.sid,
      sequence,
      status: snapshot.canceled ? 'canceled' : snapshot.status,
      failureReason: snapshot.failureReason,
      verificationAttempts: snapshot.verificationAttempts,
      at: snapshot.updatedAt,
    });
    if (delivery) await startDeliveries([delivery], this.delivery);
  }

  private snapshot(): OrderSnapshot {
    const { facts, fields } = this.state;
    const timeline = this.unpublished;
    this.unpublished = [];
    return {
      ...fields,
      sid: this.request.sid,
      revision: this.state.revision,
      status: facts.status,
      failureReason: this.state.failureReason,
      verificationAttempts: facts.verificationAttempts,
      verificationCallSids: this.state.callSids,
      ownershipVerified: facts.ownershipVerified,
      signingDocumentSid: facts.documentSid,
      documentSigned: facts.documentSigned,
      numberState: facts.numberState,
      holdsNumber:
        this.keepsNumber || (facts.status !== 'failed' && !facts.canceled && facts.numberState !== 'retired'),
      billUnderReview: facts.billUnderReview,
      canceled: facts.canceled,
      releasedAt: this.state.releasedAt,
      updatedAt: new Date().toISOString(),
      timeline,
    };
  }

  /** What an operator reads in the Temporal Web UI and finds with `temporal workflow list`. */
  showInWebUi(): void {
    const { facts, failureReason } = this.state;
    const { phoneNumber, accountSid } = this.request;
    const status = facts.canceled ? 'canceled' : facts.status;
    // Each change is an event in the history and a write to the visibility store.
    if (workflowInfo().typedSearchAttributes.get(orderStatusAttribute) !== status)
      upsertSearchAttributes([{ key: orderStatusAttribute, value: status }]);
    const lines = [
      `**${status}**${failureReason ? `: ${failureReason}` : ''}`,
      '',
      `Next: ${nextStep(facts)}`,
      '',
      `- Verification calls: ${facts.verificationAttempts} of ${maxVerificationAttempts}`,
      `- Ownership verified: ${facts.ownershipVerified ? 'yes' : 'no'}`,
      `- Authorization document: ${facts.documentSid ?? 'none'}${facts.documentSigned ? ', signed' : ''}`,
      // Named here too: the static summary does not come along to a run that continues another.
      `- Number: ${phoneNumber} of ${accountSid}, ${facts.numberState}`,
    ];
    setCurrentDetails(lines.join('\n'));
  }
}
