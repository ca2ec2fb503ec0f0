/** What may be done to an order: one function for each, used by the API, the console and the newer API shapes. */
import type { OrderRow } from '../db/reads/hosted-number-orders.ts';
import { checkPlacement, type PlacementFacts } from '../db/reads/order-placement.ts';
import { relabelEndedOrder } from '../db/writes/configuration.ts';
import { ApiError } from '../domain/errors.ts';
import type { ResolveTarget } from '../domain/hosted-number-order.ts';
import type { OrderRequest } from '../domain/ports.ts';
import { derivedSid } from '../security/derived-sid.ts';
import { orderTimers } from '../settings.ts';
import * as messages from '../workflows/messages.ts';
import type { ApiDeps } from './deps.ts';
import { requireHostable } from './number-rules.ts';
import { cancelRefusal, explained, isBare } from './order-refusals.ts';
import { requireOrder } from './required-rows.ts';
import {
  callWorkflow,
  startWithCall,
  tellWorkflow,
  WorkflowEnded,
  type UpdateKey,
  type WorkflowCall,
} from './workflow-calls.ts';

/** What a workflow's 22118 means: everything else about a proof is refused before it is asked. */
const billMissing =
  'VerificationDocumentSid is missing: upload the phone bill at /HostedNumbers/VerificationDocuments first';

/** A new order as its customer words it: the number's sid follows from the order's. */
export type NewOrder = Omit<OrderRequest, 'incomingPhoneNumberSid'>;

/**
 * Places an order and waits for the registry's first word. Placing the same sid again changes nothing.
 * Throws 22102, 22103, 22109, 22110, 22115 and 22118.
 */
export async function placeOrder(deps: ApiDeps, order: NewOrder): Promise<OrderRow> {
  requireHostable(order.phoneNumber, deps.config.orders.countries);
  if (order.uniqueName !== null) requireUsableName(order.uniqueName);
  const facts = await checkPlacement(deps.db, order);
  if (!facts.stored) await startOrder(deps, order, { facts, takeOver: false });
  return requireOrder(deps, order.accountSid, order.sid);
}

/** An administrator takes over a number that is hosted already: a completed order at once. Throws as `placeOrder`. */
export async function takeOverNumber(
  deps: ApiDeps,
  accountSid: string,
  phoneNumber: string,
  options: { readonly sid: string; readonly friendlyName?: string | null },
): Promise<OrderRow> {
  requireHostable(phoneNumber, deps.config.orders.countries);
  const order = { ...blankOrder, sid: options.sid, accountSid, phoneNumber };
  const named = { ...order, friendlyName: options.friendlyName ?? null };
  const facts = await checkPlacement(deps.db, named);
  if (!facts.stored) await startOrder(deps, named, { facts, takeOver: true });
  return requireOrder(deps, accountSid, order.sid);
}

/** Changes an order, and starts its verification when asked to; see `updateOrderUpdate`. Throws what the order table says. */
export async function updateOrder(
  deps: ApiDeps,
  order: OrderRow,
  update: messages.OrderUpdate,
  updateKey: UpdateKey = {},
): Promise<OrderRow> {
  if (update.changes.uniqueName) requireUsableName(update.changes.uniqueName);
  const call = { ...toOrder(order.sid, messages.updateOrderUpdate, [update]), ...updateKey };
  const wanted = { ...order, uniqueName: update.changes.uniqueName };
  await explained(deps, wanted, async () => {
    try {
      await callWorkflow(deps, call);
    } catch (error) {
      if (isBare(error, 22118)) throw new ApiError(22118, billMissing);
      if (!(error instanceof WorkflowEnded)) throw error;
      await relabel(deps, order, update);
    }
  });
  return requireOrder(deps, order.accountSid, order.sid);
}

/** Cancels a pending order; it is gone then. Throws 20409 in any other status. */
export async function cancelOrder(deps: ApiDeps, order: OrderRow): Promise<void> {
  try {
    await callOrder(deps, toOrder(order.sid, messages.cancelOrderUpdate, []));
  } catch (error) {
    throw isBare(error, 20409) ? await cancelRefusal(deps, order.sid) : error;
  }
}

/** Releases a completed number; its 3 days of retirement begin. Throws 20409 while the order is not completed. */
export async function releaseNumber(deps: ApiDeps, orderSid: string): Promise<void> {
  await callOrder(deps, toOrder(orderSid, messages.releaseUpdate, []));
}

/** Administrator: sends an order in action-required on its way. */
export async function resolveOrder(
  deps: ApiDeps,
  orderSid: string,
  target: ResolveTarget,
  reason?: string,
): Promise<void> {
  await callOrder(deps, toOrder(orderSid, messages.resolveUpdate, [{ target, ...because(reason) }]));
}

/** Administrator: gives the three verification attempts back. */
export async function resetVerification(deps: ApiDeps, orderSid: string, reason?: string): Promise<void> {
  await callOrder(deps, toOrder(orderSid, messages.resetVerificationUpdate, [because(reason)]));
}

/** Administrator: accepts or refuses the phone bill. */
export async function reviewBill(
  deps: ApiDeps,
  orderSid: string,
  accepted: boolean,
  reason?: string,
): Promise<void> {
  await callOrder(deps, toOrder(orderSid, messages.reviewBillUpdate, [{ accepted, ...because(reason) }]));
}

/**
 * Administrator: says what the registry decided, for a registry that tells people rather than programs. The order goes on
 * a moment later. Throws 22112 unless the order waits for the registry.
 */
export async function decideRegistration(
  deps: ApiDeps,
  order: Pick<OrderRow, 'sid' | 'status'>,
  decision: { readonly accepted: boolean; readonly reason: string | null },
): Promise<void> {
  if (order.status !== 'carrier-processing') throw new ApiError(22112);
  const heard = await tellWorkflow(
    deps,
    messages.orderWorkflowId(order.sid),
    messages.registryDecidedSignal,
    decision,
  );
  if (!heard) throw new ApiError(20409);
}

/** Administrator: takes a release back within the 3 days. Throws 20409 afterwards. */
export async function restoreNumber(deps: ApiDeps, orderSid: string, reason?: string): Promise<void> {
  await callOrder(deps, toOrder(orderSid, messages.restoreUpdate, [because(reason)]));
}

/** An order that asks for nothing but a number. */
const blankOrder: Omit<NewOrder, 'sid' | 'accountSid' | 'phoneNumber'> = {
  friendlyName: null,
  uniqueName: null,
  email: null,
  ccEmails: [],
  addressSid: null,
  verificationType: 'phone-call',
  verificationDocumentSid: null,
  statusCallbackUrl: null,
  statusCallbackMethod: 'POST',
  smsUrl: null,
  smsMethod: 'POST',
  smsFallbackUrl: null,
  smsFallbackMethod: 'POST',
  smsApplicationSid: null,
};

async function startOrder(
  deps: ApiDeps,
  order: NewOrder,
  how: { readonly facts: PlacementFacts; readonly takeOver: boolean },
): Promise<void> {
  const { config } = deps;
  const incomingPhoneNumberSid = derivedSid('incomingPhoneNumber', order.sid);
  const input: messages.HostedNumberOrderInput = {
    request: { ...order, incomingPhoneNumberSid },
    takeOver: how.takeOver,
    timers: orderTimers(config),
  };
  const origin = how.takeOver ? 'Taken over by an administrator.' : 'Ordered by the customer.';
  await explained(deps, order, async () => {
    requirePlaceable(how.facts);
    await startWithCall(deps, {
      workflowType: messages.orderWorkflowType,
      update: messages.placeOrderUpdate,
      options: messages.orderStart(input, config.temporal, origin),
    });
  });
}

function requirePlaceable(facts: PlacementFacts): void {
  if (facts.numberTaken) throw new ApiError(22110);
  if (facts.nameTaken) throw new ApiError(22115);
  if (!facts.addressKnown) throw new ApiError(22109);
  if (!facts.verificationDocumentKnown)
    throw new ApiError(22118, 'VerificationDocumentSid is not a document of this account');
}

/** A name that looks like a sid would hide the order of that sid. */
function requireUsableName(uniqueName: string): void {
  if (/^HR[0-9a-f]{32}$/i.test(uniqueName)) throw new ApiError(22115, 'UniqueName must not look like a sid');
}

/** An order whose workflow has ended keeps its labels changeable and nothing else. Row 29 of the order table. */
async function relabel(deps: ApiDeps, order: OrderRow, update: messages.OrderUpdate): Promise<void> {
  const { friendlyName, uniqueName, email, ccEmails, ...others } = update.changes;
  if (update.startVerification || Object.keys(others).length > 0) throw new ApiError(22112);
  const labels = {
    ...(friendlyName === undefined ? {} : { friendlyName }),
    ...(uniqueName === undefined ? {} : { uniqueName }),
    ...(email === undefined ? {} : { email }),
    ...(ccEmails === undefined ? {} : { ccEmails }),
  };
  await relabelEndedOrder(deps.db, order.sid, labels, new Date());
}

function toOrder<T, Args extends unknown[]>(
  orderSid: string,
  update: WorkflowCall<T, Args>['update'],
  args: Args,
): WorkflowCall<T, Args> {
  return { workflowId: messages.orderWorkflowId(orderSid), update, args };
}

/** Calls the order; one that has come to its end conflicts with any command. */
async function callOrder<T, Args extends unknown[]>(deps: ApiDeps, call: WorkflowCall<T, Args>): Promise<T> {
  try {
    return await callWorkflow(deps, call);
  } catch (error) {
    throw error instanceof WorkflowEnded ? new ApiError(20409) : error;
  }
}

const because = (reason: string | undefined): { reason?: string } => (reason ? { reason } : {});
