/** The HTTP application: what every request passes through, every operation, and the shape of every error. */
import { type Context, Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { ApiError, apiErrors } from '../domain/errors.ts';
import { mountCodec } from './codec.ts';
import { answerInTime } from './deadline.ts';
import type { ApiDeps } from './deps.ts';
import { errorForLog } from './error-log.ts';
import { errorBody, errorHeaders, toApiError } from './errors.ts';
import { createGate, type Gate } from './gate.ts';
import { apiHeaders } from './headers.ts';
import { countRequests, createMetrics } from './metrics.ts';
import { mount } from './operation.ts';
import { operations } from './operations.ts';
import { mountReference } from './reference.ts';

export type { ApiDeps } from './deps.ts';

/** Builds the application. `mountPages` adds the screens of web/, which are no part of the API. */
export function createApp(deps: ApiDeps, mountPages?: (app: Hono, gate: Gate) => void): Hono {
  const app = new Hono();
  const metrics = createMetrics(deps.metrics);
  app.use(requestId(), countRequests(metrics), answerInTime());
  const gate = createGate(deps);
  mountCodec(app, deps, gate);
  app.options('*', (ctx) => ctx.body(null, 204, apiHeaders));
  mount(app, operations, deps, gate);
  mountReference(app, deps);
  app.get('/metrics', async (ctx) =>
    ctx.text(await metrics.registry.metrics(), 200, {
      ...apiHeaders,
      'Content-Type': metrics.registry.contentType,
    }),
  );
  mountPages?.(app, gate);
  app.notFound((ctx) => answerError(deps, ctx, new ApiError(20404)));
  app.onError((error, ctx) => answerError(deps, ctx, error));
  return app;
}

function answerError(deps: ApiDeps, ctx: Context, error: unknown): Response {
  const apiError = toApiError(error);
  if (apiError.status >= 500) {
    const { requestId } = ctx.var;
    deps.log.error({ requestId, code: apiError.code, ...errorForLog(error) }, 'request failed');
  }
  const { status } = apiErrors[apiError.code];
  return ctx.json(errorBody(apiError, deps.config.env.publicUrl), status, {
    ...apiHeaders,
    ...errorHeaders(apiError),
  });
}
