/** What registries refuse a service address for, as far as the address itself tells. Source: domain.md §5.4. */
import type { LetterAddress } from './document-ports.ts';
import { isPlainLine } from './plain-line.ts';

const postalCodes: Readonly<Record<string, RegExp>> = {
  US: /^\d{5}(-?\d{4})?$/,
  CA: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i,
};

/** Tells whether a postal code has the form of its country's (ISO 3166). Other countries' are not known here. */
export function isPostalCode(isoCountry: string, postalCode: string): boolean {
  return postalCodes[isoCountry]?.test(postalCode) ?? true;
}

/** A box is no place where a telephone line could be, on whichever line of the address it stands. */
export function isPostOfficeBox(line: string): boolean {
  return /\b(p\.? ?o\.?|post office) ?box\b/i.test(line);
}

/** Reasons for which a registry would refuse the address, in plain words; none when it may stand in a letter. */
export function addressFaults(address: LetterAddress): readonly string[] {
  const { customerName, street, streetSecondary, city, region, postalCode, isoCountry } = address;
  const secondLine = streetSecondary ?? '';
  const faults: string[] = [];
  const needed = { 'business name': customerName, street, city, region, 'postal code': postalCode };
  for (const [what, value] of Object.entries(needed)) {
    if (value.trim() === '') faults.push(`the service address has no ${what}`);
  }
  if (isPostOfficeBox(street) || isPostOfficeBox(secondLine))
    faults.push('a post office box is no service address');
  if (postalCode.trim() !== '' && !isPostalCode(isoCountry, postalCode.trim()))
    faults.push(`the postal code is not valid for the country ${isoCountry}`);
  if (![...Object.values(needed), secondLine].every(isPlainLine))
    faults.push('the service address holds control characters or marks that turn the direction of writing');
  return faults;
}
