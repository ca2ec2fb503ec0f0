/** The service's signature on a signed letter, checked with the public key alone. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readsTypeScript } from '../../local/node-child.ts';
import { checkSeal, createFileSealer } from '../../security/sealed-file.ts';
import { verifyDocument } from '../../verify-document.ts';

const sealer = createFileSealer(Buffer.alloc(32, 7));
const stranger = createFileSealer(Buffer.alloc(32, 8));
const file = Buffer.from('%PDF-1.7\nanything\n%%EOF\n');
const at = new Date('2026-11-22T10:00:00Z');

describe('the seal of a file', () => {
  it('is genuine on the very bytes, and the same whenever it is made', () => {
    expect(checkSeal(sealer.seal(file), sealer.publicKeyPem)).toBe('genuine');
    expect(sealer.seal(file).equals(sealer.seal(file))).toBe(true);
  });

  it.each([
    [
      'a changed byte',
      (sealed: Buffer) => Buffer.from(sealed.map((byte, at) => (at === 3 ? byte ^ 1 : byte))),
    ],
    ['a byte behind it', (sealed: Buffer) => Buffer.concat([sealed, Buffer.from('\n')])],
    ['the seal of a stranger', () => stranger.seal(file)],
    ['a file behind it', (sealed: Buffer) => Buffer.concat([sealed, file])],
  ])('is not genuine with %s', (_, alter) => {
    expect(checkSeal(alter(sealer.seal(file)), sealer.publicKeyPem)).toBe('altered');
  });

  it('is missing on a file that was never sealed', () => {
    expect(checkSeal(file, sealer.publicKeyPem)).toBe('unsealed');
  });
});

describe('npm run verify-document', () => {
  let sealed: Buffer;
  let folder: string;
  beforeAll(async () => {
    sealed = sealer.seal(await pdfWithAudit());
    folder = await mkdtemp(join(tmpdir(), 'hosted-sms-verify-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('finds a sealed letter genuine and its mailed letter intact, and tells who signed', async () => {
    const findings = await verifyDocument(sealed, sealer.publicKeyPem);
    expect(findings).toMatchObject({
      seal: 'genuine',
      letterIntact: true,
      audit: { signer: { name: 'Ada' } },
    });
  });

  it('finds a letter whose mailed bytes were changed neither genuine nor intact', async () => {
    const altered = Buffer.from(sealed);
    altered[6] = 0x30;
    const findings = await verifyDocument(altered, sealer.publicKeyPem);
    expect(findings).toMatchObject({ seal: 'altered', letterIntact: false });
  });

  it('finds no audit record in what is no PDF', async () => {
    expect(await verifyDocument(Buffer.from('text'), sealer.publicKeyPem)).toEqual({
      seal: 'unsealed',
      letterIntact: null,
      audit: null,
    });
  });

  it('says of a letter that nobody signed that it is not signed, and not that it was changed', async () => {
    const [letter, key] = [join(folder, 'letter.pdf'), join(folder, 'key.pem')];
    await writeFile(letter, await plainLetter());
    await writeFile(key, sealer.publicKeyPem);
    const { code, stdout } = await verifyCommand([letter, '--key', key], {});
    expect(code).toBe(1);
    expect(stdout).toContain('mailed but not signed');
    expect(stdout).not.toContain('INTACT');
  });

  it.each([
    ['PORT', { PORT: '1', PUBLIC_URL: '' }, 'http://localhost:1/'],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://127.0.0.1:1/' }, 'http://127.0.0.1:1/'],
  ])('asks the service that %s names, and says which it was when nobody answers', async (_, env, origin) => {
    const file = join(folder, 'sealed.pdf');
    await writeFile(file, sealed);
    const { code, stderr } = await verifyCommand([file], env);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `the service at ${origin}.well-known/hosted-sms-signing-key.pem does not answer`,
    );
  });
});

/** Runs the command as `npm run verify-document` does. */
async function verifyCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = fileURLToPath(new URL('../../verify-document.ts', import.meta.url));
  const child = spawn(process.execPath, [...readsTypeScript, program, ...args], {
    env: { ...process.env, ...env },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

async function plainLetter(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.addPage();
  return pdf.save();
}

/** A letter, and behind it the audit record that names it, as activities/letter/seal.ts writes them. */
async function pdfWithAudit(): Promise<Buffer> {
  const letter = Buffer.from(await plainLetter());
  const pdf = await PDFDocument.load(letter, { forIncrementalUpdate: true, updateMetadata: false });
  const audit = {
    documentSid: `PX${'0'.repeat(32)}`,
    mailing: 1,
    letter: { byteLength: letter.length, sha256: createHash('sha256').update(letter).digest('hex') },
    phoneNumbers: ['+14155550100'],
    signer: { name: 'Ada', title: 'Owner', email: 'ada@example.com' },
    consent: { at: at.toISOString() },
    signedAt: at.toISOString(),
    ipAddress: '203.0.113.9',
  };
  await pdf.attach(Buffer.from(JSON.stringify(audit)), 'audit.json', {
    creationDate: at,
    modificationDate: at,
  });
  return Buffer.from(await pdf.save());
}
