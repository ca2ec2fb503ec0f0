/** Where a request came from, for the audit page of a signature. */
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/**
 * The sender's IP address. X-Forwarded-For is believed only as far as our own proxies wrote it: each appends the
 * address it was called from, so with `trustedProxies` of them the sender is that many places from the right.
 */
export function clientAddress(ctx: Context, trustedProxies: number): string {
  if (trustedProxies > 0) {
    const hops = (ctx.req.header('X-Forwarded-For') ?? '').split(',').map((hop) => hop.trim());
    const sender = hops.at(-trustedProxies);
    if (sender) return sender;
  }
  return socketAddress(ctx) ?? 'unknown';
}

function socketAddress(ctx: Context): string | undefined {
  // Requests made within the process (tests) have no socket.
  if (ctx.env === undefined || !('incoming' in ctx.env)) return undefined;
  return getConnInfo(ctx).remote.address;
}
