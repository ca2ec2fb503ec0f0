/**
 * Encrypts what workflows and activities are given and answer, so that histories on the Temporal server hold no
 * customer data. The key is configuration (CODEC_KEY), its name travels along.
 */
import { createHash } from 'node:crypto';
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import { decrypt, encrypt } from './encryption.ts';

const encoding = 'binary/encrypted';

/** What clients and workers share: encrypting when there is a key (32 bytes in base64), plain when there is none. */
export function createDataConverter(codecKey: string | undefined): DataConverter {
  return codecKey === undefined ? {} : { payloadCodecs: [createPayloadCodec(codecKey)] };
}

/** Throws a TypeError when the key is not 32 bytes in base64. */
export function createPayloadCodec(codecKey: string): PayloadCodec {
  const key = Buffer.from(codecKey, 'base64');
  if (key.length !== 32) throw new TypeError('CODEC_KEY has to be 32 bytes in base64');
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 16);
  const metadata = { encoding: Buffer.from(encoding), 'encryption-key-id': Buffer.from(keyId) };

  return {
    encode: async (payloads) =>
      payloads.map((payload) => ({ metadata, data: encrypt(serialize(payload), key) })),
    decode: async (payloads) =>
      payloads.map((payload) => {
        if (text(payload.metadata?.['encoding']) !== encoding) return payload;
        const usedKey = text(payload.metadata?.['encryption-key-id']);
        if (usedKey !== keyId) throw new TypeError(`the payload was encrypted with another key (${usedKey})`);
        return deserialize(decrypt(payload.data ?? Buffer.alloc(0), key));
      }),
  };
}

/** Length of the metadata (4 bytes), the metadata as JSON, the data. */
function serialize({ metadata, data }: Payload): Buffer {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)]);
  const head = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, data ?? Buffer.alloc(0)]);
}

function deserialize(bytes: Buffer): Payload {
  const end = 4 + bytes.readUInt32BE(0);
  const head = JSON.parse(bytes.toString('utf8', 4, end)) as Record<string, string>;
  const metadata = Object.fromEntries(
    Object.entries(head).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
  );
  return { metadata, data: bytes.subarray(end) };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const text = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString('utf8');
