/** /v2/HostedNumber/Orders/Bulk: up to 10,000 orders in one request, placed by a workflow. Source: domain.md §1.11. */
import { z } from 'zod';
import { type BulkRequestRow, type BulkResultRow, readBulkResults } from '../db/reads/bulk-requests.ts';
import { bulkStatuses } from '../domain/bulk-request.ts';
import { ApiError } from '../domain/errors.ts';
import { orderStatuses } from '../domain/hosted-number-order.ts';
import { createBulkRequest, requireBulkRequest } from './bulk-commands.ts';
import { bulkForm, bulkItems } from './bulk-order-form.ts';
import { isoDate } from './dates.ts';
import * as field from './fields.ts';
import { readJson } from './json-body.ts';
import { operation, type Operation } from './operation.ts';
import { requireSafeUrls } from './safe-url.ts';

const path = '/v2/HostedNumber/Orders/Bulk';
const common = { tag: 'Numbers v2', auth: 'account' } as const;

/** Groups of the results: where an order stands, or why there is none. */
const groups = [...orderStatuses, 'queued', 'refused', 'canceled'] as const;
type Group = (typeof groups)[number];

const resultSchema = z.object({
  phone_number: z.string(),
  account_sid: z.string(),
  hosted_number_order_sid: z.string().nullable(),
  incoming_phone_number_sid: z.string().nullable(),
  failure_reason: z.string().nullable(),
  error_code: z.int().nullable().meta({ description: 'Why no order was placed' }),
});
const bulkOrderSchema = z
  .object({
    bulk_hosting_sid: z.string().meta({ examples: ['BH0123456789abcdef0123456789abcdef'] }),
    request_status: z.enum(bulkStatuses),
    friendly_name: z.string().nullable(),
    notification_email: z.string().nullable(),
    date_created: z.string().meta({ format: 'date-time' }),
    date_completed: z.string().meta({ format: 'date-time' }).nullable(),
    url: z.url(),
    total_count: z.int(),
    results: z.array(
      z.object({ order_status: z.enum(groups), count: z.int(), orders: z.array(resultSchema) }),
    ),
  })
  .meta({ id: 'BulkHostedNumberOrder' });

const createOperation = operation({
  ...common,
  id: 'createBulkHostedNumberOrder',
  method: 'POST',
  path,
  summary: 'Order hosting of many numbers',
  description:
    'A JSON object with up to 10,000 `phone_numbers`: each the number, or an object that gives it a `friendly_name` ' +
    'and its own values of the fields beside it. A number that cannot be ordered is among the results as `refused`, ' +
    'with the code that an order of its own would be answered with; it does not hold up the others.',
  readBody: readJson,
  bodyLimitBytes: (config) => config.api.uploadLimitBytes,
  form: bulkForm,
  responses: { 202: { description: 'Accepted', schema: bulkOrderSchema } },
  errors: [21406],
  handler: async ({ ctx, deps, account, form, newSid }) => {
    const sid = newSid('bulkOrder');
    const { sms_url, sms_fallback_url, status_callback_url } = form;
    if (sms_fallback_url && !sms_url && !form.sms_application_sid) throw new ApiError(21406);
    await requireSafeUrls(
      deps,
      [sms_url ?? null, sms_fallback_url ?? null, status_callback_url ?? null],
      22105,
    );
    const items = await bulkItems(deps, account, form, sid);
    const request = await createBulkRequest(
      deps,
      {
        sid,
        accountSid: account.sid,
        kind: 'order',
        friendlyName: form.friendly_name ?? null,
        notificationEmail: form.notification_email ?? null,
      },
      items,
    );
    return ctx.json(bulkOrderJson(request, [], null, deps.config.env.publicUrl), 202);
  },
});

const fetchOperation = operation({
  ...common,
  id: 'fetchBulkHostedNumberOrder',
  method: 'GET',
  path: `${path}/{BulkHostingSid}`,
  summary: 'Fetch a bulk request with its orders, grouped by their status now',
  query: z.object({ OrderStatus: field.optional(field.choice(groups, 22111)) }),
  responses: { 200: { description: 'The request', schema: bulkOrderSchema } },
  handler: async ({ ctx, deps, account, params, query }) => {
    const question = { accountSid: account.sid, sid: params.BulkHostingSid, kind: 'order' } as const;
    const request = await requireBulkRequest(deps, question);
    const rows = await readBulkResults(deps.db, request.sid);
    return ctx.json(bulkOrderJson(request, rows, query.OrderStatus ?? null, deps.config.env.publicUrl));
  },
});

export const bulkOrderOperations: readonly Operation[] = [createOperation, fetchOperation];

function bulkOrderJson(
  request: BulkRequestRow,
  rows: readonly BulkResultRow[],
  wanted: Group | null,
  publicUrl: string,
): z.infer<typeof bulkOrderSchema> {
  const results = groups
    .filter((group) => wanted === null || group === wanted)
    .flatMap((group) => {
      const orders = rows.filter((row) => groupOf(row) === group).map(resultJson);
      return orders.length === 0 ? [] : [{ order_status: group, count: orders.length, orders }];
    });
  return {
    bulk_hosting_sid: request.sid,
    request_status: request.status,
    friendly_name: request.friendlyName,
    notification_email: request.notificationEmail,
    date_created: isoDate(request.dateCreated),
    date_completed: request.dateCompleted && isoDate(request.dateCompleted),
    url: `${publicUrl}${path}/${request.sid}`,
    total_count: request.totalCount,
    results,
  };
}

function groupOf({ outcome, orderStatus }: BulkResultRow): Group {
  if (outcome === null) return 'queued';
  if (outcome.kind === 'refused') return 'refused';
  return orderStatus ?? 'canceled';
}

function resultJson(row: BulkResultRow): z.infer<typeof resultSchema> {
  const { outcome } = row;
  const refusal = outcome?.kind === 'refused' ? outcome : null;
  return {
    phone_number: row.phoneNumber,
    account_sid: row.accountSid,
    hosted_number_order_sid: outcome?.kind === 'placed' ? row.orderSid : null,
    incoming_phone_number_sid: row.incomingPhoneNumberSid,
    failure_reason: refusal?.message ?? row.failureReason,
    error_code: refusal?.code ?? null,
  };
}
