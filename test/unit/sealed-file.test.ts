/** The service's signature on a signed letter, checked with the public key alone. */
import { createHash } from 'node:crypto';
import { PDFDocument } from '@cantoo/pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
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
  beforeAll(async () => {
    sealed = sealer.seal(await pdfWithAudit());
  });

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
      letterIntact: false,
      audit: null,
    });
  });
});

/** A letter, and behind it the audit record that names it, as activities/letter/seal.ts writes them. */
async function pdfWithAudit(): Promise<Buffer> {
  const plain = await PDFDocument.create();
  plain.addPage();
  const letter = Buffer.from(await plain.save());
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
