/** An order and its letter of authorization: joins a document, hears what became of it, and leaves it. */
import { condition, getExternalWorkflowHandle, isCancellation, patched } from '@temporalio/workflow';
import type { OrderTimers } from '../domain/timers.ts';
import { documentWorkflowId, orderLeftSignal, type Answer } from './messages.ts';
import type { LiveOrder } from './order-state.ts';

/** For orders that were started before it was among their timers. Source: domain.md §5.4. */
const usualLetterValidMs = 30 * 24 * 3_600_000;

export async function joinDocument(order: LiveOrder, documentSid: string): Promise<Answer> {
  const applied = order.apply(
    'document-created',
    { actor: 'customer', what: `created authorization document ${documentSid}` },
    { documentSid },
  );
  if (applied.ok) await order.publish();
  return applied.ok ? { ok: true, value: null } : applied;
}

export async function documentSigned(order: LiveOrder, documentSid: string): Promise<void> {
  if (order.facts.documentSid !== documentSid || order.facts.documentSigned) return;
  const status = order.facts.status;
  if (!order.apply('document-signed', { actor: 'signer', what: 'signed the letter of authorization' }).ok)
    return;
  order.state.letterSignedAt = new Date().toISOString();
  await order.publish({ statusChanged: order.facts.status !== status });
}

export async function documentWithdrawn(
  order: LiveOrder,
  documentSid: string,
  reason: string,
): Promise<void> {
  if (order.facts.documentSid !== documentSid) return;
  const status = order.facts.status;
  const why = { actor: 'signer', what: 'the authorization document ended unsigned', why: reason } as const;
  if (order.apply('document-withdrawn', why).ok)
    await order.publish({ statusChanged: order.facts.status !== status });
}

/** Tells a document that has no signature yet that the order needs it no more. */
export async function leaveDocument(order: LiveOrder, documentSid: string): Promise<void> {
  const document = getExternalWorkflowHandle(documentWorkflowId(documentSid));
  try {
    await document.signal(orderLeftSignal, { orderSid: order.request.sid });
  } catch (err) {
    // The document's workflow has ended by itself: nobody is left to tell.
    if (isCancellation(err)) throw err;
  }
}

/**
 * Waits beside a signed letter for ownership, as long as a registry would take the letter; then the order needs another.
 * Source: domain.md §6.2 row 19, §5.4.
 */
export async function awaitOwnership(
  order: LiveOrder,
  { letterValidMs = usualLetterValidMs }: Partial<OrderTimers>,
  moved: () => boolean,
): Promise<void> {
  if (!patched('letter-grows-old')) return condition(moved); // no deadline: so it was when the order came here
  const { letterSignedAt } = order.state;
  const goodUntil = (letterSignedAt === null ? Date.now() : Date.parse(letterSignedAt)) + letterValidMs;
  const summary = 'ownership has to be verified while the signed letter is good';
  if (await condition(moved, Math.max(1, goodUntil - Date.now()), { summary })) return;
  order.apply('document-withdrawn', {
    actor: 'service',
    what: 'the signed letter has grown too old; the order needs another',
    why: 'Ownership was not verified in time',
  });
  await order.publish();
}
