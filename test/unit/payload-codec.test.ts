import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPayloadCodec } from '../../security/payload-codec.ts';

const key = randomBytes(32).toString('base64');
const payload = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('"+14155550100"') };

describe('payloads in workflow histories', () => {
  it('are read back as they were, and show nothing in between', async () => {
    const codec = createPayloadCodec(key);
    const [sealed] = await codec.encode([payload]);
    expect(Buffer.from(sealed?.data ?? []).toString('latin1')).not.toContain('4155550100');
    const [opened] = await codec.decode(sealed ? [sealed] : []);
    expect(Buffer.from(opened?.data ?? []).toString()).toBe('"+14155550100"');
    expect(Buffer.from(opened?.metadata?.['encoding'] ?? []).toString()).toBe('json/plain');
  });

  it('that were recorded long ago are still read', async () => {
    const codec = createPayloadCodec('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=');
    const metadata = {
      encoding: Buffer.from('binary/encrypted'),
      'encryption-key-id': Buffer.from('630dcd2966c43366'),
    };
    const recorded =
      'iBht6njl7aQCz0T1loK0ufxjAzm/ZWd9aRWSqJIzuQFrd6owMBVpeQfKlK14dA3qV2WnrFenQWLIx6mMnW+wKbWldxGvkECd5frXIGU=';
    await expect(codec.decode([{ metadata, data: Buffer.from(recorded, 'base64') }])).resolves.toEqual([
      payload,
    ]);
  });

  it('that were never encrypted pass as they are', async () => {
    await expect(createPayloadCodec(key).decode([payload])).resolves.toEqual([payload]);
  });

  it('cannot be read with another key, nor after a change', async () => {
    const [sealed] = await createPayloadCodec(key).encode([payload]);
    if (!sealed?.data) throw new Error('nothing was encrypted');
    await expect(createPayloadCodec(randomBytes(32).toString('base64')).decode([sealed])).rejects.toThrow(
      'another key',
    );
    const changed = Buffer.from(sealed.data);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    await expect(createPayloadCodec(key).decode([{ ...sealed, data: changed }])).rejects.toThrow();
  });

  it('need a key of 32 bytes', () => {
    expect(() => createPayloadCodec('c2hvcnQ=')).toThrow('32 bytes');
  });
});
