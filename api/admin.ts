/** /admin: what the people who run the service do. Basic `admin:ADMIN_TOKEN`. Source: design.md §5. */
import { z } from 'zod';
import { findAccount } from '../db/reads/accounts.ts';
import { findVerificationDocument } from '../db/reads/authorization-documents.ts';
import {
  findAnyOrder,
  listOrders,
  listWaitingOrders,
  type OperatorOrder,
  type OrderRow,
} from '../db/reads/hosted-number-orders.ts';
import { readTimeline } from '../db/reads/timeline.ts';
import { accountStatuses } from '../domain/account.ts';
import { ApiError } from '../domain/errors.ts';
import { orderStatuses, resolveTargets } from '../domain/hosted-number-order.ts';
import { changeAccount, createAccount } from './account-commands.ts';
import { accountJson, accountSchema } from './accounts.ts';
import type { ApiDeps } from './deps.ts';
import * as field from './fields.ts';
import { operation, type Operation } from './operation.ts';
import {
  decideRegistration,
  resetVerification,
  resolveOrder,
  restoreNumber,
  reviewBill,
  takeOverNumber,
} from './order-commands.ts';
import { pageRequest, pagingFields, previewList, previewListSchema } from './paging.ts';
import { orderJson, orderSchema, timelineEntryJson, timelineEntrySchema } from './representations.ts';

const common = { tag: 'Administration', auth: 'admin' } as const;
const ordersPath = '/admin/HostedNumberOrders';
const adminOrderSchema = orderSchema.extend({
  number_state: z.string().nullable(),
  timeline: z.array(timelineEntrySchema),
});

const takeOver = operation({
  ...common,
  id: 'takeOverHostedNumber',
  method: 'POST',
  path: '/admin/HostedNumbers',
  summary: 'Take over a number that is hosted already',
  description: 'Makes a completed order with its workflow; the registry is not asked and nobody is called.',
  form: z.object({
    AccountSid: field.sid('account', 21470),
    PhoneNumber: field.phoneNumber(),
    FriendlyName: field.optional(field.text({ max: 64, code: 22116 })),
  }),
  responses: { 201: { description: 'The completed order', schema: orderSchema } },
  errors: [21471, 22103, 22110],
  handler: async ({ ctx, deps, form, newSid }) => {
    if (!(await findAccount(deps.db, form.AccountSid))) throw new ApiError(21471);
    const order = await takeOverNumber(deps, form.AccountSid, form.PhoneNumber, {
      sid: newSid('hostedNumberOrder'),
      friendlyName: form.FriendlyName ?? null,
    });
    return ctx.json(orderJson(order, deps.config.env.publicUrl), 201);
  },
});

const listOperation = operation({
  ...common,
  id: 'listOrdersForAdministrators',
  method: 'GET',
  path: ordersPath,
  summary: 'List the orders of every account',
  description: '`Waiting=true`: those an administrator has to act on; the other filters do not count then.',
  query: z.object({
    Waiting: field.optional(field.flag()),
    Status: field.optional(field.choice(orderStatuses, 22111)),
    AccountSid: field.optional(field.sid('account', 21470)),
    PhoneNumber: field.optional(field.phoneNumber()),
    ...pagingFields,
  }),
  responses: { 200: { description: 'A page of orders', schema: previewListSchema(orderSchema) } },
  handler: async ({ ctx, deps, query }) => {
    const request = pageRequest(query);
    const { publicUrl } = deps.config.env;
    const filter = { status: query.Status, phoneNumber: query.PhoneNumber };
    const page = query.Waiting
      ? await listWaitingOrders(deps.db, request)
      : await listOrders(deps.db, query.AccountSid ?? null, filter, request);
    const toItem = (order: OrderRow): z.infer<typeof orderSchema> => orderJson(order, publicUrl);
    const address = publicUrl + ordersPath;
    return ctx.json(previewList({ address, requestUrl: ctx.req.url, request, page, toItem }));
  },
});

const fetchOperation = operation({
  ...common,
  id: 'fetchOrderForAdministrators',
  method: 'GET',
  path: `${ordersPath}/{Sid}`,
  summary: 'Any order with its timeline, canceled ones too',
  responses: { 200: { description: 'The order', schema: adminOrderSchema } },
  handler: async ({ ctx, deps, params }) =>
    ctx.json(await adminOrderJson(deps, await requireAnyOrder(deps, params.Sid))),
});

const actForm = z.object({
  Action: field.choice(['resolve', 'reset-verification', 'review-bill', 'decide-registration', 'restore']),
  Target: field.optional(field.choice(resolveTargets)),
  Accepted: field.optional(field.flag()),
  Reason: field.optional(field.text({ max: 500 })),
});

const act = operation({
  ...common,
  id: 'actOnOrder',
  method: 'POST',
  path: `${ordersPath}/{Sid}`,
  summary:
    'Resolve an order, give attempts back, review a bill, enter what the registry decided, restore a number',
  description:
    '`resolve` needs Target; `review-bill` and `decide-registration` need Accepted. `decide-registration` is for a ' +
    'registry that tells people: the order, in carrier-processing, goes on a moment after the answer. `restore` works ' +
    'within the 3 days after a release.',
  form: actForm,
  responses: { 200: { description: 'The order', schema: adminOrderSchema } },
  errors: [20409, 22112],
  handler: async ({ ctx, deps, params, form }) => {
    const order = await requireAnyOrder(deps, params.Sid);
    await perform(deps, order, form);
    return ctx.json(await adminOrderJson(deps, await requireAnyOrder(deps, order.sid)));
  },
});

const fetchProof = operation({
  ...common,
  id: 'fetchVerificationDocumentFile',
  method: 'GET',
  path: '/admin/VerificationDocuments/{Sid}/File',
  summary: 'The phone bill itself, for its review',
  responses: {
    200: { description: 'The file as it was handed in', contentType: '*/*' },
  },
  handler: async ({ ctx, deps, params }) => {
    const proof = await findVerificationDocument(deps.db, { sid: params.Sid, accountSid: null });
    if (!proof) throw new ApiError(20404);
    return ctx.body(new Uint8Array(proof.bytes), 200, {
      'Content-Type': proof.mimeType,
      'Content-Disposition': `attachment; filename="${proof.sid}"`,
    });
  },
});

const createAccountOperation = operation({
  ...common,
  id: 'createMainAccount',
  method: 'POST',
  path: '/admin/Accounts',
  summary: 'Create an account for a customer',
  form: z.object({
    FriendlyName: field.text({ min: 1, max: 64, code: 22116 }),
    Email: field.optional(field.email()),
  }),
  responses: { 201: { description: 'The account', schema: accountSchema } },
  handler: async ({ ctx, deps, form, newSid }) => {
    const sid = newSid('account');
    const account = await createAccount(deps, {
      sid,
      ownerAccountSid: sid,
      friendlyName: form.FriendlyName,
      email: form.Email ?? null,
    });
    return ctx.json(accountJson(account, deps.vault), 201);
  },
});

const updateAccountOperation = operation({
  ...common,
  id: 'updateAnyAccount',
  method: 'POST',
  path: '/admin/Accounts/{Sid}',
  summary: 'Suspend or reactivate an account, or change where it is mailed',
  description: 'A closed account stays closed.',
  form: z.object({
    Status: field.optional(field.choice(accountStatuses)),
    Email: field.optional(field.email()),
  }),
  responses: { 200: { description: 'The account', schema: accountSchema } },
  errors: [20409],
  handler: async ({ ctx, deps, params, form }) => {
    const changes = {
      ...(form.Status ? { status: form.Status } : {}),
      ...(form.Email === undefined ? {} : { email: form.Email }),
    };
    return ctx.json(accountJson(await changeAccount(deps, params.Sid, changes), deps.vault));
  },
});

export const adminOperations: readonly Operation[] = [
  takeOver,
  listOperation,
  fetchOperation,
  act,
  fetchProof,
  createAccountOperation,
  updateAccountOperation,
];

async function perform(deps: ApiDeps, order: OrderRow, form: z.output<typeof actForm>): Promise<void> {
  const { sid } = order;
  const reason = form.Reason ?? undefined;
  switch (form.Action) {
    case 'resolve':
      if (!form.Target) throw new ApiError(20001, 'Target is missing');
      return resolveOrder(deps, sid, form.Target, reason);
    case 'reset-verification':
      return resetVerification(deps, sid, reason);
    case 'review-bill':
      return reviewBill(deps, sid, requireAccepted(form.Accepted), reason);
    case 'decide-registration':
      return decideRegistration(deps, order, {
        accepted: requireAccepted(form.Accepted),
        reason: reason ?? null,
      });
    case 'restore':
      return restoreNumber(deps, sid, reason);
  }
}

function requireAccepted(accepted: unknown): boolean {
  if (typeof accepted !== 'boolean') throw new ApiError(20001, 'Accepted is missing');
  return accepted;
}

async function requireAnyOrder(deps: ApiDeps, sid: string): Promise<OperatorOrder> {
  const order = await findAnyOrder(deps.db, sid);
  if (!order) throw new ApiError(20404);
  return order;
}

async function adminOrderJson(
  deps: ApiDeps,
  order: OperatorOrder,
): Promise<z.infer<typeof adminOrderSchema>> {
  const timeline = await readTimeline(deps.db, order.sid);
  return {
    ...orderJson(order, deps.config.env.publicUrl),
    number_state: order.numberState,
    timeline: timeline.map(timelineEntryJson),
  };
}
