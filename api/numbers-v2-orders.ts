/** /v2/HostedNumber/Orders: the newer shape of orders, over the same commands. Source: domain.md §1.11. */
import { z } from 'zod';
import { listOrders, type OrderRow } from '../db/reads/hosted-number-orders.ts';
import { readSurroundings } from '../db/reads/order-state.ts';
import { addOtherSettings } from '../db/writes/configuration.ts';
import { ApiError } from '../domain/errors.ts';
import { cancellableStatuses, orderStatuses } from '../domain/hosted-number-order.ts';
import { isSid } from '../domain/sid.ts';
import type { ApiDeps } from './deps.ts';
import * as field from './fields.ts';
import { createOrderForm, orderFilterOf, updateOrderForm } from './hosted-number-order-forms.ts';
import { orderByForm } from './hosted-number-orders.ts';
import { type ContactSettings, orderV2Json, orderV2Schema, ordersPath as path } from './numbers-v2-json.ts';
import { operation, type Operation } from './operation.ts';
import { cancelOrder, updateOrder } from './order-commands.ts';
import { pageRequest, pagingFields, previewList, previewListSchema } from './paging.ts';
import { requireOrder } from './required-rows.ts';

const common = { tag: 'Numbers v2', auth: 'account' } as const;
const orderAnswer = { description: 'The order', schema: orderV2Schema };

const createForm = createOrderForm
  .omit({ UniqueName: true, VerificationType: true, VerificationDocumentSid: true, FriendlyName: true })
  .extend({
    ContactPhoneNumber: field.telephone(),
    ContactTitle: field.optional(field.text({ max: 128 })),
    AddressSid: field.sid('address', 22109),
    Email: field.email(),
    FriendlyName: field.optional(field.text({ max: 128, code: 22116 })),
  });

const createOperation = operation({
  ...common,
  id: 'createHostedNumberOrderV2',
  method: 'POST',
  path,
  summary: 'Order hosting of a number you own',
  form: createForm,
  responses: { 201: orderAnswer },
  errors: [21406, 22103, 22110, 22119],
  handler: async ({ ctx, deps, account, form, newSid }) => {
    const complete = { ...form, SmsCapability: form.SmsCapability ?? true };
    const order = await orderByForm(deps, account.sid, complete, newSid('hostedNumberOrder'));
    const contact: ContactSettings = {
      ContactPhoneNumber: form.ContactPhoneNumber,
      ...(form.ContactTitle ? { ContactTitle: form.ContactTitle } : {}),
    };
    await addOtherSettings(deps.db, order.incomingPhoneNumberSid, { ...contact });
    return ctx.json(await orderV2(deps, order), 201);
  },
});

const fetchOperation = operation({
  ...common,
  id: 'fetchHostedNumberOrderV2',
  method: 'GET',
  path: `${path}/{Sid}`,
  summary: 'Fetch an order',
  responses: { 200: orderAnswer },
  handler: async ({ ctx, deps, account, params }) =>
    ctx.json(await orderV2(deps, await requireOrderBySid(deps, account.sid, params.Sid))),
});

const updateOperation = operation({
  ...common,
  id: 'updateHostedNumberOrderV2',
  method: 'POST',
  path: `${path}/{Sid}`,
  summary: 'Verify ownership of the number',
  description:
    'With `Status=pending-verification` a call is placed; the answer holds its `verification_code`.',
  form: z.object({
    Status: field.choice(orderStatuses, 22111),
    VerificationCallDelay: updateOrderForm.shape.CallDelay,
    VerificationCallExtension: updateOrderForm.shape.Extension,
  }),
  responses: { 200: orderAnswer },
  errors: [22100, 22112, 22123],
  handler: async ({ ctx, deps, account, params, form, updateKey }) => {
    const order = await requireOrderBySid(deps, account.sid, params.Sid);
    if (form.Status !== 'pending-verification') throw new ApiError(22112);
    const { VerificationCallDelay: callDelay, VerificationCallExtension: extension } = form;
    const changes = {
      verificationType: 'phone-call' as const,
      ...(typeof callDelay === 'number' ? { callDelay } : {}),
      ...(extension === undefined ? {} : { extension }),
    };
    const changed = await updateOrder(deps, order, { changes, startVerification: true }, updateKey);
    return ctx.json(await orderV2(deps, changed));
  },
});

const deleteOperation = operation({
  ...common,
  id: 'deleteHostedNumberOrderV2',
  method: 'DELETE',
  path: `${path}/{Sid}`,
  summary: 'Cancel an order in received',
  description:
    'Refused (20409) in every other status. /HostedNumbers/HostedNumberOrders cancels orders in ' +
    `${cancellableStatuses.join(', ')}.`,
  responses: { 204: { description: 'Canceled' } },
  errors: [20409],
  handler: async ({ ctx, deps, account, params }) => {
    const order = await requireOrderBySid(deps, account.sid, params.Sid);
    if (order.status !== 'received') throw new ApiError(20409, 'Only an order in received can be canceled');
    await cancelOrder(deps, order);
    return ctx.body(null, 204);
  },
});

const listOperation = operation({
  ...common,
  id: 'listHostedNumberOrdersV2',
  method: 'GET',
  path,
  summary: 'List orders, newest first',
  query: z.object({
    Status: field.optional(field.choice(orderStatuses, 22111)),
    SmsCapability: field.optional(field.flag()),
    PhoneNumber: field.optional(field.phoneNumber()),
    IncomingPhoneNumberSid: field.optional(field.text({ max: 64 })),
    FriendlyName: field.optional(field.text({ max: 128 })),
    ...pagingFields,
  }),
  responses: { 200: { description: 'A page of orders', schema: previewListSchema(orderV2Schema) } },
  handler: async ({ ctx, deps, account, query }) => {
    const request = pageRequest(query);
    // Every hosted number is ordered for SMS.
    const page =
      query.SmsCapability === false
        ? { rows: [], next: null, previous: null }
        : await listOrders(deps.db, account.sid, orderFilterOf(query), request);
    const toItem = await orderV2Writer(deps, page.rows);
    const address = deps.config.env.publicUrl + path;
    return ctx.json(previewList({ address, requestUrl: ctx.req.url, request, page, toItem }));
  },
});

export const ordersV2Operations: readonly Operation[] = [
  createOperation,
  listOperation,
  fetchOperation,
  updateOperation,
  deleteOperation,
];

/** Sids only: v2 has no unique names. */
async function requireOrderBySid(deps: ApiDeps, accountSid: string, sid: string): Promise<OrderRow> {
  if (!isSid('hostedNumberOrder', sid)) throw new ApiError(20404);
  return requireOrder(deps, accountSid, sid);
}

/** Writes orders with their contacts and what comes next, which are read once for all of them. */
export async function orderV2Writer(
  { db, config }: ApiDeps,
  orders: readonly OrderRow[],
): Promise<(order: OrderRow) => z.infer<typeof orderV2Schema>> {
  const surroundings = await readSurroundings(
    db,
    orders.map((order) => order.sid),
  );
  return (order) => {
    const around = surroundings.get(order.sid);
    if (!around) throw new Error('an order without a number');
    return orderV2Json({ ...around, ...order }, config.env.publicUrl);
  };
}

async function orderV2(deps: ApiDeps, order: OrderRow): Promise<z.infer<typeof orderV2Schema>> {
  return (await orderV2Writer(deps, [order]))(order);
}
