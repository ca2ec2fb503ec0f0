/**
 * The pages: signing, console, documentation, verification. Mounted at the root of the API's origin:
 * `app.route('/', createWeb(deps, { fetch: (request) => app.fetch(request), count }))`, after the API's own routes.
 */
import { type Env, Hono, type MiddlewareHandler } from 'hono';
import { createAssets } from './assets.ts';
import { createConsole } from './console/routes.tsx';
import type { Api, WebDeps } from './deps.ts';
import { createDocs } from './docs/routes.tsx';
import { errorPage, notFoundPage } from './error-pages.tsx';
import { pageHeaders } from './render.ts';
import { createSigning } from './sign/routes.tsx';
import { createVerification } from './verify/routes.tsx';

export type { Api, WebDeps } from './deps.ts';

/** Makes the pages. `api` is the API they are served beside; the console changes things through it only. */
export function createWeb(deps: WebDeps, api: Api): Hono {
  const web = new Hono();
  web.route('/assets', createAssets());
  const mount = <E extends Env>(path: string, section: Hono<E>): void => {
    section.onError((err, ctx) => errorPage(deps, err, ctx));
    web.use(`${path}/*`, pageHeaders, withoutNul);
    web.route(path, section);
    web.all(`${path}/*`, notFoundPage);
  };
  mount('/sign', createSigning(deps));
  mount('/console', createConsole(deps, api));
  mount('/docs', createDocs(deps));
  mount('/verify', createVerification(deps));
  web.get('/', pageHeaders, (ctx) => ctx.redirect('/console'));
  return web;
}

/** Nothing of ours has a NUL in its address, and PostgreSQL fails when it is asked for one. */
const withoutNul: MiddlewareHandler = async (ctx, next) =>
  ctx.req.path.includes('\0') ? notFoundPage(ctx) : next();
