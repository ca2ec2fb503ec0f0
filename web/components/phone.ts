/** Phone numbers as people write them. */
import { parsePhoneNumberFromString } from 'libphonenumber-js';

/** `+1 415 867 5310` for `+14158675310`; what is no phone number stays as it is. */
export function formatPhone(e164: string): string {
  return parsePhoneNumberFromString(e164)?.formatInternational() ?? e164;
}
