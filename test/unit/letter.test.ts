import { createHash } from 'node:crypto';
import { PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import { visualRuns } from '../../activities/letter/bidi.ts';
import { letterFaults } from '../../activities/letter/check.ts';
import { loadFonts } from '../../activities/letter/fonts.ts';
import { renderLetter, type Letter } from '../../activities/letter/letter.ts';
import { auditFileName, sealLetter, type SignedLetter } from '../../activities/letter/seal.ts';

const fonts = loadFonts([]);
const address = {
  customerName: 'Ädler & Söhne GmbH',
  street: '1 Market Street',
  streetSecondary: null,
  city: 'San Francisco',
  region: 'CA',
  postalCode: '94105',
  isoCountry: 'US',
};
const letter: Letter = {
  documentSid: `PX${'0123456789abcdef'.repeat(2)}`,
  date: new Date('2026-11-21T10:00:00Z'),
  provider: 'Hosted SMS',
  phoneNumbers: ['+14155550100', '+18005550101'],
  address,
  contactEmail: 'signer@example.com',
  contactTitle: 'Owner',
  contactPhoneNumber: null,
};

async function signed(changes: Partial<SignedLetter['signature']> = {}): Promise<SignedLetter> {
  return {
    documentSid: letter.documentSid,
    mailing: 1,
    letter: await renderLetter(letter, fonts),
    provider: letter.provider,
    signerEmail: letter.contactEmail,
    phoneNumbers: letter.phoneNumbers,
    signature: {
      signerName: 'Ada Lovelace',
      signerTitle: 'Owner',
      signerPhone: '+14155550199',
      address,
      consentedAt: '2026-11-22T09:59:58.120Z',
      ipAddress: '203.0.113.9',
      userAgent: 'Mozilla/5.0',
      ...changes,
    },
    signedAt: new Date('2026-11-22T10:00:00Z'),
  };
}

describe('the letter of authorization (domain.md §5.4)', () => {
  it('has the same bytes whenever it is made from the same data', async () => {
    const [first, second] = [await renderLetter(letter, fonts), await renderLetter(letter, fonts)];
    expect(first.equals(second)).toBe(true);
    const other = await renderLetter({ ...letter, contactTitle: 'Director' }, fonts);
    expect(first.equals(other)).toBe(false);
  });

  it('is a tagged document in English with a title, for screen readers', async () => {
    const pdf = await PDFDocument.load(await renderLetter(letter, fonts), { updateMetadata: false });
    expect(pdf.getTitle()).toBe('Letter of authorization');
    expect(pdf.getLanguage()).toBe('en');
    expect(pdf.catalog.has(PDFName.of('StructTreeRoot'))).toBe(true);
  });

  it('goes on over as many pages as its numbers need', async () => {
    const phoneNumbers = Array.from(
      { length: 400 },
      (_, index) => `+1415555${String(index).padStart(4, '0')}`,
    );
    const pdf = await PDFDocument.load(await renderLetter({ ...letter, phoneNumbers }, fonts));
    expect(pdf.getPageCount()).toBeGreaterThan(2);
  });

  it('prints names in Latin, Cyrillic, Greek, Arabic and Hebrew letters with what it brings along', () => {
    expect(fonts.missing('Łódź Việt Директор Ξενοδοχείο شركة النور רחוב הרצל')).toEqual([]);
  });

  it('is not mailed with a character that no font has: the fault names it', () => {
    const faults = letterFaults({ ...letter, address: { ...address, customerName: '東京商店' } }, (text) =>
      fonts.missing(text),
    );
    expect(faults).toEqual(['no font has U+6771, U+4EAC, U+5546, U+5E97; add one to documents.fonts']);
  });
});

describe('the check before mailing (domain.md §5.4, reasons of refusal)', () => {
  const faultsOf = (changes: Partial<Letter>): readonly string[] =>
    letterFaults({ ...letter, ...changes }, () => []);

  it('finds nothing wrong with a complete letter, nor with one whose address the signer will give', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ address: null })).toEqual([]);
  });

  it.each([
    [{ phoneNumbers: [] }, 'it names no telephone number'],
    [{ phoneNumbers: ['+14155550100', '+14155550100'] }, 'it names a telephone number twice'],
    [{ address: { ...address, city: ' ' } }, 'the service address has no city'],
    [{ address: { ...address, street: 'P.O. Box 12' } }, 'a post office box is no service address'],
    [{ address: { ...address, streetSecondary: 'PO Box 12' } }, 'a post office box is no service address'],
    [
      { address: { ...address, streetSecondary: '\u202e21 etiuS' } },
      'the service address holds control characters or marks that turn the direction of writing',
    ],
    [{ address: { ...address, postalCode: 'SW1A 1AA' } }, 'the postal code is not valid for the country US'],
  ])('finds %j', (changes, fault) => {
    expect(faultsOf(changes)).toEqual([fault]);
  });
});

describe('the sealed letter', () => {
  it('begins with the very bytes that were mailed', async () => {
    const input = await signed();
    const sealed = await sealLetter(input, fonts);
    expect(sealed.subarray(0, input.letter.length).equals(input.letter)).toBe(true);
    expect(sealed.length).toBeGreaterThan(input.letter.length);
  });

  it('has the same bytes whenever it is made from the same signature', async () => {
    const input = await signed();
    const [first, second] = [await sealLetter(input, fonts), await sealLetter(input, fonts)];
    expect(first.equals(second)).toBe(true);
  });

  it('adds a signature page and an audit page', async () => {
    const pdf = await PDFDocument.load(await sealLetter(await signed(), fonts));
    expect(pdf.getPageCount()).toBe(3);
  });

  it('carries the audit record, which proves the letter: length, hash, who, when, from where', async () => {
    const input = await signed();
    const sealed = await sealLetter(input, fonts);
    const pdf = await PDFDocument.load(sealed);
    const attached = pdf.getAttachments().find(({ name }) => name === auditFileName);
    const audit: unknown = JSON.parse(Buffer.from(attached?.data ?? []).toString('utf8'));
    expect(audit).toMatchObject({
      documentSid: letter.documentSid,
      letter: {
        byteLength: input.letter.length,
        sha256: createHash('sha256').update(sealed.subarray(0, input.letter.length)).digest('hex'),
      },
      signer: { name: 'Ada Lovelace', email: 'signer@example.com' },
      ipAddress: '203.0.113.9',
      signedAt: '2026-11-22T10:00:00.000Z',
    });
  });

  it('is made for any name a signer types: what no font has is written as its code point', async () => {
    const sealed = await sealLetter(await signed({ signerName: '東京 太郎' }), fonts);
    expect((await PDFDocument.load(sealed)).getPageCount()).toBe(3);
    expect(
      fonts
        .runs('東 A', 'regular')
        .map(({ text }) => text)
        .join(''),
    ).toBe('[U+6771] A');
  });
});

describe('the order of writing', () => {
  const shown = (line: string): string =>
    visualRuns(line)
      .map(({ text, rightToLeft }) => (rightToLeft ? Array.from(text).reverse().join('') : text))
      .join('');

  it.each([
    ['Main Street 1', 'Main Street 1'],
    ['אבג', 'גבא'],
    ['אבג דהו', 'והד גבא'],
    ['Shop אבג דהו, floor 2', 'Shop והד גבא, floor 2'],
    ['רחוב 12', '12 בוחר'],
    ['אבג (12) דה', 'הד (12) גבא'],
    ['אבג ABC דה', 'הד ABC גבא'],
    ['Phone 415-555 אב', 'Phone 415-555 בא'],
  ])('shows %j as %j', (line, expected) => {
    expect(shown(line)).toBe(expected);
  });
});
