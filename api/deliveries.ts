/** The delivery log: of a webhook, and of the whole account with its status callbacks. */
import { z } from 'zod';
import { listDeliveries, type DeliveryDetails } from '../db/reads/deliveries.ts';
import { ApiError } from '../domain/errors.ts';
import { cancelDelivery, retryDelivery } from './delivery-commands.ts';
import type { ApiDeps } from './deps.ts';
import { operation, type Operation } from './operation.ts';
import { pageRequest, pagingFields, previewList, previewListSchema } from './paging.ts';
import { requireDelivery } from './required-rows.ts';
import { deliveryActionForm, deliveryFilterFields } from './webhook-forms.ts';
import { requireWebhook } from './webhooks.ts';
import {
  deliveryDetailsJson,
  deliveryDetailsSchema,
  deliveryJson,
  deliverySchema,
} from './webhook-representations.ts';

const ofWebhook = '/Webhooks/{WebhookSid}/Deliveries';
const ofAccount = '/Deliveries';
const tag = 'Deliveries';
const listAnswer = { description: 'A page', schema: previewListSchema(deliverySchema, 'deliveries') };
const detailsAnswer = { description: 'The delivery and its attempts', schema: deliveryDetailsSchema };
const listQuery = z.object({ ...deliveryFilterFields, ...pagingFields });

const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: ofWebhook,
  tag,
  summary: 'List deliveries of a webhook, newest first',
  auth: 'account',
  query: listQuery,
  responses: { 200: listAnswer },
  handler: async ({ ctx, deps, account, params, query }) => {
    await requireWebhook(deps, account.sid, params.WebhookSid);
    const scope = { accountSid: account.sid, subscriptionSid: params.WebhookSid };
    const path = `/Webhooks/${params.WebhookSid}/Deliveries`;
    return ctx.json(await deliveryList(deps, scope, { query, path, requestUrl: ctx.req.url }));
  },
});

const listAccountDeliveries = operation({
  id: 'listDeliveries',
  method: 'GET',
  path: ofAccount,
  tag,
  summary: 'List all deliveries of the account, status callbacks included, newest first',
  auth: 'account',
  query: listQuery,
  responses: { 200: listAnswer },
  handler: async ({ ctx, deps, account, query }) => {
    const scope = { accountSid: account.sid };
    return ctx.json(await deliveryList(deps, scope, { query, path: ofAccount, requestUrl: ctx.req.url }));
  },
});

/** Fetching and changing one delivery: the same under either path. */
function operationsOfOne(
  path: typeof ofWebhook | typeof ofAccount,
  ids: { readonly fetch: string; readonly update: string },
): Operation[] {
  const common = { path: `${path}/{Sid}`, tag, auth: 'account', responses: { 200: detailsAnswer } } as const;
  return [
    operation({
      ...common,
      id: ids.fetch,
      method: 'GET',
      summary: 'Fetch a delivery with its attempts',
      handler: async ({ ctx, deps, account, params }) =>
        ctx.json(deliveryDetailsJson(await requireNamed(deps, account.sid, params))),
    }),
    operation({
      ...common,
      id: ids.update,
      method: 'POST',
      summary: 'Retry or cancel a delivery',
      description:
        '`Action=retry`: a pending delivery is attempted at once, or when its turn at a busy endpoint comes. One that waits ' +
        'for an earlier event of its message or order goes on waiting, since their order is kept; the first delivery of ' +
        'that queue is attempted instead. One that has ended is sent again as a new delivery, which is the answer. ' +
        'Refused (20409) where the webhook is switched off or deleted. ' +
        '`Action=cancel`: a pending delivery ends; where that takes longer than a few seconds the answer still says ' +
        '`pending`.',
      form: deliveryActionForm,
      errors: [20409],
      handler: async ({ ctx, deps, account, params, form }) => {
        const command = form.Action === 'retry' ? retryDelivery : cancelDelivery;
        const details = await requireNamed(deps, account.sid, params);
        return ctx.json(deliveryDetailsJson(await command(deps, details)));
      },
    }),
  ];
}

export const deliveryOperations: readonly Operation[] = [
  listWebhookDeliveries,
  ...operationsOfOne(ofWebhook, { fetch: 'fetchWebhookDelivery', update: 'updateWebhookDelivery' }),
  listAccountDeliveries,
  ...operationsOfOne(ofAccount, { fetch: 'fetchDelivery', update: 'updateDelivery' }),
];

interface ListRequest {
  readonly query: z.output<typeof listQuery>;
  readonly path: string;
  readonly requestUrl: string;
}

async function deliveryList(
  deps: ApiDeps,
  scope: { readonly accountSid: string; readonly subscriptionSid?: string },
  { query, path, requestUrl }: ListRequest,
): Promise<z.infer<typeof listAnswer.schema>> {
  const request = pageRequest(query);
  const filter = { ...scope, states: query.Status, kinds: query.EventType, since: query.Since };
  const page = await listDeliveries(deps.db, filter, request);
  const address = deps.config.env.publicUrl + path;
  return previewList({ address, requestUrl, request, page, toItem: deliveryJson }, 'deliveries');
}

/** The delivery under its path. Throws 20404, also where it is another webhook's. */
async function requireNamed(
  deps: ApiDeps,
  accountSid: string,
  params: { readonly Sid: string; readonly WebhookSid?: string },
): Promise<DeliveryDetails> {
  const details = await requireDelivery(deps, { accountSid, sid: params.Sid });
  const foreign = params.WebhookSid !== undefined && details.delivery.subscriptionSid !== params.WebhookSid;
  if (foreign) throw new ApiError(20404);
  return details;
}
