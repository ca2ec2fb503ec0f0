/** What an order listens to: updates from the API, the console and the `temporal` CLI, and signals of what happened. */
import { setHandler } from '@temporalio/workflow';
import { resolveTargets, type ResolveTarget } from '../domain/hosted-number-order.ts';
import type { RegistrationState } from '../domain/ports.ts';
import { shieldedHandler } from './cancellation.ts';
import * as messages from './messages.ts';
import type { Answer } from './messages.ts';
import { change } from './order-change.ts';
import { act, placed, type OrderDesk } from './order-desk.ts';
import { documentSigned, documentWithdrawn, joinDocument, leaveDocument } from './order-document.ts';
import { hear, needs } from './sound-input.ts';

export function handleOrderMessages(desk: OrderDesk): void {
  setHandler(messages.orderFactsQuery, () => desk.order.facts, { description: 'Where the order stands' });
  handleCustomer(desk);
  handleAdministrator(desk);
  handleNews(desk);
}

function handleCustomer(desk: OrderDesk): void {
  setHandler(
    messages.placeOrderUpdate,
    shieldedHandler(() => placed(desk)),
    {
      description: 'Create the order',
    },
  );
  setHandler(
    messages.updateOrderUpdate,
    shieldedHandler((update) => change(desk, update)),
    {
      description: 'Change the order or start verification',
      validator: needs({ changes: 'object', startVerification: 'boolean' }),
    },
  );
  const cancel = (): Promise<Answer> =>
    act(desk, 'cancel', { actor: 'customer', what: 'canceled the order' });
  setHandler(messages.cancelOrderUpdate, shieldedHandler(cancel), { description: 'Cancel a pending order' });
  setHandler(
    messages.attachDocumentUpdate,
    shieldedHandler(({ documentSid }) => attach(desk, documentSid)),
    {
      description: 'Join an authorization document',
      validator: needs({ documentSid: 'string' }),
    },
  );
  setHandler(
    messages.enterTokenUpdate,
    shieldedHandler(async ({ callSid, prompt, correct }) => {
      await placed(desk);
      return desk.call ? desk.call.enterToken(callSid, prompt, correct) : { ok: false, code: 22114 };
    }),
    {
      description: 'The callee entered a code',
      validator: needs({ callSid: 'string', prompt: 'number', correct: 'boolean' }),
    },
  );
  const releasing = { actor: 'customer', what: 'released the number; its retirement begins' } as const;
  const release = (): Promise<Answer> => act(desk, 'release', releasing);
  setHandler(messages.releaseUpdate, shieldedHandler(release), { description: 'Release the number' });
}

function handleAdministrator(desk: OrderDesk): void {
  setHandler(
    messages.resolveUpdate,
    shieldedHandler(({ target, reason }) => resolve(desk, target, reason ?? null)),
    {
      description: 'Administrator: send an order in action-required on its way',
      validator: ({ target }) => assertTarget(target),
    },
  );
  const reset = (given?: { readonly reason?: string }): Promise<Answer> =>
    act(desk, 'reset-verification', {
      actor: 'administrator',
      what: 'gave the verification attempts back',
      why: given?.reason ?? null,
    });
  setHandler(messages.resetVerificationUpdate, shieldedHandler(reset), {
    description: 'Administrator: give the verification attempts back',
    validator: assertReason,
  });
  const review = ({
    accepted,
    reason,
  }: {
    readonly accepted: boolean;
    readonly reason?: string;
  }): Promise<Answer> => reviewBill(desk, accepted, reason ?? null);
  setHandler(messages.reviewBillUpdate, shieldedHandler(review), {
    description: 'Administrator: accept or refuse the phone bill',
    validator: needs({ accepted: 'boolean' }),
  });
  const restore = (given?: { readonly reason?: string }): Promise<Answer> => {
    const why = given?.reason ?? null;
    return act(desk, 'restore', { actor: 'administrator', what: 'restored the number', why });
  };
  setHandler(messages.restoreUpdate, shieldedHandler(restore), {
    description: 'Administrator: take a release back',
    validator: assertReason,
  });
}

/** What happened elsewhere. */
function handleNews(desk: OrderDesk): void {
  const { order, news } = desk;
  hear(messages.callProgressSignal, { callSid: 'string', status: 'string' }, ({ callSid, status }) =>
    desk.call?.progress(callSid, status),
  );
  hear(messages.routeTestArrivedSignal, { round: 'number' }, ({ round }) => {
    news.arrivedRound = Math.max(news.arrivedRound, round);
  });
  hear(messages.registryDecidedSignal, { accepted: 'boolean' }, (decision) => {
    news.registryDecision = registrationOf(decision);
    news.dropQuestion?.();
  });
  hear(
    messages.documentSignedSignal,
    { documentSid: 'string' },
    shieldedHandler(({ documentSid }) => documentSigned(order, documentSid)),
  );
  hear(
    messages.documentWithdrawnSignal,
    { documentSid: 'string', reason: 'string' },
    shieldedHandler(({ documentSid, reason }) => documentWithdrawn(order, documentSid, reason)),
  );
}

function registrationOf({ accepted, reason }: messages.RegistryDecision): RegistrationState {
  return accepted
    ? { state: 'accepted' }
    : { state: 'rejected', reason: reason ?? 'The registry gave no reason' };
}

/** `temporal workflow cancel`: what the customer's DELETE does where that is allowed, else a line in the timeline. */
export async function cancelThroughTemporal(desk: OrderDesk): Promise<void> {
  const { order } = desk;
  const by = { actor: 'administrator', what: 'canceled the order through Temporal' } as const;
  if ((await act(desk, 'cancel', by)).ok || desk.placement?.kind === 'refused') return;
  order.note({
    actor: 'administrator',
    what: 'asked Temporal to cancel the workflow, which changes nothing',
    why: 'An order can be canceled until it goes to the carrier; a completed one ends by releasing its number',
  });
  await order.publish({ statusChanged: false });
}

async function attach(desk: OrderDesk, documentSid: string): Promise<Answer> {
  if (desk.order.facts.documentSid === documentSid) return { ok: true, value: null };
  const before = await placed(desk);
  return before.ok ? joinDocument(desk.order, documentSid) : { ok: false, code: 22101 };
}

/** An order that is sent back before its letter gives the letter up: its document is told, unless it is signed. */
async function resolve(desk: OrderDesk, target: ResolveTarget, reason: string | null): Promise<Answer> {
  const { documentSid, documentSigned } = desk.order.facts;
  const what = `sent the order on to ${target}`;
  const answer = await act(desk, `resolve-${target}`, { actor: 'administrator', what, why: reason });
  if (answer.ok && documentSid !== null && !documentSigned && desk.order.facts.documentSid === null)
    await leaveDocument(desk.order, documentSid);
  return answer;
}

function reviewBill(desk: OrderDesk, accepted: boolean, reason: string | null): Promise<Answer> {
  const what = accepted ? 'accepted the phone bill; ownership is verified' : 'refused the phone bill';
  const failure = `The phone bill was refused${reason ? `: ${reason}` : ''}`;
  return act(desk, accepted ? 'bill-accepted' : 'bill-refused', {
    actor: 'administrator',
    what,
    why: reason,
    ...(accepted ? {} : { failure }),
  });
}

/* Validators run before an update is accepted. They have to be synchronous: the SDK drops a promise. */

function assertTarget(target: ResolveTarget): void {
  if (!resolveTargets.includes(target))
    throw new TypeError(`target must be one of ${resolveTargets.join(', ')}`);
}

function assertReason(given?: { readonly reason?: string }): void {
  if (given !== undefined && typeof given !== 'object')
    throw new TypeError('give an object such as {"reason": "…"}, or nothing');
}
