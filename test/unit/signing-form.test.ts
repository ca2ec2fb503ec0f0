/** What a signer may fill in (domain.md §5.4), and how a signed file is taken apart. */
import { describe, expect, it } from 'vitest';
import type { DocumentToSign } from '../../db/reads/signing.ts';
import { readReason, readSigning, type SigningField } from '../../web/sign/form.ts';
import { versionEnds } from '../../web/verify/files.ts';
import { signature } from '../support/signature.ts';

const document: DocumentToSign = {
  sid: 'PX00000000000000000000000000000001',
  accountSid: 'AC00000000000000000000000000000001',
  status: 'signing',
  mailing: 1,
  failureReason: null,
  lastActor: null,
  signerName: null,
  signedAt: null,
  expiresAt: null,
  email: 'owner@example.com',
  contactTitle: null,
  contactPhoneNumber: null,
  address: null,
  phoneNumbers: ['+14158675310'],
};
const complete: Readonly<Record<SigningField, string>> = {
  businessName: ' Springfield   Bakery LLC ',
  street: '742 Evergreen Terrace',
  streetSecondary: '',
  city: 'Springfield',
  region: 'IL',
  postalCode: '62704',
  isoCountry: 'US',
  signerTitle: 'Owner',
  signerPhone: '(415) 867-5310',
  consent: 'yes',
  signerName: 'Ada Owner',
};

const stated = {
  customerName: 'Springfield Bakery LLC',
  street: '742 Evergreen Terrace',
  streetSecondary: null,
  city: 'Springfield',
  region: 'IL',
  isoCountry: 'US',
} as const;

function form(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

describe('the signing form', () => {
  it('gives the signature with the phone number in E.164 and spaces put right, and everything as it was typed', () => {
    const { signerName, signerTitle, signerPhone, address } = signature;
    expect(readSigning(form(complete), document)).toEqual({
      ok: true,
      values: complete,
      signature: { signerName, signerTitle, signerPhone, address },
    });
  });

  it('takes what the letter states from the letter, whatever was posted', () => {
    const stated = { ...document, contactTitle: 'Director', contactPhoneNumber: '+12125550100' };
    const input = readSigning(form(complete), stated);
    expect(input).toMatchObject({
      ok: true,
      signature: { signerTitle: 'Director', signerPhone: '+12125550100' },
    });
  });

  it.each<[SigningField, string]>([
    ['consent', ''],
    ['consent', 'no'],
    ['signerName', ''],
    ['signerName', '   '],
    ['signerName', 'x'],
    ['signerName', '123'],
    ['signerName', `Ada\u202e Owner`],
    ['signerName', 'A'.repeat(101)],
    ['businessName', ''],
    ['businessName', `\u202eCLL emcA`],
    ['businessName', `Acme \u200f12 34`],
    ['street', 'P.O. Box 12'],
    ['streetSecondary', 'P.O. Box 12'],
    ['streetSecondary', `Suite\u20665`],
    ['postalCode', '6270'],
    ['isoCountry', 'United States'],
    ['signerPhone', '12'],
    ['signerTitle', ' '],
  ])('%s: %j is refused at that field only, and everything typed comes back', (field, value) => {
    const input = readSigning(form({ ...complete, [field]: value }), document);
    expect(input.ok).toBe(false);
    if (input.ok) return;
    expect(Object.keys(input.errors)).toEqual([field]);
    // Words of zod's own say nothing to a signer.
    expect(input.errors[field]).not.toContain('Invalid');
    expect(input.values).toMatchObject({ city: 'Springfield' });
  });

  it('names every field that is missing at once', () => {
    const input = readSigning(form({}), document);
    expect(input.ok || Object.keys(input.errors).length).toBe(Object.keys(complete).length - 1);
  });

  it('names a postal code of another country beside what else is wrong, in the order of the form', () => {
    const wrong = { ...complete, postalCode: 'K1A 0B1', street: '', consent: '' };
    const input = readSigning(form(wrong), document);
    expect(input.ok || Object.keys(input.errors)).toEqual(['street', 'postalCode', 'consent']);
  });

  it('asks nothing about a postal code that the letter states', () => {
    const address = { ...stated, postalCode: '62704' };
    const input = readSigning(form({ ...complete, postalCode: 'no such code' }), { ...document, address });
    expect(input).toMatchObject({ ok: true, signature: { address } });
  });

  it('keeps names of every script', () => {
    for (const signerName of ['Jürgen Müller', 'Анна Каренина', 'محمد علی', '李小龙', 'ক্ষিতীশ']) {
      expect(readSigning(form({ ...complete, signerName }), document).ok).toBe(true);
    }
  });

  it('makes one line of a reason, cuts what is too long, and has it as it was typed too', () => {
    const typed = ' wrong\r\n address\u0000\u202e ';
    expect(readReason(form({ reason: typed }))).toEqual({ reason: 'wrong address', typed });
    expect(readReason(form({ reason: 'x'.repeat(600) })).reason).toHaveLength(500);
    expect(readReason(form({}))).toEqual({ reason: '', typed: '' });
  });
});

describe('the versions in a PDF that was added to', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('end behind each %%EOF, with and without its end of line, and before the end of the file', () => {
    expect(versionEnds(bytes('a%%EOF\nb%%EOF'))).toEqual([6, 7]);
    expect(versionEnds(bytes('a%%EOF\r\nb'))).toEqual([6, 7, 8]);
    expect(versionEnds(bytes('a%%EOF'))).toEqual([]);
    expect(versionEnds(bytes('no pdf'))).toEqual([]);
  });

  it('are counted only so far', () => {
    expect(versionEnds(bytes('%%EOF '.repeat(10_000))).length).toBeLessThan(60);
  });
});
