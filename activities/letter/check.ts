/**
 * What registries refuse a letter for, found before it is mailed. Source: domain.md §5.4 (the Somos list): name or
 * address mismatch, number missing or twice, not legible. What the signer adds later is checked on the signing page.
 */
import { addressFaults } from '../../domain/service-address.ts';
import type { Letter } from './letter.ts';

/** Reasons for which a registry would refuse the letter, in plain words; none when it may be mailed. */
export function letterFaults(
  letter: Pick<Letter, 'phoneNumbers' | 'address' | 'contactTitle' | 'provider'>,
  unprintable: (text: string) => readonly string[],
): readonly string[] {
  const { phoneNumbers, address, contactTitle, provider } = letter;
  const faults: string[] = [];
  if (phoneNumbers.length === 0) faults.push('it names no telephone number');
  if (new Set(phoneNumbers).size < phoneNumbers.length) faults.push('it names a telephone number twice');
  if (address !== null) faults.push(...addressFaults(address));
  const text = [provider, contactTitle ?? '', ...Object.values(address ?? {})].join(' ');
  const characters = unprintable(text);
  if (characters.length > 0)
    faults.push(`no font has ${characters.map(codePoint).join(', ')}; add one to documents.fonts`);
  return faults;
}

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
