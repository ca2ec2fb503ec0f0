/** What a document is made from: the orders it may take in, and the address its letter would state. */
import { findAddress } from '../db/reads/addresses.ts';
import { findDocumentCandidates, type DocumentCandidate } from '../db/reads/hosted-number-orders.ts';
import { ApiError } from '../domain/errors.ts';
import { decideOrder } from '../domain/hosted-number-order.ts';
import { factsOf } from '../domain/order-facts.ts';
import { addressFaults } from '../domain/service-address.ts';
import type { ApiDeps } from './deps.ts';

/** Whether the order table lets an order join a document. */
const mayJoin = (order: DocumentCandidate): boolean =>
  decideOrder(factsOf(order), 'document-created').allowed;

/** These orders, which have to be known, seen by the caller and of one account. Throws 22101. */
export async function requireOrders(
  deps: ApiDeps,
  callerSid: string,
  orderSids: readonly string[],
): Promise<{ readonly accountSid: string; readonly orders: readonly DocumentCandidate[] }> {
  const orders = await findDocumentCandidates(deps.db, callerSid, orderSids);
  const [first] = orders;
  if (!first) throw refusal(orderSids[0] === undefined ? 'no order is named' : unknown(orderSids[0]));
  const missing = orderSids.find((sid) => !orders.some((order) => order.sid === sid));
  if (missing !== undefined) throw refusal(unknown(missing));
  const other = orders.find((order) => order.accountSid !== first.accountSid);
  if (other) throw refusal(`${first.sid} and ${other.sid} are of different accounts`);
  return { accountSid: first.accountSid, orders };
}

/** Turns a document's refusal of its orders into one that says which, and why. */
export async function joinRefusal(
  deps: ApiDeps,
  document: { readonly sid: string; readonly accountSid: string },
  orderSids: readonly string[],
): Promise<ApiError> {
  const orders = await findDocumentCandidates(deps.db, document.accountSid, orderSids);
  const elsewhere = (order: DocumentCandidate): boolean =>
    order.signingDocumentSid !== null && order.signingDocumentSid !== document.sid;
  const stuck =
    orders.find(elsewhere) ?? orders.find((order) => order.signingDocumentSid === null && !mayJoin(order));
  if (!stuck) return new ApiError(22101);
  const where = elsewhere(stuck) ? ` and on authorization document ${stuck.signingDocumentSid}` : '';
  return refusal(`${stuck.sid} is ${stuck.status}${where}`);
}

/** An address of the account, and none a letter would be refused for. Throws 22109. */
export async function requireLetterAddress(
  deps: ApiDeps,
  accountSid: string,
  { own, ofOrders }: { readonly own: string | null; readonly ofOrders: string | null },
): Promise<void> {
  const addressSid = own ?? ofOrders;
  if (addressSid === null) return;
  const address = await findAddress(deps.db, accountSid, addressSid);
  // An order's that was deleted since: the signer is asked for one.
  if (!address && own === null) return;
  if (!address) throw new ApiError(22109);
  const faults = addressFaults(address);
  if (faults.length > 0)
    throw new ApiError(22109, `The letter would be refused for ${addressSid}: ${faults.join('; ')}`);
}

/** The address of the orders that their letter states where the document itself has none. */
export function addressOfOrders(
  orders: readonly { readonly phoneNumber: string; readonly addressSid: string | null }[],
): string | null {
  const inLetterOrder = orders.toSorted((left, right) => (left.phoneNumber < right.phoneNumber ? -1 : 1));
  return inLetterOrder.find((order) => order.addressSid !== null)?.addressSid ?? null;
}

/** The same words whether nobody has the order or another account does. */
const unknown = (orderSid: string): string => `${orderSid} is not an order of yours`;

const refusal = (why: string): ApiError => new ApiError(22101, `HostedNumberOrderSids: ${why}`);
