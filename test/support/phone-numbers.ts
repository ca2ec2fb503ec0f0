/** Phone numbers that no other test uses: valid North American ones, told apart by process and by count. */
import { randomInt } from 'node:crypto';

/** Area codes whose numbers libphonenumber takes as geographic, and so does the local registry. */
const areaCodes = [212, 312, 415, 503, 617, 702, 808, 917] as const;
let next = randomInt(1_000_000);

/**
 * A number in E.164 of which the local registry thinks nothing special: that is for those that end in 0190 to 0199.
 * Numbers repeat only after millions.
 */
export function newPhoneNumber(): string {
  next += 1;
  const areaCode = areaCodes[next % areaCodes.length] ?? areaCodes[0];
  // Exchanges from 220 to 919 without those that end in 11.
  const round = Math.floor(next / areaCodes.length);
  const exchange = 220 + (Math.floor(round / 9000) % 70) * 10;
  const line = 1000 + (round % 9000);
  return `+1${areaCode}${exchange}${line}`;
}
