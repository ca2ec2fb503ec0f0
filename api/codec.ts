/**
 * The codec's endpoint: lets the Temporal Web UI and the `temporal` CLI read histories that CODEC_KEY encrypts, for
 * whoever has the administrator's token. The protocol is the one of Temporal's remote codecs: `{payloads: [...]}` in
 * and out, bytes in base64. Source: docs.temporal.io, "Codec Server".
 */
import type { Payload } from '@temporalio/common';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { ApiError } from '../domain/errors.ts';
import { createPayloadCodec } from '../security/payload-codec.ts';
import { limitBody } from './body-limit.ts';
import type { ApiDeps } from './deps.ts';
import type { Gate } from './gate.ts';

/** Largest request: a page of a history, its payloads in base64. Bytes. */
const maxBytes = 16 * 1024 * 1024;

const bytes = z.base64();
const payloadsSchema = z.object({
  payloads: z
    .array(z.object({ metadata: z.record(z.string(), bytes).default({}), data: bytes.default('') }))
    .default([]),
});

/** Mounts `POST /codec/encode` and `POST /codec/decode`. Without a CODEC_KEY there is nothing to mount. */
export function mountCodec(app: Hono, deps: ApiDeps, gate: Pick<Gate, 'admit'>): void {
  const { codecKey } = deps.config.env;
  if (codecKey === undefined) return;
  const codec = createPayloadCodec(codecKey);
  const limit = limitBody(maxBytes);
  for (const direction of ['encode', 'decode'] as const) {
    app.options(`/codec/${direction}`, (ctx) => {
      allowWebUi(ctx, deps);
      return ctx.body(null, 204);
    });
    app.post(`/codec/${direction}`, limit, async (ctx) => {
      allowWebUi(ctx, deps);
      await gate.admit('admin', ctx.req.header('authorization'), {});
      const given = await readPayloads(ctx);
      const payloads = await codec[direction](given).catch(() => {
        throw new ApiError(20422, 'A payload was encrypted with another key, or altered');
      });
      return ctx.json({ payloads: payloads.map(toJson) });
    });
  }
}

/** Only the Web UI's own origin may read the answer with a browser's credentials. */
function allowWebUi(ctx: Context, deps: ApiDeps): void {
  const { webUiUrl } = deps.config.temporal;
  if (webUiUrl === '' || ctx.req.header('origin') !== new URL(webUiUrl).origin) return;
  ctx.header('Access-Control-Allow-Origin', new URL(webUiUrl).origin);
  ctx.header('Access-Control-Allow-Credentials', 'true');
  ctx.header('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Namespace');
  ctx.header('Vary', 'Origin');
}

async function readPayloads(ctx: Context): Promise<Payload[]> {
  const body: unknown = await ctx.req.json().catch(() => null);
  const parsed = payloadsSchema.safeParse(body);
  if (!parsed.success) throw new ApiError(20001, 'Send {"payloads": [...]} with bytes in base64');
  return parsed.data.payloads.map(({ metadata, data }) => ({
    metadata: Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
    ),
    data: Buffer.from(data, 'base64'),
  }));
}

function toJson({ metadata, data }: Payload): { metadata: Record<string, string>; data: string } {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [
    name,
    Buffer.from(value).toString('base64'),
  ]);
  return {
    metadata: Object.fromEntries(entries) as Record<string, string>,
    data: Buffer.from(data ?? []).toString('base64'),
  };
}
