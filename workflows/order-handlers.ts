/** What an order listens to: updates from the API, the console and the `temporal` CLI, and signals of what happened. */
import { condition, setHandler } from '@temporalio/workflow';
import type { OrderTrigger, ResolveTarget } from '../domain/hosted-number-order.ts';
import { resolveTargets } from '../domain/hosted-number-order.ts';
import type { Placement } from '../domain/ports.ts';
import * as messages from './messages.ts';
import type { Answer, OrderUpdate } from './messages.ts';
import { recording } from './order-activities.ts';
import type { CarrierNews } from './order-carrier.ts';
import type { LiveOrder, Why } from './order-state.ts';
import type { VerificationCall } from './order-verification.ts';

/** What the handlers and the steps of one run share. */
export interface OrderDesk {
  readonly order: LiveOrder;
  readonly news: CarrierNews;
  /** The live verification call, if there is one. */
  call: VerificationCall | null;
  /** `null` until the order is stored. */
  placement: Placement | null;
}

/** Long enough for a call to be placed; a provider that is down longer is tried on in the background. */
const placementPatience = '20 seconds';
const done: Answer = { ok: true, value: null };

export function handleOrderMessages(desk: OrderDesk): void {
  const { order, news } = desk;
  setHandler(messages.orderFactsQuery, () => order.facts, { description: 'Where the order stands' });
  setHandler(messages.placeOrderUpdate, () => placed(desk), { description: 'Create the order' });
  setHandler(messages.updateOrderUpdate, (update) => change(desk, update), {
    description: 'Change the order or start verification',
  });
  setHandler(
    messages.cancelOrderUpdate,
    () => act(desk, 'cancel', { actor: 'customer', what: 'canceled the order' }),
    { description: 'Cancel a pending order' },
  );
  setHandler(messages.attachDocumentUpdate, ({ documentSid }) => attach(desk, documentSid), {
    description: 'Join an authorization document',
  });
  setHandler(
    messages.enterTokenUpdate,
    async ({ callSid, prompt, correct }) => {
      await placed(desk);
      return desk.call ? desk.call.enterToken(callSid, prompt, correct) : { ok: false, code: 22114 };
    },
    { description: 'The callee entered a code' },
  );
  setHandler(
    messages.resolveUpdate,
    ({ target, reason }) =>
      act(desk, `resolve-${target}`, {
        actor: 'administrator',
        what: `sent the order on to ${target}`,
        why: reason ?? null,
      }),
    {
      description: 'Administrator: send an order in action-required on its way',
      validator: ({ target }) => assertTarget(target),
    },
  );
  setHandler(
    messages.resetVerificationUpdate,
    (given) =>
      act(desk, 'reset-verification', {
        actor: 'administrator',
        what: 'gave the verification attempts back',
        why: given?.reason ?? null,
      }),
    { description: 'Administrator: give the verification attempts back', validator: assertReason },
  );
  setHandler(
    messages.reviewBillUpdate,
    ({ accepted, reason }) => reviewBill(desk, accepted, reason ?? null),
    {
      description: 'Administrator: accept or refuse the phone bill',
      validator: ({ accepted }) => assertBoolean(accepted),
    },
  );
  setHandler(messages.releaseUpdate, () => release(desk), { description: 'Release the number' });
  setHandler(messages.restoreUpdate, (given) => restore(desk, given?.reason ?? null), {
    description: 'Administrator: take a release back',
    validator: assertReason,
  });
  setHandler(messages.callProgressSignal, ({ callSid, status }) => desk.call?.progress(callSid, status));
  setHandler(messages.routeTestArrivedSignal, ({ round }) => {
    news.arrivedRound = Math.max(news.arrivedRound, round);
  });
  setHandler(messages.registryDecidedSignal, ({ accepted, reason }) => {
    news.registryDecision = accepted
      ? { state: 'accepted' }
      : { state: 'rejected', reason: reason ?? 'The registry gave no reason' };
  });
  setHandler(messages.documentSignedSignal, ({ documentSid }) => documentSigned(order, documentSid));
  setHandler(messages.documentWithdrawnSignal, ({ documentSid, reason }) =>
    documentWithdrawn(order, documentSid, reason),
  );
}

/** Waits until the order is stored, or known to be refused. Every update passes here first. */
async function placed(desk: OrderDesk): Promise<Answer> {
  await condition(() => desk.placement !== null); // no deadline: the first activity is tried until it succeeds
  return desk.placement?.kind === 'refused' ? { ok: false, code: desk.placement.code } : done;
}

/** Applies one trigger and answers when the outcome is durable. */
async function act(desk: OrderDesk, trigger: OrderTrigger, reason: Why): Promise<Answer> {
  const { order } = desk;
  const before = await placed(desk);
  if (!before.ok) return before;
  const status = order.facts.status;
  const applied = order.apply(trigger, reason);
  if (!applied.ok) return applied;
  await order.publish({ statusChanged: order.facts.status !== status || order.facts.canceled });
  return done;
}

/** Fields first, then the verification they are for; when the latter is not allowed, nothing is changed. */
async function change(desk: OrderDesk, { changes, startVerification }: OrderUpdate): Promise<Answer> {
  const { order } = desk;
  const before = await placed(desk);
  if (!before.ok) return before;
  const { uniqueName, ...fields } = changes;
  const verification = fields.verificationType ?? order.state.fields.verificationType;
  const trigger = verification === 'phone-bill' ? 'submit-bill' : 'start-verification';
  const concernsVerification =
    fields.verificationType ?? fields.extension ?? fields.callDelay ?? fields.verificationDocumentSid;

  const refusal = startVerification
    ? order.refusalOf(trigger)
    : order.refusalOf(concernsVerification === undefined ? 'change-labels' : 'change-verification');
  if (refusal !== null) return { ok: false, code: refusal };
  if (
    startVerification &&
    trigger === 'submit-bill' &&
    (fields.verificationDocumentSid ?? order.state.fields.verificationDocumentSid) === null
  ) {
    return { ok: false, code: 22118 };
  }
  if (uniqueName !== undefined) {
    const { taken } = await recording('claim the unique name').claimUniqueName({
      orderSid: order.request.sid,
      uniqueName,
    });
    if (taken) return { ok: false, code: 22115 };
    const late = startVerification ? order.refusalOf(trigger) : null;
    if (late !== null) return { ok: false, code: late };
  }
  order.state.fields = { ...order.state.fields, ...fields };
  if (!startVerification) {
    order.note({ actor: 'customer', what: `changed ${Object.keys(changes).join(', ') || 'nothing'}` });
    await order.publish({ statusChanged: false });
    return done;
  }
  return trigger === 'submit-bill'
    ? act(desk, trigger, { actor: 'customer', what: 'handed in a phone bill for review' })
    : startCall(desk);
}

async function startCall(desk: OrderDesk): Promise<Answer> {
  const { order } = desk;
  const callNumber = order.state.callCount + 1;
  const number = order.facts.verificationAttempts + 1;
  const started = await act(desk, 'start-verification', {
    actor: 'customer',
    what: `asked for verification call ${number}`,
  });
  if (!started.ok) return started;
  let takenBack = false;
  const underWay = (): boolean => {
    if (desk.call?.callNumber === callNumber) takenBack = desk.call.takenBack;
    return order.state.callCount > callNumber || (desk.call?.callNumber === callNumber && desk.call.underWay);
  };
  await condition(underWay, placementPatience);
  return takenBack ? { ok: false, code: 22123 } : done;
}

async function attach(desk: OrderDesk, documentSid: string): Promise<Answer> {
  if (desk.order.facts.documentSid === documentSid) return done;
  const before = await placed(desk);
  if (!before.ok) return { ok: false, code: 22101 };
  const applied = desk.order.apply(
    'document-created',
    { actor: 'customer', what: `created authorization document ${documentSid}` },
    { documentSid },
  );
  if (!applied.ok) return applied;
  await desk.order.publish();
  return done;
}

function reviewBill(desk: OrderDesk, accepted: boolean, reason: string | null): Promise<Answer> {
  const what = accepted ? 'accepted the phone bill; ownership is verified' : 'refused the phone bill';
  const failure = `The phone bill was refused${reason ? `: ${reason}` : ''}`;
  return act(desk, accepted ? 'bill-accepted' : 'bill-refused', {
    actor: 'administrator',
    what,
    why: reason,
    failure,
  });
}

function release(desk: OrderDesk): Promise<Answer> {
  const refusal = desk.order.refusalOf('release');
  if (refusal === null) desk.order.state.releasedAt = new Date().toISOString();
  return act(desk, 'release', { actor: 'customer', what: 'released the number; it retires in 3 days' });
}

function restore(desk: OrderDesk, reason: string | null): Promise<Answer> {
  if (desk.order.refusalOf('restore') === null) desk.order.state.releasedAt = null;
  return act(desk, 'restore', { actor: 'administrator', what: 'restored the number', why: reason });
}

async function documentSigned(order: LiveOrder, documentSid: string): Promise<void> {
  if (order.facts.documentSid !== documentSid || order.facts.documentSigned) return;
  const status = order.facts.status;
  if (order.apply('document-signed', { actor: 'signer', what: 'signed the letter of authorization' }).ok) {
    await order.publish({ statusChanged: order.facts.status !== status });
  }
}

async function documentWithdrawn(order: LiveOrder, documentSid: string, reason: string): Promise<void> {
  if (order.facts.documentSid !== documentSid) return;
  const status = order.facts.status;
  if (
    order.apply('document-withdrawn', {
      actor: 'signer',
      what: 'the authorization document ended unsigned',
      why: reason,
    }).ok
  ) {
    await order.publish({ statusChanged: order.facts.status !== status });
  }
}

/* Validators run before an update is accepted. They have to be synchronous: the SDK drops a promise. */

function assertTarget(target: ResolveTarget): void {
  if (!resolveTargets.includes(target))
    throw new TypeError(`target must be one of ${resolveTargets.join(', ')}`);
}

function assertBoolean(accepted: boolean): void {
  if (typeof accepted !== 'boolean') throw new TypeError('accepted must be true or false');
}

function assertReason(given?: { readonly reason?: string }): void {
  if (given !== undefined && typeof given !== 'object')
    throw new TypeError('give an object such as {"reason": "…"}, or nothing');
}
