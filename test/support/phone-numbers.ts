/** Phone numbers that no other test uses: valid North American ones, told apart by process and by count. */
import { randomInt } from 'node:crypto';

/** Area codes whose numbers libphonenumber takes as geographic, and so does the local registry. */
const areaCodes = [212, 312, 415, 503, 617, 702, 808, 917] as const;
let next = randomInt(1_000_000);

/** A number in E.164. Numbers repeat only after a million calls of one area code. */
export function newPhoneNumber(): string {
  next += 1;
  const areaCode = areaCodes[next % areaCodes.length] ?? areaCodes[0];
  // Exchanges from 220 to 919 without those that end in 11.
  const exchange = 220 + (Math.floor(next / areaCodes.length / 10_000) % 70) * 10;
  const line = String(Math.floor(next / areaCodes.length) % 10_000).padStart(4, '0');
  return `+1${areaCode}${exchange}${line}`;
}
