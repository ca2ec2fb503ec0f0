/** /Webhooks: endpoints and the events they want. The specification leaves open how a customer subscribes: decision 0010. */
import { z } from 'zod';
import { findSubscription, listSubscriptions, type SubscriptionRow } from '../db/reads/subscriptions.ts';
import { ApiError } from '../domain/errors.ts';
import type { ApiDeps } from './deps.ts';
import { operation, type Operation } from './operation.ts';
import { pageRequest, pagingFields, previewList, previewListSchema } from './paging.ts';
import { addWebhook, changeWebhook, removeWebhook } from './webhook-commands.ts';
import { createWebhookForm, settingsOf, updateWebhookForm, webhookFilterFields } from './webhook-forms.ts';
import { secretJson, secretSchema, webhookJson, webhookSchema } from './webhook-representations.ts';

const path = '/Webhooks';
const tag = 'Webhooks';
const webhookAnswer = { description: 'The webhook', schema: webhookSchema };

const createWebhook = operation({
  id: 'createWebhook',
  method: 'POST',
  path,
  tag,
  summary: 'Subscribe an endpoint to events',
  description:
    'Each event is sent to `{Url}/{event}`, signed as Standard Webhooks says, until a 2xx answer or for 72 hours. ' +
    'A URL that leads to an address that is not public is refused with the reason.',
  auth: 'account',
  form: createWebhookForm,
  responses: { 201: { description: 'The webhook with its secret', schema: secretSchema } },
  errors: [20409],
  handler: async ({ ctx, deps, account, form, newSid }) => {
    const row = await addWebhook(deps, {
      ...settingsOf(form),
      sid: newSid('subscription'),
      accountSid: account.sid,
      url: form.Url,
      secret: form.Secret,
    });
    return ctx.json(secretJson(row, deps), 201);
  },
});

const listWebhooks = operation({
  id: 'listWebhooks',
  method: 'GET',
  path,
  tag,
  summary: 'List webhooks, newest first',
  auth: 'account',
  query: z.object({ ...webhookFilterFields, ...pagingFields }),
  responses: { 200: { description: 'A page', schema: previewListSchema(webhookSchema, 'webhooks') } },
  handler: async ({ ctx, deps, account, query }) => {
    const request = pageRequest(query);
    const { publicUrl } = deps.config.env;
    const filter = {
      accountSid: account.sid,
      phoneNumber: query.PhoneNumber,
      eventType: query.EventType,
      enabled: query.Enabled,
    };
    const page = await listSubscriptions(deps.db, filter, request);
    const toItem = (row: SubscriptionRow): z.infer<typeof webhookSchema> => webhookJson(row, publicUrl);
    const list = { address: publicUrl + path, requestUrl: ctx.req.url, request, page, toItem };
    return ctx.json(previewList(list, 'webhooks'));
  },
});

const fetchWebhook = operation({
  id: 'fetchWebhook',
  method: 'GET',
  path: `${path}/{Sid}`,
  tag,
  summary: 'Fetch a webhook',
  auth: 'account',
  responses: { 200: webhookAnswer },
  handler: async ({ ctx, deps, account, params }) =>
    ctx.json(webhookJson(await requireWebhook(deps, account.sid, params.Sid), deps.config.env.publicUrl)),
});

const updateWebhook = operation({
  id: 'updateWebhook',
  method: 'POST',
  path: `${path}/{Sid}`,
  tag,
  summary: 'Change a webhook, switch it on or off',
  description:
    'Deliveries that are under way follow: the next attempt goes where the webhook points by then. While it is ' +
    'switched off, events are kept as `disabled` deliveries, to be replayed.',
  auth: 'account',
  form: updateWebhookForm,
  responses: { 200: webhookAnswer },
  handler: async ({ ctx, deps, account, params, form }) => {
    const row = await changeWebhook(deps, { accountSid: account.sid, sid: params.Sid }, settingsOf(form));
    return ctx.json(webhookJson(row, deps.config.env.publicUrl));
  },
});

const deleteWebhook = operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: `${path}/{Sid}`,
  tag,
  summary: 'End a subscription',
  auth: 'account',
  responses: { 204: { description: 'Ended; its deliveries stay in the log' } },
  handler: async ({ ctx, deps, account, params }) => {
    await removeWebhook(deps, { accountSid: account.sid, sid: params.Sid });
    return ctx.body(null, 204);
  },
});

export const webhookOperations: readonly Operation[] = [
  createWebhook,
  listWebhooks,
  fetchWebhook,
  updateWebhook,
  deleteWebhook,
];

/** Throws 20404. */
export async function requireWebhook(
  deps: ApiDeps,
  accountSid: string,
  sid: string,
): Promise<SubscriptionRow> {
  const row = await findSubscription(deps.db, { accountSid, sid });
  if (!row) throw new ApiError(20404);
  return row;
}
