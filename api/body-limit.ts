/** The largest body an operation takes. */
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { ApiError } from '../domain/errors.ts';

/**
 * Refuses a body of more than `maxSize` bytes with 20413. A request that names its length is held to it by Node: only
 * one that does not is counted as it comes, which costs a `Request` and a stream of its own.
 */
export function limitBody(maxSize: number): MiddlewareHandler {
  const refuse = (): never => {
    throw new ApiError(20413);
  };
  const counted = bodyLimit({ maxSize, onError: refuse });
  return (ctx, next) => {
    const length = ctx.req.header('content-length');
    if (length === undefined || ctx.req.header('transfer-encoding') !== undefined) return counted(ctx, next);
    return Number(length) > maxSize ? refuse() : next();
  };
}
