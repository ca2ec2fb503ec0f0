/** Phone numbers as people write them. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** `+1 415 867 5310` for `+14158675310`, with spaces that keep it on one line; anything else stays as it is. */
export function formatPhone(e164: string): string {
  return parsePhoneNumberFromString(e164)?.formatInternational().replaceAll(' ', '\u00a0') ?? e164;
}
