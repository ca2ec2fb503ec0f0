/** The mails about a letter: a signer has to recognize them, and who wants what (domain.md §5.4). */
import { describe, expect, it } from 'vitest';
import {
  invitationCopyMail,
  signedCopyMail,
  signingMail,
  type LetterMail,
} from '../../activities/letter/mails.ts';
import { nameOfAccount } from '../../domain/account.ts';
import { letterHeadings } from '../../domain/letter.ts';

const mail: LetterMail = {
  documentSid: `PX${'0'.repeat(32)}`,
  mailing: 1,
  to: 'owner@example.com',
  provider: 'Hosted SMS',
  requester: 'Springfield <b> Phones',
  phoneNumbers: ['+14155550100'],
  pdf: Buffer.from('%PDF'),
  host: 'sms.example',
};
const signing = (changes: Partial<LetterMail>, kind: 'invitation' | 'reminder' = 'invitation') =>
  signingMail({
    ...mail,
    ...changes,
    kind,
    number: 0,
    link: 'https://sms.example/sign/x',
    expiresAt: new Date('2026-12-24T12:00:00Z'),
  });
const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `+1415555010${index}`);

describe('the invitation', () => {
  it('names the number in its subject, and in its text the number and who asked', () => {
    const { subject, text } = signing({});
    expect(subject).toBe('Letter of authorization for +1 415 555 0100: please sign');
    expect(text).toContain(
      'Springfield <b> Phones has asked Hosted SMS to enable text messaging on the telephone number +1 415 555 0100.',
    );
    expect(text).toContain('Voice service on the number is not changed.');
  });

  it('shows a name as text', () => {
    expect(signing({}).html).toContain('Springfield &lt;b&gt; Phones');
  });

  it('names nobody where the account has no name of its own', () => {
    expect(signing({ requester: null }).text).toContain('Hosted SMS has been asked to enable');
    expect(nameOfAccount('First account')).toBeNull();
    expect(nameOfAccount('SubAccount')).toBeNull();
    expect(nameOfAccount(' \n')).toBeNull();
    expect(nameOfAccount(' Springfield\nPhones ')).toBe('Springfield Phones');
  });

  it('names a few numbers all, of many the first', () => {
    expect(signing({ phoneNumbers: numbers(2) }).text).toContain(
      'the telephone numbers +1 415 555 0100 and +1 415 555 0101.',
    );
    const many = signing({ phoneNumbers: numbers(9) });
    expect(many.subject).toContain('+1 415 555 0100 and 8 more');
    expect(many.text).toContain('+1 415 555 0104 and 4 more.');
    expect(many.text).not.toContain('+1 415 555 0105');
  });
});

describe('every other mail about a letter', () => {
  it('names the number in its subject', () => {
    const others = [
      signing({}, 'reminder'),
      invitationCopyMail({ ...mail, copy: 1 }),
      signedCopyMail({ ...mail, copy: 0, signerName: 'Ada', sha256: '00' }),
    ];
    for (const { subject } of others)
      expect(subject).toMatch(/letter of authorization for \+1 415 555 0100$/);
  });
});

describe('the headings of the letter', () => {
  it('speak of one number where it is one', () => {
    expect(Object.values(letterHeadings(1)).join('\n')).not.toContain('numbers');
    expect(letterHeadings(2)).toMatchObject({
      owner: 'Owner of the numbers',
      numbers: 'Telephone numbers (2)',
    });
  });
});
