/** /HostedNumbers/HostedNumberOrders. Source: service.md §4, domain.md §1.1 to §1.3. */
import { z } from 'zod';
import { findVerificationDocument } from '../db/reads/authorization-documents.ts';
import type { OrderRow } from '../db/reads/hosted-number-orders.ts';
import { findOrderVersion, listOrderVersions } from '../db/reads/order-versions.ts';
import { readTimeline } from '../db/reads/timeline.ts';
import { ApiError } from '../domain/errors.ts';
import { isSid } from '../domain/sid.ts';
import type { OrderChanges } from '../workflows/messages.ts';
import type { ApiDeps } from './deps.ts';
import {
  callbacksOf,
  changesOf,
  createOrderForm,
  type CreateOrderForm,
  labelsOf,
  orderFilterFields,
  orderFilterOf,
  requireBillType,
  updateOrderForm,
  verificationOf,
} from './hosted-number-order-forms.ts';
import { requireHost } from './hosting-accounts.ts';
import { operation, type Operation } from './operation.ts';
import { cancelOrder, placeOrder, updateOrder } from './order-commands.ts';
import { orderTexts } from './order-texts.ts';
import { pageRequest, pagingFields, previewListSchema, previewListText } from './paging.ts';
import { orderJson, orderSchema, timelineEntryJson, timelineEntrySchema } from './representations.ts';
import { requireOrder } from './required-rows.ts';
import { requireSafeUrls } from './safe-url.ts';

const path = '/HostedNumbers/HostedNumberOrders';
const tag = 'Hosted number orders';
const orderAnswer = { description: 'The order', schema: orderSchema };

const createOrder = operation({
  id: 'createHostedNumberOrder',
  method: 'POST',
  path,
  tag,
  summary: 'Order hosting of a number you own',
  description:
    'Asks the registry at once whether the number can be hosted. `received`: it can; `failed`: it cannot, see ' +
    "`failure_reason`; `twilio-processing`: the registry has not answered yet. The number's record exists from now on.",
  auth: 'account',
  form: createOrderForm,
  responses: { 201: orderAnswer },
  errors: [21406, 22103, 22110, 22119],
  handler: async ({ ctx, deps, account, form, newSid }) => {
    const order = await orderByForm(deps, account.sid, form, newSid('hostedNumberOrder'));
    return ctx.json(orderJson(order, deps.config.env.publicUrl), 201);
  },
});

const fetchOrder = operation({
  id: 'fetchHostedNumberOrder',
  method: 'GET',
  path: `${path}/{Sid}`,
  tag,
  summary: 'Fetch an order by its sid or its unique name',
  auth: 'account',
  responses: { 200: orderAnswer },
  handler: async ({ ctx, deps, account, params }) => {
    if (!isSid('hostedNumberOrder', params.Sid)) {
      const named = await requireOrder(deps, account.sid, params.Sid);
      return ctx.json(orderJson(named, deps.config.env.publicUrl));
    }
    const found = await findOrderVersion(deps.db, account.sid, params.Sid);
    const text = found && (await orderTexts(deps, [found])).get(found.sid);
    if (text === undefined) throw new ApiError(20404);
    return text;
  },
});

const updateOrderOperation = operation({
  id: 'updateHostedNumberOrder',
  method: 'POST',
  path: `${path}/{Sid}`,
  tag,
  summary: 'Change an order, or verify ownership of its number',
  description:
    'With `Status=pending-verification` a call is placed to the number; the answer holds the `verification_code` that ' +
    'the person who answers the call has to key in. With `VerificationType=phone-bill` a bill is reviewed instead.',
  auth: 'account',
  form: updateOrderForm,
  responses: { 200: orderAnswer },
  errors: [22100, 22112, 22113, 22114, 22123],
  handler: async ({ ctx, deps, account, params, form, updateKey }) => {
    const order = await requireOrder(deps, account.sid, params.Sid);
    if (form.VerificationCode) throw new ApiError(order.verificationCode === null ? 22114 : 22113);
    if (form.Status && form.Status !== 'pending-verification')
      throw new ApiError(22112, 'Status may be set to pending-verification only; the others follow');
    const changes = changesOf(form);
    await requireProof(deps, order, changes);
    const startVerification = form.Status === 'pending-verification';
    const nothing = !startVerification && Object.keys(changes).length === 0;
    const changed = nothing
      ? order
      : await updateOrder(deps, order, { changes, startVerification }, updateKey);
    return ctx.json(orderJson(changed, deps.config.env.publicUrl));
  },
});

const deleteOrder = operation({
  id: 'deleteHostedNumberOrder',
  method: 'DELETE',
  path: `${path}/{Sid}`,
  tag,
  summary: 'Cancel a pending order',
  description: 'Allowed in received, pending-verification, verified and pending-loa.',
  auth: 'account',
  responses: { 204: { description: 'Canceled' } },
  errors: [20409],
  handler: async ({ ctx, deps, account, params }) => {
    await cancelOrder(deps, await requireOrder(deps, account.sid, params.Sid));
    return ctx.body(null, 204);
  },
});

const listOrdersOperation = operation({
  id: 'listHostedNumberOrders',
  method: 'GET',
  path,
  tag,
  summary: 'List orders, newest first',
  auth: 'account',
  query: z.object({ ...orderFilterFields, ...pagingFields }),
  responses: { 200: { description: 'A page of orders', schema: previewListSchema(orderSchema) } },
  handler: async ({ ctx, deps, account, query }) => {
    const request = pageRequest(query);
    const { publicUrl } = deps.config.env;
    const listed = await listOrderVersions(deps.db, account.sid, orderFilterOf(query), request);
    const texts = await orderTexts(deps, listed.rows);
    const page = { ...listed, rows: listed.rows.flatMap(({ sid }) => texts.get(sid) ?? []) };
    const toItem = (text: string): string => text;
    const list = { address: publicUrl + path, requestUrl: ctx.req.url, request, page, toItem };
    return previewListText(list);
  },
});

const fetchTimeline = operation({
  id: 'fetchHostedNumberOrderTimeline',
  method: 'GET',
  path: `${path}/{Sid}/Timeline`,
  tag,
  summary: 'The whole life of an order: when, who, what and why',
  auth: 'account',
  responses: {
    200: {
      description: 'All entries, oldest first',
      schema: z.object({ sid: z.string(), timeline: z.array(timelineEntrySchema) }),
    },
  },
  handler: async ({ ctx, deps, account, params }) => {
    const order = await requireOrder(deps, account.sid, params.Sid);
    const entries = await readTimeline(deps.db, order.sid);
    return ctx.json({ sid: order.sid, timeline: entries.map(timelineEntryJson) });
  },
});

export const hostedNumberOrderOperations: readonly Operation[] = [
  createOrder,
  listOrdersOperation,
  fetchOrder,
  updateOrderOperation,
  deleteOrder,
  fetchTimeline,
];

/**
 * Places the order a form words, whichever API it came through. Throws as `placeOrder`, 21406, 21470, 22105 and 22119.
 */
export async function orderByForm(
  deps: ApiDeps,
  callerSid: string,
  form: CreateOrderForm,
  sid: string,
): Promise<OrderRow> {
  if (form.SmsCapability !== true) throw new ApiError(22119);
  const accountSid = form.AccountSid ?? callerSid;
  await requireHost(deps, callerSid, accountSid);
  const callbacks = callbacksOf(form);
  const { statusCallbackUrl, smsUrl, smsFallbackUrl } = callbacks;
  await requireSafeUrls(deps, [statusCallbackUrl, smsUrl, smsFallbackUrl], 22105);
  if (smsFallbackUrl && !smsUrl) throw new ApiError(21406);
  return placeOrder(deps, {
    sid,
    accountSid,
    phoneNumber: form.PhoneNumber,
    ...labelsOf(form),
    ...verificationOf(form),
    ...callbacks,
    addressSid: form.AddressSid ?? null,
  });
}

/** A proof has to be known, the account's own, and goes with the phone-bill type only. Throws 22118. */
async function requireProof(deps: ApiDeps, order: OrderRow, changes: OrderChanges): Promise<void> {
  const sid = changes.verificationDocumentSid;
  if (!sid) return;
  requireBillType(order, changes);
  const proof = await findVerificationDocument(deps.db, { sid, accountSid: order.accountSid });
  if (!proof) throw new ApiError(22118, 'VerificationDocumentSid is not a document of this account');
}
