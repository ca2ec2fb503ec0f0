/** The letter of authorization as a PDF. Contents: domain.md §5.4. The same letter always has the same bytes. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { authorizationStatement, entitlementStatement, letterHeadings } from '../../domain/letter.ts';
import type { LetterAddress } from '../../domain/ports.ts';
import { quietInk } from './canvas.ts';
import type { Fonts } from './fonts.ts';
import { createSheet, type Fact } from './sheet.ts';

export interface Letter {
  readonly documentSid: string;
  /** Day of the mailing. */
  readonly date: Date;
  /** Company that hosts the texts. */
  readonly provider: string;
  /** E.164, sorted, at least one. */
  readonly phoneNumbers: readonly string[];
  /** Owner and service address; `null` when the signer fills them in on the signing page. */
  readonly address: LetterAddress | null;
  readonly contactEmail: string;
  readonly contactTitle: string | null;
  /** E.164. */
  readonly contactPhoneNumber: string | null;
}

/** What stands in a line that the signer completes. */
const toComplete = 'to be given by the signer, on the signature page of this letter';

export async function renderLetter(letter: Letter, fonts: Fonts): Promise<Buffer> {
  const { documentSid, date, provider, phoneNumbers, address } = letter;
  const headings = letterHeadings(phoneNumbers.length);
  const sheet = createSheet({
    fonts,
    title: 'Letter of authorization',
    date,
    tagged: true,
    footer: `Letter of authorization ${documentSid}`,
  });
  sheet.heading('Letter of authorization', 1);
  sheet.paragraph(headings.purpose, { color: quietInk, gapAfter: 14 });
  sheet.facts([
    ['Date', longDate(date)],
    ['Text messaging provider', provider],
  ]);

  sheet.heading(headings.owner, 2);
  sheet.facts([
    ['Business name', address?.customerName ?? toComplete],
    ...addressFacts(address),
    ['Authorized contact', toComplete],
    ['Title', letter.contactTitle ?? toComplete],
    ['Telephone', letter.contactPhoneNumber === null ? toComplete : formatPhone(letter.contactPhoneNumber)],
    ['E-mail', letter.contactEmail],
  ]);

  sheet.heading(headings.numbers, 2);
  sheet.list(phoneNumbers.map(formatPhone), 3);

  sheet.heading('Authorization', 2);
  sheet.paragraph(authorizationStatement(provider, phoneNumbers.length));
  sheet.paragraph(entitlementStatement(phoneNumbers.length), { gapAfter: 20 });
  sheet.signature(
    '',
    'Signature, name, title and date: signed electronically on the signature page that is added',
  );
  return sheet.finish();
}

export function addressFacts(address: LetterAddress | null): readonly Fact[] {
  if (address === null) return [['Service address', toComplete]];
  const { street, streetSecondary, city, region, postalCode, isoCountry } = address;
  const secondLine: readonly Fact[] = streetSecondary ? [['', streetSecondary]] : [];
  return [
    ['Service address', street],
    ...secondLine,
    ['', `${city}, ${region} ${postalCode}, ${isoCountry}`],
  ];
}

/** As people read it, country code first: `+1 415 555 0100`. */
export function formatPhone(phoneNumber: string): string {
  return parsePhoneNumberFromString(phoneNumber)?.formatInternational() ?? phoneNumber;
}

/** Such as `21 November 2025`, in UTC: a letter has one date wherever it is read. */
export function longDate(date: Date): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}
