/** Whose address goes into the audit page of a signature: no header decides it unless a proxy of ours wrote it. */
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { clientAddress } from '../../web/client-address.ts';

const socket = {
  incoming: { socket: { remoteAddress: '198.51.100.7', remotePort: 1, remoteFamily: 'IPv4' } },
};

async function addressOf(trustedProxies: number, forwardedFor?: string): Promise<string> {
  const app = new Hono().get('/', (ctx) => ctx.text(clientAddress(ctx, trustedProxies)));
  const headers: Record<string, string> =
    forwardedFor === undefined ? {} : { 'X-Forwarded-For': forwardedFor };
  return (await app.request('/', { headers }, socket)).text();
}

describe('the address of a signer', () => {
  it('is the socket’s, whatever the header claims, when no proxy is trusted', async () => {
    expect(await addressOf(0, '203.0.113.9')).toBe('198.51.100.7');
  });

  it('is the one that the outermost trusted proxy saw', async () => {
    expect(await addressOf(1, '203.0.113.9')).toBe('203.0.113.9');
    expect(await addressOf(1, '10.0.0.1, 203.0.113.9')).toBe('203.0.113.9');
    expect(await addressOf(2, '6.6.6.6, 203.0.113.9, 192.0.2.1')).toBe('203.0.113.9');
  });

  it('is the socket’s when the proxies said nothing, or too little', async () => {
    expect(await addressOf(1)).toBe('198.51.100.7');
    expect(await addressOf(3, '203.0.113.9')).toBe('198.51.100.7');
  });
});
