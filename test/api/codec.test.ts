/** The codec's endpoint. Source: design.md §6. */
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { mountCodec } from '../../api/codec.ts';
import type { ApiDeps } from '../../api/deps.ts';
import { ApiError } from '../../domain/errors.ts';
import { createPayloadCodec } from '../../security/payload-codec.ts';

const codecKey = Buffer.alloc(32, 7).toString('base64');
const admin = `Basic ${Buffer.from('admin:secret').toString('base64')}`;

function codecApp(key: string | undefined): Hono {
  const app = new Hono();
  const deps = {
    config: { env: { codecKey: key }, temporal: { webUiUrl: 'http://localhost:8233' } },
  } as unknown as ApiDeps;
  mountCodec(app, deps, {
    admit: async (_auth, authorization) => {
      if (authorization !== admin) throw new ApiError(20003);
      return { caller: undefined, account: undefined };
    },
  });
  app.onError((error, ctx) =>
    ctx.text(error.message, error instanceof ApiError ? (error.status as 400) : 500),
  );
  return app;
}

async function encrypted(): Promise<{ metadata: Record<string, string>; data: string }> {
  const plain = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('"+14155550123"') };
  const [payload] = await createPayloadCodec(codecKey).encode([plain]);
  const metadata = Object.entries(payload?.metadata ?? {}).map(([name, value]) => [
    name,
    Buffer.from(value).toString('base64'),
  ]);
  return {
    metadata: Object.fromEntries(metadata) as Record<string, string>,
    data: Buffer.from(payload?.data ?? []).toString('base64'),
  };
}

const decode = (app: Hono, body: unknown, headers: Record<string, string>): Promise<Response> =>
  Promise.resolve(app.request('/codec/decode', { method: 'POST', body: JSON.stringify(body), headers }));

describe('design.md §6, codec endpoint', () => {
  it('reads an encrypted payload to the administrator', async () => {
    const answer = await decode(
      codecApp(codecKey),
      { payloads: [await encrypted()] },
      { authorization: admin },
    );
    const { payloads } = (await answer.json()) as { payloads: [{ data: string }] };
    expect(Buffer.from(payloads[0].data, 'base64').toString()).toBe('"+14155550123"');
  });

  it('reads nothing to anybody else', async () => {
    const answer = await decode(codecApp(codecKey), { payloads: [await encrypted()] }, {});
    expect(answer.status).toBe(401);
  });

  it('refuses a payload of another key without failing', async () => {
    const other = codecApp(Buffer.alloc(32, 8).toString('base64'));
    const answer = await decode(other, { payloads: [await encrypted()] }, { authorization: admin });
    expect(answer.status).toBe(422);
  });

  it('lets only the Web UI read the answer with a browser’s credentials', async () => {
    const app = codecApp(codecKey);
    const body = { payloads: [] };
    const own = await decode(app, body, { authorization: admin, origin: 'http://localhost:8233' });
    const foreign = await decode(app, body, { authorization: admin, origin: 'http://evil.example' });
    expect(own.headers.get('access-control-allow-origin')).toBe('http://localhost:8233');
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is not there without a key', async () => {
    expect((await decode(codecApp(undefined), {}, { authorization: admin })).status).toBe(404);
  });
});
