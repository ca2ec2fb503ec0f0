/** The customer's update of an order: new values, perhaps a verification. What the table refuses changes nothing. */
import { condition, patched } from '@temporalio/workflow';
import type { Answer, OrderChanges, OrderUpdate } from './messages.ts';
import { recording } from './order-activities.ts';
import { actNow, done, placed, type OrderDesk } from './order-desk.ts';
import type { LiveOrder } from './order-state.ts';

/** Long enough for a call to be placed; a provider that is down longer is tried on in the background. */
const placementPatience = '20 seconds';

export async function change(desk: OrderDesk, { changes, startVerification }: OrderUpdate): Promise<Answer> {
  const { order } = desk;
  const before = await placed(desk);
  if (!before.ok) return before;
  const { uniqueName, ...fields } = changes;
  const { verificationType, verificationDocumentSid } = { ...order.state.fields, ...fields };
  const withBill = verificationType === 'phone-bill';
  const trigger = withBill ? 'submit-bill' : 'start-verification';
  const refusal = order.refusalOf(startVerification ? trigger : triggerOf(fields));
  if (refusal !== null) return { ok: false, code: refusal };
  if (startVerification && withBill && verificationDocumentSid === null) return { ok: false, code: 22118 };
  if (swapsBill(order, fields) || (!startVerification && swapsProof(order, fields)))
    return { ok: false, code: 22112 };
  if (uniqueName !== undefined) {
    const claim = { orderSid: order.request.sid, uniqueName };
    const { taken } = await recording('claim the unique name').claimUniqueName(claim);
    if (taken) return { ok: false, code: 22115 };
    const late = startVerification ? order.refusalOf(trigger) : null;
    if (late !== null) return { ok: false, code: late };
  }
  // From here to the table's word nothing waits: of two starts at a time the refused one leaves nothing behind.
  order.state.fields = { ...order.state.fields, ...fields };
  if (!startVerification) return recordChange(order, Object.keys(changes));
  return withBill
    ? actNow(desk, trigger, { actor: 'customer', what: 'handed in a phone bill for review' })
    : startCall(desk);
}

/** The bill that is being reviewed is the one that is judged; at first it could be taken away or replaced meanwhile. */
function swapsBill({ facts, state }: LiveOrder, { verificationDocumentSid: given }: OrderChanges): boolean {
  const other = given !== undefined && given !== state.fields.verificationDocumentSid;
  return facts.billUnderReview && other && patched('bill-stays-under-review');
}

/** What proves the ownership is what the order says of it; at first it could be renamed while it was under way. */
function swapsProof({ facts, state }: LiveOrder, { verificationType: given }: OrderChanges): boolean {
  const other = given !== undefined && given !== state.fields.verificationType;
  return (facts.callLive || facts.billUnderReview) && other && patched('proof-keeps-its-type');
}

async function recordChange(order: LiveOrder, names: readonly string[]): Promise<Answer> {
  order.note({ actor: 'customer', what: `changed ${names.join(', ') || 'nothing'}` });
  await order.publish({ statusChanged: false });
  return done;
}

const verificationFields = ['verificationType', 'extension', 'callDelay', 'verificationDocumentSid'] as const;

/** A value that is taken away concerns verification too; at first it did not. */
function triggerOf(fields: Omit<OrderChanges, 'uniqueName'>): 'change-verification' | 'change-labels' {
  const given = verificationFields.map((name) => fields[name]).filter((value) => value !== undefined);
  const concerns =
    given.some((value) => value !== null) || (given.length > 0 && patched('emptied-is-changed'));
  return concerns ? 'change-verification' : 'change-labels';
}

async function startCall(desk: OrderDesk): Promise<Answer> {
  const { order } = desk;
  const callNumber = order.state.callCount + 1;
  const number = order.facts.verificationAttempts + 1;
  const started = await actNow(desk, 'start-verification', {
    actor: 'customer',
    what: `asked for verification call ${number}`,
  });
  if (!started.ok) return started;
  const own = (): OrderDesk['call'] => (desk.call?.callNumber === callNumber ? desk.call : null);
  await condition(() => order.state.callCount > callNumber || own()?.underWay === true, placementPatience);
  return own()?.takenBack ? { ok: false, code: 22123 } : done;
}
