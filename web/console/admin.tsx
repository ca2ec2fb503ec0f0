/** The administrator's pages: what waits for a person, and the accounts. */
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { findStatusSince, listAllAccounts } from '../../db/reads/console.ts';
import { listWaitingOrders } from '../../db/reads/hosted-number-orders.ts';
import { pageFromQuery } from '../components/pager.tsx';
import { sendFragment, sendPage } from '../render.ts';
import { AccountsPage } from './accounts-page.tsx';
import { apiOf, type ConsoleContext, type Desk, given, readFields, requireAdmin } from './desk.ts';
import type { Refusal } from './frame.tsx';
import { showOrder } from './orders.tsx';
import type { ConsoleEnv } from './session.ts';
import { WorkList, type WorkListProps, WorkPage } from './work-page.tsx';

export function createAdmin(desk: Desk): Hono<ConsoleEnv> {
  const admin = new Hono<ConsoleEnv>();
  admin.get('/work', async (ctx) => {
    const work = await workProps(desk, ctx);
    return sendPage(ctx, <WorkPage {...work} done={ctx.req.query('done')} />);
  });
  admin.get('/work/list', async (ctx) => sendFragment(ctx, <WorkList {...(await workProps(desk, ctx))} />));
  admin.get('/accounts', (ctx) => showAccounts(desk, ctx));
  admin.post('/accounts/numbers', async (ctx) => {
    requireAdmin(ctx);
    const values = await readFields(ctx);
    const form = given(values, ['AccountSid', 'PhoneNumber', 'FriendlyName']);
    const answer = await apiOf(desk, ctx).post('/admin/HostedNumbers', form);
    if (!answer.ok) return showAccounts(desk, ctx, answer);
    return ctx.redirect(`/console/orders/${String(answer.body['sid'])}?done=hosted`, 303);
  });
  addActions(desk, admin);
  return admin;
}

/** What an administrator does to an order: the form's name → the API's word, the fields it takes, what is said after. */
const actions = [
  { name: 'resolve', action: 'resolve', fields: ['Target', 'Reason'], done: 'resolved' },
  { name: 'reset', action: 'reset-verification', fields: ['Reason'], done: 'reset' },
  { name: 'review', action: 'review-bill', fields: ['Accepted', 'Reason'], done: 'reviewed' },
  { name: 'registry', action: 'decide-registration', fields: ['Accepted', 'Reason'], done: 'decided' },
  { name: 'restore', action: 'restore', fields: ['Reason'], done: 'restored' },
] as const;

function addActions(desk: Desk, admin: Hono<ConsoleEnv>): void {
  for (const { name, action, fields, done } of actions) {
    admin.post(`/orders/:sid/${name}`, async (ctx) => {
      requireAdmin(ctx);
      const sid = ctx.req.param('sid');
      const form = { ...given(await readFields(ctx), fields), Action: action };
      const answer = await apiOf(desk, ctx).post(`/admin/HostedNumberOrders/${sid}`, form);
      if (!answer.ok) return showOrder(desk, ctx, answer);
      return ctx.redirect(`/console/orders/${sid}?done=${done}`, 303);
    });
  }
}

async function workProps({ deps }: Desk, ctx: ConsoleContext): Promise<WorkListProps> {
  requireAdmin(ctx);
  const { after = '', before = '' } = ctx.req.query();
  const page = await listWaitingOrders(deps.db, pageFromQuery({ after, before }));
  const sids = page.rows.map((order) => order.sid);
  return {
    session: ctx.get('session'),
    page,
    since: await findStatusSince(deps.db, sids),
    now: new Date(),
    actionRequiredMs: deps.config.orders.actionRequired,
    query: { after, before },
  };
}

async function showAccounts({ deps }: Desk, ctx: ConsoleContext, refusal?: Refusal): Promise<Response> {
  requireAdmin(ctx);
  const page = await listAllAccounts(deps.db, pageFromQuery(ctx.req.query()));
  const status = (refusal?.status ?? 200) as ContentfulStatusCode;
  return sendPage(ctx, <AccountsPage session={ctx.get('session')} page={page} refusal={refusal} />, status);
}
