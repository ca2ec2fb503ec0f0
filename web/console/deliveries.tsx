/** `/console/deliveries/{sid}`: one delivery with every attempt. */
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { findDelivery } from '../../db/reads/deliveries.ts';
import { notFoundPage } from '../error-pages.tsx';
import { sendFragment, sendPage } from '../render.ts';
import { accountOf, apiOf, type ConsoleContext, type Desk, webUiOf } from './desk.ts';
import { DeliveryPage, DeliveryView } from './delivery-page.tsx';
import type { Refusal } from './frame.tsx';
import type { ConsoleEnv } from './session.ts';

export function createDeliveries(desk: Desk): Hono<ConsoleEnv> {
  const deliveries = new Hono<ConsoleEnv>();
  deliveries.get('/:sid', (ctx) => showDelivery(desk, ctx));
  deliveries.get('/:sid/live', async (ctx) => {
    const details = await detailsOf(desk, ctx);
    if (!details) return notFoundPage(ctx);
    return sendFragment(ctx, <DeliveryView details={details} webUi={webUiOf(desk.deps)} />);
  });
  for (const [name, action, done] of [
    ['retry', 'retry', 'retried'],
    ['cancel', 'cancel', 'stopped'],
  ] as const) {
    deliveries.post(`/:sid/${name}`, async (ctx) => {
      const answer = await apiOf(desk, ctx).post(`/Deliveries/${ctx.req.param('sid')}`, { Action: action });
      if (!answer.ok) return showDelivery(desk, ctx, answer);
      // A delivery that had ended is sent again as a new one: the answer names it.
      return ctx.redirect(`/console/deliveries/${String(answer.body['sid'])}?done=${done}`, 303);
    });
  }
  return deliveries;
}

function detailsOf({ deps }: Desk, ctx: ConsoleContext): ReturnType<typeof findDelivery> {
  return findDelivery(deps.db, { accountSid: accountOf(ctx).sid, sid: ctx.req.param('sid') ?? '' });
}

async function showDelivery(desk: Desk, ctx: ConsoleContext, refusal?: Refusal): Promise<Response> {
  const details = await detailsOf(desk, ctx);
  if (!details) return notFoundPage(ctx);
  const props = {
    session: ctx.get('session'),
    details,
    webUi: webUiOf(desk.deps),
    done: ctx.req.query('done'),
  };
  return sendPage(
    ctx,
    <DeliveryPage {...props} refusal={refusal} />,
    (refusal?.status ?? 200) as ContentfulStatusCode,
  );
}
