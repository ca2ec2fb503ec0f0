/**
 * One hosted number order, from the create request until its number has been retired, or the order failed or was
 * canceled. Its id is the order's sid. What may happen to it is the table in domain/hosted-number-order.ts; this file
 * carries out what follows: waits, calls, submissions, the record for people to read.
 */
import { allHandlersFinished, condition, continueAsNew, patched, workflowInfo } from '@temporalio/workflow';
import type { Placement } from '../domain/ports.ts';
import { shielded } from './cancellation.ts';
import type { HostedNumberOrderInput } from './messages.ts';
import { placeOrder, registry } from './order-activities.ts';
import { awaitEligibility, register, testRoute, type CarrierNews } from './order-carrier.ts';
import { awaitOwnership, leaveDocument } from './order-document.ts';
import type { OrderDesk } from './order-desk.ts';
import { cancelThroughTemporal, handleOrderMessages } from './order-handlers.ts';
import { LiveOrder, newOrderState, type OrderState } from './order-state.ts';
import { VerificationCall } from './order-verification.ts';

/** How an order's workflow ends. */
export type OrderEnd = 'refused' | 'failed' | 'canceled' | 'retired';

export async function hostedNumberOrder(
  input: HostedNumberOrderInput,
  resumed?: OrderState,
): Promise<OrderEnd> {
  // State
  const order = new LiveOrder(
    input.request,
    resumed ?? newOrderState(input.request, input.takeOver),
    input.timers.delivery,
  );
  const news: CarrierNews = { registryDecision: null, dropQuestion: null, arrivedRound: 0 };
  const desk: OrderDesk = {
    order,
    news,
    call: null,
    placement: resumed ? { kind: 'placed', eligibility: { kind: 'pending' } } : null,
  };

  // Handlers, before the first wait
  handleOrderMessages(desk);

  // Steps
  return shielded(
    async () => {
      if (resumed) order.showInWebUi();
      else await place(desk, input);
      const end = desk.placement?.kind === 'refused' ? 'refused' : await live(desk, input);
      await condition(allHandlersFinished); // no deadline: handlers only wait for activities that are tried until they succeed
      await order.settled();
      return end;
    },
    () => cancelThroughTemporal(desk),
  );
}

/** Stores the order and asks the registry; the create request waits for this. */
async function place(desk: OrderDesk, { request, takeOver, timers }: HostedNumberOrderInput): Promise<void> {
  const at = new Date().toISOString();
  const placement: Placement = await placeOrder({
    request,
    takeOver,
    budgetMs: timers.eligibilityBudgetMs,
    at,
  });
  if (placement.kind === 'placed' && placement.eligibility.kind !== 'pending' && !takeOver) {
    const { eligibility } = placement;
    if (eligibility.kind === 'eligible') desk.order.adopt('eligibility-confirmed', null);
    else desk.order.adopt('eligibility-refused', eligibility.reason);
  } else {
    desk.order.showInWebUi();
  }
  desk.placement = placement;
}

/** Goes from status to status, each step waiting for what can move the order on, until nothing can any more. */
async function live(desk: OrderDesk, input: HostedNumberOrderInput): Promise<OrderEnd> {
  const { order, news } = desk;
  const { timers } = input;
  while (!order.facts.canceled) {
    switch (order.facts.status) {
      case 'twilio-processing':
        await awaitEligibility(order, timers);
        break;
      case 'received':
      case 'pending-verification':
      case 'verified':
      case 'pending-loa':
        await awaitCustomer(desk, input);
        break;
      case 'carrier-processing':
        await register(order, news, timers);
        break;
      case 'testing':
        await testRoute(order, news, timers);
        break;
      case 'action-required':
        await awaitAdministrator(order, input);
        break;
      case 'completed':
        await serve(order, input);
        if (order.facts.numberState === 'retired') return 'retired';
        break;
      case 'failed':
        await leave(order);
        return 'failed';
    }
  }
  await leave(order);
  return 'canceled';
}

/** Waits for the customer's next step: a call to conduct, or any change of status. */
async function awaitCustomer(desk: OrderDesk, input: HostedNumberOrderInput): Promise<void> {
  const { order } = desk;
  const status = order.facts.status;
  const moved = (): boolean => order.facts.callLive || order.facts.status !== status || order.facts.canceled;
  const { documentSigned } = order.facts;
  // No deadline: a customer may take as long as they like before the letter is out; until it is signed the document has one.
  if (!documentSigned) await condition(() => moved() || order.facts.documentSigned || isFull());
  else await awaitOwnership(order, input.timers, () => moved() || isFull());
  if (!moved() && isFull()) await goOnInNewRun(order, input);
  if (!order.facts.callLive) return;
  desk.call = new VerificationCall(order, input.timers.callDeadlineMs);
  await desk.call.conduct();
  desk.call = null;
}

/** An order may wait 7 days for an administrator, then it fails. Source: service.md §3.1. */
async function awaitAdministrator(order: LiveOrder, input: HostedNumberOrderInput): Promise<void> {
  const summary = `an administrator has to act: ${order.state.failureReason ?? 'see the timeline'}`;
  const moved = (): boolean => order.facts.status !== 'action-required';
  const deadline = (order.state.statusSince ?? Date.now()) + input.timers.actionRequiredMs;
  const inTime = await condition(() => moved() || isFullAnywhere(), leftUntil(deadline), { summary });
  if (inTime && !moved()) await goOnInNewRun(order, input);
  if (inTime) return;
  const failure = `Nobody resolved it in time: ${order.state.failureReason ?? 'action was required'}`;
  order.apply('idle-expired', { actor: 'service', what: 'the time to act is over', why: failure, failure });
  await order.publish();
}

/** The number is in service, until it is released and its 3 days of retirement are over. Source: service.md §3.3. */
async function serve(order: LiveOrder, input: HostedNumberOrderInput): Promise<void> {
  const changed = (): boolean => order.facts.numberState !== 'in-use';
  // No deadline: a number stays in service until its customer releases it.
  await condition(() => changed() || isFull());
  if (!changed()) await goOnInNewRun(order, input);
  const restored = (): boolean => order.facts.numberState === 'in-use';
  const deadline = Date.parse(order.state.releasedAt ?? new Date().toISOString()) + input.timers.retirementMs;
  const summary = 'retirement; an administrator can still restore the number';
  const inTime = await condition(() => restored() || isFullAnywhere(), leftUntil(deadline), { summary });
  if (inTime && !restored()) await goOnInNewRun(order, input);
  if (!inTime) await retire(order);
}

/** From the first try to remove the registration on nobody can take the release back: the routing may be gone. */
async function retire(order: LiveOrder): Promise<void> {
  const late = !patched('retired-before-removal');
  const apply = (): unknown =>
    order.apply('retired', { actor: 'service', what: 'the number is retired and can be ordered anew' });
  if (!late) apply();
  order.keepsNumber = true;
  await deregister(order);
  order.keepsNumber = false;
  if (late) apply();
  await order.publish({ statusChanged: false });
}

/** The server asks for a new run before a history, or its count of updates, comes to a limit. */
const isFull = (): boolean => workflowInfo().continueAsNewSuggested;

/** The same in the waits with a deadline, which at first were left to fill. */
const isFullAnywhere = (): boolean => isFull() && patched('goes-on-in-a-new-run-anywhere');

/** A timer for what is left, when a run that this one goes on for has waited before. */
const leftUntil = (deadline: number): number => Math.max(1, deadline - Date.now());

async function goOnInNewRun(order: LiveOrder, input: HostedNumberOrderInput): Promise<void> {
  await condition(allHandlersFinished); // no deadline: see the end of the workflow
  await order.settled();
  await continueAsNew<typeof hostedNumberOrder>(input, order.state);
}

/** What an order that ends early leaves behind elsewhere: its document is told, its registration removed. */
async function leave(order: LiveOrder): Promise<void> {
  const { documentSid } = order.facts;
  if (documentSid !== null && !order.facts.documentSigned) await leaveDocument(order, documentSid);
  if (order.state.submissionCount > 0) await deregister(order);
}

async function deregister(order: LiveOrder): Promise<void> {
  const { sid: orderSid, phoneNumber } = order.request;
  // Tried for as long as it takes: a registration that stays would keep texts away from the number's next host.
  await registry('remove the registration').removeRegistration({ orderSid, phoneNumber });
}
