/** What a person sees when there is no such page, or something went wrong. */
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { errorForLog } from '../api/error-log.ts';
import { errorHeaders, toApiError } from '../api/errors.ts';
import type { ApiError } from '../domain/errors.ts';
import { Verdict } from './components/verdict.tsx';
import { OtherDeskError, otherDeskPage } from './console/other-desk.tsx';
import type { WebDeps } from './deps.ts';
import { Page } from './layout.tsx';
import { sendPage } from './render.ts';

const stylesheets = ['letter.css'];

export function notFoundPage(ctx: Context): Response | Promise<Response> {
  return sendPage(
    ctx,
    <Page title="Not found" width="narrow" stylesheets={stylesheets}>
      <Verdict tone="warn" title="There is no such page">
        <p>
          The address may be incomplete. <a href="/console">Go to the console</a> or{' '}
          <a href="/docs">to the documentation</a>.
        </p>
      </Verdict>
    </Page>,
    404,
  );
}

/** Tells what may be done about it, and nothing of what went wrong inside. */
export function errorPage(deps: WebDeps, err: unknown, ctx: Context): Response | Promise<Response> {
  if (err instanceof OtherDeskError) return otherDeskPage(ctx, err);
  if (err instanceof HTTPException) return refusedPage(ctx, err);
  const apiError = toApiError(err);
  if (apiError.code === 20429) return tooManyPage(ctx, apiError);
  const { code, message } = apiError;
  deps.log.error({ path: ctx.req.routePath, code, ...errorForLog(err) }, 'a page could not be made');
  return sendPage(
    ctx,
    <Page title="Trouble" width="narrow" stylesheets={stylesheets}>
      <Verdict
        tone="bad"
        title={code === 20503 ? 'The service is busy or restarting' : 'Something went wrong'}
      >
        <p>{message}. Reload the page in a moment.</p>
      </Verdict>
    </Page>,
    code === 20503 ? 503 : 500,
  );
}

function tooManyPage(ctx: Context, error: ApiError): Response | Promise<Response> {
  for (const [name, value] of Object.entries(errorHeaders(error))) ctx.header(name, value);
  return sendPage(
    ctx,
    <Page title="Too many requests" width="narrow" stylesheets={stylesheets}>
      <Verdict tone="warn" title="Too many requests">
        <p>Your account has asked for more than its rate allows. Reload the page in a moment.</p>
      </Verdict>
    </Page>,
    429,
  );
}

function refusedPage(ctx: Context, { status, message }: HTTPException): Response | Promise<Response> {
  const title = status === 413 ? 'That is too large' : 'The request was refused';
  const text =
    status === 403
      ? 'It did not come from a page of this service. Go back, reload the page and try again.'
      : message || 'Go back and try again.';
  return sendPage(
    ctx,
    <Page title={title} width="narrow" stylesheets={stylesheets}>
      <Verdict tone="bad" title={title}>
        <p>{text}</p>
      </Verdict>
    </Page>,
    status,
  );
}
