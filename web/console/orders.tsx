/** `/console/orders`: the list, one order, and what can be done with it. */
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { findVerificationDocument } from '../../db/reads/authorization-documents.ts';
import { searchOrders } from '../../db/reads/console.ts';
import { orderStatuses } from '../../domain/hosted-number-order.ts';
import { pageFromQuery } from '../components/pager.tsx';
import { notFoundPage } from '../error-pages.tsx';
import { sendFragment, sendPage } from '../render.ts';
import type { ApiAnswer, ApiClient } from './api-client.ts';
import { accountOf, apiOf, type ConsoleContext, type Desk, given, readFields, webUiOf } from './desk.ts';
import type { Refusal } from './frame.tsx';
import { NewOrderPage, newOrderFields } from './new-order-page.tsx';
import { readOrderData } from './order-data.ts';
import { OrderPage, OrderView, type OrderViewProps } from './order-page.tsx';
import { OrdersList, type OrdersListProps, OrdersPage } from './orders-page.tsx';
import type { ConsoleEnv } from './session.ts';

const ordersPath = '/HostedNumbers/HostedNumberOrders';

export function createOrders(desk: Desk): Hono<ConsoleEnv> {
  const orders = new Hono<ConsoleEnv>();
  const { publicUrl } = desk.deps.config.env;

  orders.get('/', async (ctx) =>
    sendPage(ctx, <OrdersPage {...(await listProps(desk, ctx))} done={ctx.req.query('done')} />),
  );
  orders.get('/list', async (ctx) => sendFragment(ctx, <OrdersList {...(await listProps(desk, ctx))} />));
  orders.get('/new', (ctx) => {
    accountOf(ctx);
    return sendPage(ctx, <NewOrderPage session={ctx.get('session')} publicUrl={publicUrl} values={{}} />);
  });
  orders.post('/', async (ctx) => {
    const values = await readFields(ctx);
    const form = { ...given(values, newOrderFields), SmsCapability: 'true' };
    const answer = await apiOf(desk, ctx).post(ordersPath, form);
    if (answer.ok) return ctx.redirect(`/console/orders/${String(answer.body['sid'])}?done=created`, 303);
    const page = { session: ctx.get('session'), publicUrl, values, refusal: answer };
    return sendPage(ctx, <NewOrderPage {...page} />, answer.status as ContentfulStatusCode);
  });
  orders.get('/:sid', (ctx) => showOrder(desk, ctx));
  orders.get('/:sid/live', async (ctx) => {
    const view = await viewProps(desk, ctx);
    return view ? sendFragment(ctx, <OrderView {...view} />) : notFoundPage(ctx);
  });
  orders.get('/:sid/bill', (ctx) => sendBill(desk, ctx));
  addActions(desk, orders);
  return orders;
}

/** Buttons of an order: each is one call to the API, then the order's page again. */
function addActions(desk: Desk, orders: Hono<ConsoleEnv>): void {
  const act = (
    name: string,
    done: string | null,
    call: (api: ApiClient, sid: string, ctx: ConsoleContext) => Promise<ApiAnswer>,
  ): void => {
    orders.post(`/:sid/${name}`, async (ctx) => {
      const sid = ctx.req.param('sid');
      const answer = await call(apiOf(desk, ctx), sid, ctx);
      if (!answer.ok) return showOrder(desk, ctx, answer);
      const page = done === 'canceled' ? '/console/orders' : `/console/orders/${sid}`;
      return ctx.redirect(done === null ? page : `${page}?done=${done}`, 303);
    });
  };
  // The next step says that the call is under way, and only while it is.
  act('verify', null, async (api, sid, ctx) => {
    const options = given(await readFields(ctx), ['Extension', 'CallDelay']);
    const form = { ...options, VerificationType: 'phone-call', Status: 'pending-verification' };
    return api.post(`${ordersPath}/${sid}`, form);
  });
  act('cancel', 'canceled', (api, sid) => api.delete(`${ordersPath}/${sid}`));
  act('release', 'released', async (api, sid, ctx) => api.delete(await numberPath(desk, ctx, sid)));
  act('number', 'saved', async (api, sid, ctx) => {
    const { SmsUrl = '', SmsFallbackUrl = '' } = await readFields(ctx);
    return api.post(await numberPath(desk, ctx, sid), { SmsUrl, SmsFallbackUrl });
  });
}

/** Address of the order's number in the API; of a number nobody has, where the order is not the account's. */
async function numberPath(desk: Desk, ctx: ConsoleContext, sid: string): Promise<string> {
  const account = accountOf(ctx);
  const data = await readOrderData(desk.deps, ctx.get('session'), sid);
  const numberSid = data?.order.incomingPhoneNumberSid ?? 'unknown';
  return `/2010-04-01/Accounts/${account.sid}/IncomingPhoneNumbers/${numberSid}.json`;
}

async function listProps({ deps }: Desk, ctx: ConsoleContext): Promise<OrdersListProps> {
  const session = ctx.get('session');
  const { status = '', number = '', after = '', before = '' } = ctx.req.query();
  const page = await searchOrders(
    deps.db,
    {
      accountSid: session.kind === 'admin' ? null : session.account.sid,
      status: orderStatuses.find((known) => known === status) ?? null,
      digits: number,
    },
    pageFromQuery({ after, before }),
  );
  return { session, publicUrl: deps.config.env.publicUrl, page, query: { status, number, after, before } };
}

async function viewProps({ deps }: Desk, ctx: ConsoleContext): Promise<OrderViewProps | undefined> {
  const session = ctx.get('session');
  const data = await readOrderData(deps, session, ctx.req.param('sid') ?? '');
  const { publicUrl } = deps.config.env;
  return data && { session, data, now: new Date(), webUi: webUiOf(deps), publicUrl };
}

export async function showOrder(desk: Desk, ctx: ConsoleContext, refusal?: Refusal): Promise<Response> {
  const view = await viewProps(desk, ctx);
  if (!view) return notFoundPage(ctx);
  const page = <OrderPage {...view} done={ctx.req.query('done')} refusal={refusal} />;
  return sendPage(ctx, page, (refusal?.status ?? 200) as ContentfulStatusCode);
}

/** Kinds of files a browser shows without running anything in them. */
const shownTypes = ['application/pdf', 'image/png', 'image/jpeg'];

/** The phone bill a customer handed in. */
async function sendBill({ deps }: Desk, ctx: ConsoleContext): Promise<Response> {
  const session = ctx.get('session');
  const data = await readOrderData(deps, session, ctx.req.param('sid') ?? '');
  const sid = data?.order.verificationDocumentSid;
  if (!data || !sid) return notFoundPage(ctx);
  const bill = await findVerificationDocument(deps.db, { sid, accountSid: data.order.accountSid });
  if (!bill) return notFoundPage(ctx);
  const disposition = shownTypes.includes(bill.mimeType) ? 'inline' : 'attachment';
  return ctx.body(new Uint8Array(bill.bytes), 200, {
    'Content-Type': bill.mimeType,
    'Content-Disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(bill.fileName)}`,
  });
}
