/** What the process counts for Prometheus. */
import type { MiddlewareHandler } from 'hono';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  readonly requestSeconds: Histogram<'operation' | 'status'>;
}

export function createMetrics(registry?: Registry): Metrics {
  const own = registry ?? new Registry();
  if (registry === undefined) collectDefaultMetrics({ register: own });
  return {
    registry: own,
    requestSeconds: new Histogram({
      name: 'hosted_sms_http_request_seconds',
      help: 'Time to answer an API request, by operation and HTTP status.',
      labelNames: ['operation', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [own],
    }),
  };
}

/** Counts by operation, never by path: a path holds identifiers. */
export function countRequests({ requestSeconds }: Metrics): MiddlewareHandler {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const operation: unknown = ctx.get('operation');
    requestSeconds.observe(
      { operation: typeof operation === 'string' ? operation : 'other', status: ctx.res.status },
      (performance.now() - startedAt) / 1000,
    );
  };
}
