/**
 * One text on its way out, from the moment it was accepted until nothing more will be heard of it. Its id is the
 * message's sid. What a step does to status and code is the table in domain/message.ts; this file waits and tells.
 */
import { RetryState } from '@temporalio/common';
import {
  ActivityFailure,
  allHandlersFinished,
  condition,
  isCancellation,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { lineKind } from '../domain/line-kind.ts';
import {
  statusCodes,
  undeliveredError,
  stepMessage,
  type MessageFacts,
  type MessageStatus,
  type MessageTrigger,
} from '../domain/message.ts';
import type { MessagePlacement } from '../domain/ports.ts';
import type { MessageTimers } from '../domain/timers.ts';
import { shielded, shieldedHandler } from './cancellation.ts';
import { startDeliveries } from './delivery-children.ts';
import { carrier, record } from './message-activities.ts';
import * as messages from './messages.ts';
import type { Answer, OutboundMessageInput } from './messages.ts';
import { hear } from './sound-input.ts';

/** How a message's workflow ends. */
export type MessageEnd = MessageStatus | 'refused';

/** `error_code` of a message no carrier took in time. */
const expiredError = 30036;

export async function outboundMessage({ message, timers }: OutboundMessageInput): Promise<MessageEnd> {
  // State
  const live = new LiveMessage(message, timers);

  // Handlers, before the first wait
  setHandler(messages.messageFactsQuery, () => live.facts, { description: 'Where the message stands' });
  setHandler(
    messages.submitMessageUpdate,
    shieldedHandler(() => live.placed()),
    {
      description: 'Accept the message',
    },
  );
  setHandler(
    messages.cancelMessageUpdate,
    shieldedHandler(() => cancel(live)),
    {
      description: 'Stop a message that is still scheduled',
    },
  );
  hear(messages.receiptArrivedSignal, { delivered: 'boolean' }, (receipt) => {
    live.receipt ??= receipt;
  });

  // Steps. A scheduled message can be canceled through Temporal, too; one that is on its way goes its way.
  return shielded(
    () => carry(live, timers),
    async () => void (await cancel(live)),
  );
}

async function carry(live: LiveMessage, timers: MessageTimers): Promise<MessageEnd> {
  const { message } = live;
  await live.place();
  if (live.placement?.kind === 'placed') {
    if (message.sendAt !== null) await awaitTime(live, message.sendAt);
    if (live.facts.status === 'queued') await submit(live, validityMs(message, timers));
    if (live.receiptFollows) await awaitReceipt(live, timers.receiptTimeoutMs);
  }
  await live.settled();
  await condition(allHandlersFinished); // no deadline: handlers wait for our own database only
  return live.placement?.kind === 'refused' ? 'refused' : live.facts.status;
}

async function awaitTime(live: LiveMessage, sendAt: string): Promise<void> {
  const waitMs = Date.parse(sendAt) - Date.now();
  const canceled = (): boolean => live.facts.status !== 'scheduled';
  if (waitMs > 0) await condition(canceled, waitMs, { summary: `scheduled for ${sendAt}` });
  if (!canceled()) live.apply('queued');
}

/** Hands the message to the carrier, for as long as the message is worth it. */
async function submit(live: LiveMessage, validityMs: number): Promise<void> {
  live.apply('submitting');
  try {
    const submission = await carrier(validityMs).submitMessage({ messageSid: live.message.sid });
    if (submission.kind === 'refused') {
      live.apply('refused', submission.errorCode);
      return;
    }
    live.receiptFollows = submission.receiptFollows;
    live.apply(submission.receiptFollows ? 'accepted' : 'accepted-without-receipt');
  } catch (err) {
    if (isCancellation(err) || !(err instanceof ActivityFailure)) throw err;
    if (err.retryState === RetryState.NON_RETRYABLE_FAILURE) live.apply('refused', undeliveredError);
    else live.apply('expired', expiredError);
  }
}

/** Waits for the carrier's word on the handset; it may have come while the submission was still being answered. */
async function awaitReceipt(live: LiveMessage, timeoutMs: number): Promise<void> {
  await condition(() => live.receipt !== null, timeoutMs, { summary: "the carrier's receipt is on its way" });
  const { receipt } = live;
  if (receipt === null) live.apply('receipt-overdue');
  else if (receipt.delivered) live.apply('handset-received');
  else live.apply('handset-failed', receipt.errorCode ?? undeliveredError);
}

async function cancel(live: LiveMessage): Promise<Answer> {
  const placed = await live.placed();
  if (!placed.ok) return placed;
  if (!live.apply('canceled'))
    return { ok: false, code: 20409, detail: 'Only a message that is still scheduled can be canceled' };
  await live.settled();
  return { ok: true, value: null };
}

function validityMs(message: OutboundMessageInput['message'], timers: MessageTimers): number {
  return message.validityPeriodSeconds === null ? timers.validityMs : message.validityPeriodSeconds * 1000;
}

/** A message in the middle of its life: its state, and how it is changed and made known. */
class LiveMessage {
  readonly message: OutboundMessageInput['message'];
  facts: MessageFacts;
  placement: MessagePlacement | null = null;
  receipt: messages.Receipt | null = null;
  receiptFollows = false;
  private readonly timers: MessageTimers;
  private revision = 1;
  /** The records so far, one after another: events of a message keep their order. */
  private recorded: Promise<void> = Promise.resolve();
  private readonly started: Promise<void>[] = [];

  constructor(message: OutboundMessageInput['message'], timers: MessageTimers) {
    this.message = message;
    this.timers = timers;
    const scheduled = message.sendAt !== null;
    this.facts = {
      line: lineKind(message.from),
      status: scheduled ? 'scheduled' : 'queued',
      statusCode: scheduled ? null : 2,
    };
  }

  /** Stores the message, or finds out that it must not be sent. */
  async place(): Promise<void> {
    // The same whenever the first task is carried out again, so that the message is known for this run's own.
    const at = workflowInfo().startTime.toISOString();
    const placement = await record.placeMessage({ message: this.message, at });
    if (placement.kind === 'placed') this.start(placement.deliveries);
    this.placement = placement;
    this.showInWebUi();
  }

  /** Waits until the message is stored, or known to be refused. */
  async placed(): Promise<Answer> {
    await condition(() => this.placement !== null); // no deadline: the first activity is tried until it succeeds
    return this.placement?.kind === 'refused'
      ? { ok: false, code: this.placement.code }
      : { ok: true, value: null };
  }

  /** Asks the table and, when it agrees, changes the state and has it recorded. False where nothing changed. */
  apply(trigger: MessageTrigger, errorCode: number | null = null): boolean {
    const step = stepMessage(this.facts, trigger);
    if (!step) return false;
    this.facts = step.facts;
    this.revision += 1;
    this.showInWebUi();
    const progress = {
      messageSid: this.message.sid,
      revision: this.revision,
      status: step.facts.status,
      statusCode: step.facts.statusCode,
      reported: step.reported,
      statusChanged: step.statusChanged,
      errorCode,
      at: new Date().toISOString(),
    };
    this.recorded = this.recorded.then(async () => {
      const { deliveries } = await record.recordMessage(progress);
      this.start(deliveries);
    });
    return true;
  }

  /** Resolves when everything so far is durable and its deliveries are started. */
  async settled(): Promise<void> {
    await this.recorded;
    await Promise.all(this.started);
  }

  private start(deliveries: Parameters<typeof startDeliveries>[0]): void {
    if (deliveries.length > 0) this.started.push(startDeliveries(deliveries, this.timers.delivery));
  }

  private showInWebUi(): void {
    const { status, statusCode } = this.facts;
    if (this.placement?.kind === 'refused') setCurrentDetails(`Refused with ${this.placement.code}.`);
    else {
      const code = statusCode === null ? '' : ` (code ${statusCode}: ${statusCodes[statusCode].meaning})`;
      setCurrentDetails(`**${status}**${code}`);
    }
  }
}
