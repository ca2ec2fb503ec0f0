/** `/console`: sign-in first, then the pages of an account or of an administrator. */
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import type { Api, WebDeps } from '../deps.ts';
import { privatePage } from '../render.ts';
import { createAdmin } from './admin.tsx';
import { createDeliveries } from './deliveries.tsx';
import type { Desk } from './desk.ts';
import { createDocuments } from './documents.tsx';
import { createMessages } from './messages.tsx';
import { createOrders } from './orders.tsx';
import { type ConsoleEnv, readSession } from './session.ts';
import { createSignIn } from './sign-in.tsx';
import { createWebhooks } from './webhooks.tsx';

const maxFormBytes = 256 * 1024;

export function createConsole(deps: WebDeps, api: Api): Hono<ConsoleEnv> {
  const console = new Hono<ConsoleEnv>();
  const desk: Desk = { deps, api: api.fetch };
  console.use(privatePage, bodyLimit({ maxSize: maxFormBytes }), onlyFromHere(deps));
  console.route('/', createSignIn(deps));
  console.use(requireSession(deps), counted(api));
  console.get('/', (ctx) =>
    ctx.redirect(ctx.get('session').kind === 'admin' ? '/console/work' : '/console/orders'),
  );
  console.route('/orders', createOrders(desk));
  console.route('/documents', createDocuments(desk));
  console.route('/webhooks', createWebhooks(desk));
  console.route('/deliveries', createDeliveries(desk));
  console.route('/messages', createMessages(desk));
  console.route('/', createAdmin(desk));
  return console;
}

/** Forms are taken from our own pages only: another site cannot press a button in a signed-in browser. */
function onlyFromHere({ config }: WebDeps): MiddlewareHandler {
  const { origin: publicOrigin } = new URL(config.env.publicUrl);
  return csrf({ origin: (origin, ctx) => origin === publicOrigin || origin === new URL(ctx.req.url).origin });
}

/** Reading counts against the account's rate here; what a page changes is counted by the API it is changed by. */
function counted({ count }: Api): MiddlewareHandler<ConsoleEnv> {
  return async (ctx, next) => {
    const session = ctx.get('session');
    if (session.kind === 'account' && ctx.req.method === 'GET') count(session.account);
    return next();
  };
}

function requireSession(deps: WebDeps): MiddlewareHandler<ConsoleEnv> {
  return async (ctx, next) => {
    const session = await readSession(deps, ctx);
    if (session) {
      ctx.set('session', session);
      return next();
    }
    const signIn = `/console/login?next=${encodeURIComponent(ctx.req.method === 'GET' ? ctx.req.path : '/console')}`;
    // A part of a page that polls cannot follow a redirect usefully: the whole page has to go.
    if (ctx.req.header('HX-Request') !== undefined)
      return ctx.body(null, 204, { 'HX-Redirect': '/console/login' });
    return ctx.redirect(signIn, 303);
  };
}
