/** What is done with a webhook beside changing it: its secret, a test event, sending again; and where requests come from. */
import { z } from 'zod';
import type { SubscriptionRow } from '../db/reads/subscriptions.ts';
import { eventTypes } from '../domain/events.ts';
import { replayDeliveries, sendTestEvent } from './delivery-commands.ts';
import { operation, type Operation } from './operation.ts';
import { rotateWebhookSecret } from './webhook-commands.ts';
import { replayForm, rotateSecretForm, testWebhookForm } from './webhook-forms.ts';
import {
  deliveryDetailsJson,
  deliveryDetailsSchema,
  secretJson,
  secretSchema,
  webhookAddress,
} from './webhook-representations.ts';
import { requireWebhook } from './webhooks.ts';

const path = '/Webhooks/{Sid}';
const tag = 'Webhooks';
const secretAnswer = { description: 'The webhook with its secret', schema: secretSchema };

const fetchSecret = operation({
  id: 'fetchWebhookSecret',
  method: 'GET',
  path: `${path}/Secret`,
  tag,
  summary: 'Tell the signing secret again',
  auth: 'account',
  responses: { 200: secretAnswer },
  handler: async ({ ctx, deps, account, params }) =>
    ctx.json(secretJson(await requireWebhook(deps, account.sid, params.Sid), deps)),
});

const rotateSecret = operation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${path}/Secret`,
  tag,
  summary: 'Put a new signing secret in place',
  description:
    'For a day deliveries carry a signature of the old one as well, so that the receiver can change without a gap; after ' +
    'several rotations of each of the last ten.',
  auth: 'account',
  form: rotateSecretForm,
  responses: { 200: secretAnswer },
  handler: async ({ ctx, deps, account, params, form, once }) => {
    const key = { accountSid: account.sid, sid: params.Sid };
    let rotated: SubscriptionRow | undefined;
    await once(deps.db, async (tx) => {
      rotated = await rotateWebhookSecret({ ...deps, db: tx }, key, form.Secret);
    });
    // A request that is repeated with its key finds its change made.
    return ctx.json(secretJson(rotated ?? (await requireWebhook(deps, account.sid, params.Sid)), deps));
  },
});

const testWebhook = operation({
  id: 'testWebhook',
  method: 'POST',
  path: `${path}/Test`,
  tag,
  summary: 'Send a made-up event',
  auth: 'account',
  form: testWebhookForm,
  responses: { 201: { description: 'The delivery', schema: deliveryDetailsSchema } },
  errors: [20409],
  handler: async ({ ctx, deps, account, params, form, newSid }) => {
    const webhook = await requireWebhook(deps, account.sid, params.Sid);
    const eventType = form.EventType ?? webhook.events[0] ?? eventTypes[0];
    const details = await sendTestEvent(deps, webhook, { replaySid: newSid('replay'), eventType });
    return ctx.json(deliveryDetailsJson(details), 201);
  },
});

const replaySchema = z
  .object({
    sid: z.string().meta({ examples: ['RP0123456789abcdef0123456789abcdef'] }),
    webhook_sid: z.string(),
    since: z.string(),
    status: z.array(z.string()),
    deliveries_url: z.url(),
  })
  .meta({ id: 'Replay' });

const replayWebhook = operation({
  id: 'replayWebhook',
  method: 'POST',
  path: `${path}/Replay`,
  tag,
  summary: 'Send again what was missed since a time',
  description:
    'Every delivery made since then that stands in one of the statuses is sent again as a new delivery, with the same ' +
    '`webhook-id`. Events of one message arrive in their order, those that are still pending included; different messages in ' +
    'any. The work goes on after the answer.',
  auth: 'account',
  form: replayForm,
  responses: { 202: { description: 'Begun', schema: replaySchema } },
  errors: [20409],
  handler: async ({ ctx, deps, account, params, form, newSid }) => {
    const webhook = await requireWebhook(deps, account.sid, params.Sid);
    const replaySid = newSid('replay');
    const states = form.Status?.length ? form.Status : (['dead-letter', 'disabled'] as const);
    const since = form.Since.toISOString();
    await replayDeliveries(deps, webhook, { replaySid, selection: { kind: 'since', since, states } });
    return ctx.json(
      {
        sid: replaySid,
        webhook_sid: webhook.sid,
        since,
        status: states,
        deliveries_url: `${webhookAddress(deps.config.env.publicUrl, webhook.sid)}/Deliveries`,
      },
      202,
    );
  },
});

const listSources = operation({
  id: 'listWebhookSources',
  method: 'GET',
  path: '/webhook-sources',
  tag,
  summary: 'Addresses that webhooks come from, for allow-lists',
  auth: 'none',
  responses: {
    200: { description: 'Addresses', schema: z.object({ sources: z.array(z.string()) }) },
  },
  handler: ({ ctx, deps }) => ctx.json({ sources: deps.config.deliveries.sources }),
});

export const webhookActionOperations: readonly Operation[] = [
  fetchSecret,
  rotateSecret,
  testWebhook,
  replayWebhook,
  listSources,
];
