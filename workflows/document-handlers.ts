/**
 * What may be asked of a document while it lives. A handler decides at once on what holds at that moment; only a change
 * waits, for the orders that join, and looks again when they have.
 */
import { condition, setHandler } from '@temporalio/workflow';
import type { DocumentTrigger } from '../domain/authorization-document.ts';
import type { Actor, Signature } from '../domain/ports.ts';
import type { DocumentTimers } from '../domain/timers.ts';
import { shieldedHandler } from './cancellation.ts';
import type { LiveDocument } from './document-state.ts';
import * as messages from './messages.ts';
import type { Answer, DocumentUpdate } from './messages.ts';
import { hear, needs } from './sound-input.ts';

/** What the handlers and the steps of a run share. */
export interface Desk {
  readonly document: LiveDocument;
  readonly timers: DocumentTimers;
  /** `null` until the orders are attached and the document is stored, or they were refused. */
  created: Answer | null;
  /** Orders that left and did not join again. They may leave while they are being attached. */
  readonly left: Set<string>;
  /** Ends with the change that is being made. */
  turn: Promise<unknown>;
}

const done: Answer = { ok: true, value: null };
const notNow: Answer = { ok: false, code: 22107 };

export function handleMessages(desk: Desk): void {
  const { document } = desk;
  setHandler(messages.documentStatusQuery, () => document.status, {
    description: 'Where the document stands',
  });
  setHandler(
    messages.createDocumentUpdate,
    shieldedHandler(() => created(desk)),
    { description: 'Create the document' },
  );
  setHandler(
    messages.cancelDocumentUpdate,
    shieldedHandler(() => act(desk, 'cancel', 'customer', 'canceled the document')),
    { description: 'Cancel the document' },
  );
  setHandler(
    messages.declineDocumentUpdate,
    shieldedHandler(async ({ mailing, reason }) =>
      mailing === document.mailing.number
        ? act(desk, 'decline', 'signer', 'declined to sign', reason || null)
        : notNow,
    ),
    { validator: needs({ mailing: 'number' }) },
  );
  setHandler(
    messages.updateDocumentUpdate,
    shieldedHandler((update) => inTurn(desk, () => change(desk, update))),
    { validator: needs({ changes: 'object' }) },
  );
  setHandler(
    messages.signDocumentUpdate,
    shieldedHandler(({ mailing, signature }) => sign(document, mailing, signature)),
    { validator: needs({ mailing: 'number', signature: 'object' }) },
  );
  hear(
    messages.orderLeftSignal,
    { orderSid: 'string' },
    shieldedHandler(({ orderSid }) => orderLeft(desk, orderSid)),
  );
}

/** `temporal workflow cancel` does what the customer's cancel does, or nothing but a note. */
export async function cancelByOperator(desk: Desk): Promise<void> {
  const answer = await act(desk, 'cancel', 'administrator', 'canceled the document');
  if (answer.ok || desk.created?.ok !== true) return;
  desk.document.note('administrator', 'asked Temporal to cancel the workflow, which changes nothing');
  await desk.document.publish();
}

/** Waits until the document is stored, or known to be refused. */
async function created(desk: Desk): Promise<Answer> {
  await condition(() => desk.created !== null); // no deadline: attaching and storing are tried until they succeed
  return desk.created ?? notNow;
}

/** Applies one trigger and answers when the outcome is durable. */
async function act(
  desk: Desk,
  trigger: DocumentTrigger,
  actor: Actor,
  what: string,
  why: string | null = null,
): Promise<Answer> {
  const before = await created(desk);
  if (!before.ok) return before;
  const code = desk.document.refusalOf(trigger);
  if (code !== null) return { ok: false, code };
  desk.document.apply(trigger, actor, what, why);
  await desk.document.publish();
  return done;
}

/** The signature is taken at once; the answer comes when the letter is sealed. */
async function sign(document: LiveDocument, mailing: number, signature: Signature): Promise<Answer> {
  const { number, prepared } = document.mailing;
  if (mailing !== number || !prepared || document.refusalOf('sign') !== null) return notNow;
  document.signature = signature;
  document.signedAt = new Date().toISOString();
  await condition(() => document.over); // no deadline: sealing is tried until it succeeds
  return document.status === 'signed' ? done : notNow;
}

async function orderLeft(desk: Desk, orderSid: string): Promise<void> {
  const { document, left } = desk;
  left.add(orderSid);
  if (!(await created(desk)).ok) return;
  document.orderSids = document.orderSids.filter((sid) => sid !== orderSid);
  document.note('customer', `order ${orderSid} left the document`);
  if (document.orderSids.length === 0 && document.refusalOf('last-order-left') === null)
    document.apply('last-order-left', 'service', 'no order needs the document any more');
  await document.publish();
}

/** One change at a time: each begins with what the one before it left. */
function inTurn(desk: Desk, step: () => Promise<Answer>): Promise<Answer> {
  const answer = desk.turn.then(step);
  desk.turn = answer.catch(() => null);
  return answer;
}

/** A change as the client asked for it: first back to opened, then the data, then out again. All or nothing. */
async function change(desk: Desk, update: DocumentUpdate): Promise<Answer> {
  const { document, left } = desk;
  const before = await created(desk);
  if (!before.ok) return before;
  if (!mayChange(document, update)) return notNow;
  const joining = [...new Set(update.orderSids)].filter((sid) => !document.orderSids.includes(sid));
  for (const sid of joining) left.delete(sid);
  const attached = await document.attach(joining);
  if (!attached.ok) return attached;
  // Attaching takes a while: the letter may have been signed meanwhile, the document canceled, an order have ended.
  const ended = joining.some((sid) => left.has(sid));
  if (ended || !mayChange(document, update)) {
    await document.tellOrders(joining, 'withdrawn', 'the document could not take the order in');
    return ended ? { ok: false, code: 22101 } : notNow;
  }
  const leaving = applyChange(desk, update);
  await document.publish();
  await document.tellOrders(leaving, 'withdrawn', 'the order was taken off the document');
  return done;
}

function hasData({ orderSids, changes }: DocumentUpdate): boolean {
  return orderSids !== undefined || Object.keys(changes).length > 0;
}

/** While the letter is out it may be taken back, or mailed again as it is. */
function mayChange({ signature, status }: LiveDocument, update: DocumentUpdate): boolean {
  if (signature !== null) return false;
  if (status === 'opened') return true;
  return (
    status === 'signing' && (update.status === 'opened' || (update.status === 'signing' && !hasData(update)))
  );
}

/** Answers which orders are no longer on the document. */
function applyChange({ document, timers, left }: Desk, update: DocumentUpdate): readonly string[] {
  const { orderSids, mailing } = document;
  if (document.status === 'signing' && update.status === 'opened')
    document.apply('reopen', 'customer', 'took the document back to change it');
  if (hasData(update)) document.apply('change', 'customer', 'changed the data of the letter');
  document.details = { ...document.details, ...update.changes };
  document.orderSids = [...new Set(update.orderSids ?? orderSids)].filter((sid) => !left.has(sid));
  if (document.status === 'signing') {
    mailing.asked += 1;
    document.note('customer', 'asked to mail the letter again');
  } else if (update.status === 'signing') {
    document.send(timers.signatureMs);
  }
  return orderSids.filter((sid) => !document.orderSids.includes(sid));
}
