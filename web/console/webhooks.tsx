/** `/console/webhooks`: endpoints, the events they want, and what was delivered to them. */
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type DeliveryFilter, listDeliveries } from '../../db/reads/deliveries.ts';
import { findSubscription, listSubscriptions } from '../../db/reads/subscriptions.ts';
import { deliveryStates } from '../../domain/delivery.ts';
import { pageFromQuery } from '../components/pager.tsx';
import { notFoundPage } from '../error-pages.tsx';
import { readPageForm, textFields } from '../page-form.ts';
import { sendPage } from '../render.ts';
import type { ApiAnswer, ApiClient } from './api-client.ts';
import { accountOf, apiOf, type ConsoleContext, type Desk, given, readFields } from './desk.ts';
import type { Refusal } from './frame.tsx';
import { NewWebhookPage } from './new-webhook-page.tsx';
import type { ConsoleEnv } from './session.ts';
import { WebhookPage } from './webhook-page.tsx';
import { WebhooksPage } from './webhooks-page.tsx';

export function createWebhooks(desk: Desk): Hono<ConsoleEnv> {
  const webhooks = new Hono<ConsoleEnv>();
  const { publicUrl } = desk.deps.config.env;

  webhooks.get('/', async (ctx) => {
    const query = ctx.req.query();
    const page = await listSubscriptions(
      desk.deps.db,
      { accountSid: accountOf(ctx).sid },
      pageFromQuery(query),
    );
    const props = { session: ctx.get('session'), publicUrl, page, done: query['done'] };
    return sendPage(ctx, <WebhooksPage {...props} />);
  });
  webhooks.get('/new', (ctx) => {
    accountOf(ctx);
    const props = { session: ctx.get('session'), publicUrl, values: {}, events: null };
    return sendPage(ctx, <NewWebhookPage {...props} />);
  });
  webhooks.post('/', (ctx) => create(desk, ctx));
  webhooks.get('/:sid', (ctx) => showWebhook(desk, ctx));
  addActions(desk, webhooks);
  return webhooks;
}

async function create(desk: Desk, ctx: ConsoleContext): Promise<Response> {
  const form = await readPageForm(ctx);
  const events = form.getAll('Events').filter((event) => typeof event === 'string');
  const values = textFields(form);
  const answer = await apiOf(desk, ctx).post('/Webhooks', {
    ...given(values, ['Url', 'FriendlyName', 'PhoneNumber']),
    Events: events,
  });
  if (answer.ok) return ctx.redirect(`/console/webhooks/${String(answer.body['sid'])}?done=subscribed`, 303);
  const { publicUrl } = desk.deps.config.env;
  const props = { session: ctx.get('session'), publicUrl, values, events, refusal: answer };
  return sendPage(ctx, <NewWebhookPage {...props} />, answer.status as ContentfulStatusCode);
}

function addActions(desk: Desk, webhooks: Hono<ConsoleEnv>): void {
  const act = (
    name: string,
    done: string,
    call: (api: ApiClient, path: string, fields: Readonly<Record<string, string>>) => Promise<ApiAnswer>,
  ): void => {
    webhooks.post(`/:sid/${name}`, async (ctx) => {
      const sid = ctx.req.param('sid');
      const answer = await call(apiOf(desk, ctx), `/Webhooks/${sid}`, await readFields(ctx));
      if (!answer.ok) return showWebhook(desk, ctx, answer);
      return ctx.redirect(`/console/webhooks${done === 'removed' ? '' : `/${sid}`}?done=${done}`, 303);
    });
  };
  act('enable', 'saved', (api, path) => api.post(path, { Enabled: 'true' }));
  act('disable', 'saved', (api, path) => api.post(path, { Enabled: 'false' }));
  act('test', 'tested', (api, path) => api.post(`${path}/Test`, {}));
  act('rotate', 'rotated', (api, path) => api.post(`${path}/Secret`, {}));
  act('remove', 'removed', (api, path) => api.delete(path));
  act('replay', 'replayed', (api, path, { Hours = '' }) => {
    const hours = Math.min(Math.max(Number(Hours) || 1, 1), 24 * 365);
    return api.post(`${path}/Replay`, { Since: new Date(Date.now() - hours * 3_600_000).toISOString() });
  });
}

async function showWebhook(desk: Desk, ctx: ConsoleContext, refusal?: Refusal): Promise<Response> {
  const { db, vault, config } = desk.deps;
  const account = accountOf(ctx);
  const key = { accountSid: account.sid, sid: ctx.req.param('sid') ?? '' };
  const webhook = await findSubscription(db, key);
  if (!webhook) return notFoundPage(ctx);
  const query = ctx.req.query();
  const state = deliveryStates.find((known) => known === query['state']);
  const filter: DeliveryFilter = {
    accountSid: key.accountSid,
    subscriptionSid: key.sid,
    states: state === undefined ? undefined : [state],
  };
  const page = await listDeliveries(db, filter, pageFromQuery(query));
  const secret = vault.open(webhook.secretSealed);
  const props = {
    session: ctx.get('session'),
    webhook,
    secret,
    page,
    state: state ?? '',
    email: account.email,
    publicUrl: config.env.publicUrl,
  };
  return sendPage(
    ctx,
    <WebhookPage {...props} done={query['done']} refusal={refusal} />,
    (refusal?.status ?? 200) as ContentfulStatusCode,
  );
}
