/** Zipwhip's `/user/login` and `/webhook/…` over the same subscriptions as the Webhooks resource. Source: domain.md §3.2. */
import { z } from 'zod';
import { listSubscriptions, findSubscription, type SubscriptionRow } from '../db/reads/subscriptions.ts';
import { ApiError } from '../domain/errors.ts';
import { eventTypes, type EventType } from '../domain/events.ts';
import type { ApiDeps } from './deps.ts';
import * as field from './fields.ts';
import { valuesParser } from './form.ts';
import type { Operation } from './operation.ts';
import { addWebhook, changeWebhook, removeWebhook } from './webhook-commands.ts';
import { zipwhipCall, zipwhipOperations } from './zipwhip-operation.ts';
import { logIn, type LineSession } from './zipwhip-session.ts';

const loginFields = z.object({ username: field.text({ max: 64 }), password: field.text({ max: 255 }) });
const readLogin = valuesParser(loginFields);

const login = zipwhipOperations(
  {
    id: 'zipwhipLogin',
    path: '/user/login',
    methods: ['POST'],
    summary: "Log a line in: its number, and its account's auth token as password",
    description:
      'The session ends with that token, the account or the line, and after 90 days without a call ' +
      '(`api.zipwhipSession`); then calls are answered 20003.',
    fields: loginFields,
    response: z.string(),
  },
  async ({ deps, gate, values }) => logIn(deps, gate, readLogin(values)),
);

const methods = ['POST', 'PUT', 'GET'] as const;
const webhookSchema = z
  .object({
    webhookId: z.string(),
    type: z.string(),
    event: z.string(),
    url: z.url(),
    method: z.enum(methods),
  })
  .meta({ id: 'ZipwhipWebhook' });
const webhooksSchema = z.array(webhookSchema);

const add = zipwhipCall({
  id: 'zipwhipWebhookAdd',
  path: '/webhook/add',
  methods: ['POST'],
  summary: 'Subscribe to one event of the line',
  fields: z.object({
    type: field.choice(['message', 'optout']),
    event: field.choice(['receive', 'send', 'progress', 'read', 'delete', 'change']),
    url: field.httpUrl(21402),
    method: field.optional(field.choice(methods)),
  }),
  response: webhooksSchema,
  handler: async ({ deps, accountSid, line, values, newSid }) => {
    const event = requireEvent(values.type, values.event);
    const row = await addWebhook(deps, {
      sid: newSid('subscription'),
      accountSid,
      phoneNumber: line,
      url: baseOf(values.url, event),
      events: [event],
      method: values.method ?? 'POST',
    });
    return webhooksJson(row);
  },
});

const update = zipwhipCall({
  id: 'zipwhipWebhookUpdate',
  path: '/webhook/update',
  methods: ['POST'],
  summary: 'Change address or method of a subscription',
  fields: z.object({
    webhookId: field.text({ max: 64 }),
    url: field.optional(field.httpUrl(21402)),
    method: field.optional(field.choice(methods)),
  }),
  response: webhooksSchema,
  handler: async ({ deps, accountSid, line, values }) => {
    const before = await requireWebhook(deps, { accountSid, line }, values.webhookId);
    const [event] = before.events;
    const row = await changeWebhook(
      deps,
      { accountSid, sid: before.sid },
      {
        ...(values.url ? { url: event ? baseOf(values.url, event) : values.url } : {}),
        ...(values.method ? { method: values.method } : {}),
      },
    );
    return webhooksJson(row);
  },
});

/** Subscriptions of one line that are listed at most. */
const maxListed = 1000;

const list = zipwhipCall({
  id: 'zipwhipWebhookList',
  path: '/webhook/list',
  methods: ['GET', 'POST'],
  summary: 'List the subscriptions of the line',
  fields: z.object({}),
  response: webhooksSchema,
  handler: async ({ deps, accountSid, line }) => {
    const request = { size: maxListed, page: 0, cursor: null };
    const { rows } = await listSubscriptions(deps.db, { accountSid, phoneNumber: line }, request);
    return rows.flatMap(webhooksJson);
  },
});

const remove = zipwhipCall({
  id: 'zipwhipWebhookDelete',
  path: '/webhook/delete',
  methods: ['POST'],
  summary: 'Remove a subscription',
  fields: z.object({ webhookId: field.text({ max: 64 }) }),
  response: z.array(z.never()),
  handler: async ({ deps, accountSid, line, values }) => {
    const { sid } = await requireWebhook(deps, { accountSid, line }, values.webhookId);
    await removeWebhook(deps, { accountSid, sid });
    return [];
  },
});

export const zipwhipWebhookOperations: readonly Operation[] = [
  ...login,
  ...add,
  ...update,
  ...list,
  ...remove,
];

function requireEvent(type: string, event: string): EventType {
  const wanted = eventTypes.find((known) => known === `${type}/${event}`);
  if (wanted === undefined) throw new ApiError(20001, 'type and event do not go together');
  return wanted;
}

/** Events go to `{url}/{type}/{event}`; who names that whole address means the same. */
function baseOf(url: string, event: EventType): string {
  const parsed = new URL(url);
  parsed.pathname = parsed.pathname.replace(/\/+$/, '');
  if (parsed.pathname.endsWith(`/${event}`)) parsed.pathname = parsed.pathname.slice(0, -event.length - 1);
  return parsed.href;
}

/** A subscription to several events, made elsewhere, reads as one webhook for each. */
function webhooksJson({ sid, url, method, events }: SubscriptionRow): z.infer<typeof webhooksSchema> {
  return events.map((kind) => {
    const [type = '', event = ''] = kind.split('/');
    return { webhookId: sid, type, event, url, method };
  });
}

/** A subscription of the session's own line. Throws 20404. */
async function requireWebhook(
  { db }: ApiDeps,
  { accountSid, line }: LineSession,
  sid: string,
): Promise<SubscriptionRow> {
  const row = await findSubscription(db, { accountSid, sid });
  if (row?.phoneNumber !== line) throw new ApiError(20404);
  return row;
}
