/** Which numbers can be hosted at all, as far as the number itself tells. Source: domain.md §5.1. */
import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { ApiError } from '../domain/errors.ts';

const hostableTypes: readonly (string | undefined)[] = ['FIXED_LINE', 'FIXED_LINE_OR_MOBILE', 'TOLL_FREE'];

/**
 * Landline and toll-free numbers of the configured countries pass; a landline cannot be told from a mobile number
 * here, so that is the registry's to say. Throws 22102, 22103 and 22110.
 */
export function requireHostable(phoneNumber: string, countries: readonly string[]): void {
  const number = parsePhoneNumberFromString(phoneNumber);
  if (!number) throw new ApiError(22102);
  const callingCodes = countries.map((country) => getCountryCallingCode(country as CountryCode));
  if (!callingCodes.includes(number.countryCallingCode)) throw new ApiError(22103);
  if (!number.isValid()) throw new ApiError(22102);
  const type = number.getType();
  // A toll-free number belongs to the whole numbering plan, whatever country the library names.
  const inCountry = type === 'TOLL_FREE' || (number.country && countries.includes(number.country));
  if (!inCountry) throw new ApiError(22103);
  if (!hostableTypes.includes(type)) {
    throw new ApiError(
      22110,
      'A number of this kind cannot be hosted: only landline and toll-free numbers can',
    );
  }
}
