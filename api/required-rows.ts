/** Rows that a request names. Each throws 20404 where there is none that the account may see. */
import { type DocumentRow, findDocument } from '../db/reads/authorization-documents.ts';
import { type DeliveryDetails, findDelivery } from '../db/reads/deliveries.ts';
import { findOrder, type OrderRow } from '../db/reads/hosted-number-orders.ts';
import { ApiError } from '../domain/errors.ts';
import type { ApiDeps } from './deps.ts';

/** By sid, or by unique name. */
export async function requireOrder(deps: ApiDeps, accountSid: string, name: string): Promise<OrderRow> {
  const order = await findOrder(deps.db, accountSid, name);
  if (!order) throw new ApiError(20404);
  return order;
}

export async function requireDocument(deps: ApiDeps, accountSid: string, sid: string): Promise<DocumentRow> {
  const document = await findDocument(deps.db, accountSid, sid);
  if (!document) throw new ApiError(20404);
  return document;
}

export async function requireDelivery(
  deps: ApiDeps,
  key: { readonly accountSid: string; readonly sid: string },
): Promise<DeliveryDetails> {
  const details = await findDelivery(deps.db, key);
  if (!details) throw new ApiError(20404);
  return details;
}
