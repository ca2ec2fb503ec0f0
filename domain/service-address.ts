/** What registries refuse a service address for, as far as the address itself tells. Source: domain.md §5.4. */

const postalCodes: Readonly<Record<string, RegExp>> = {
  US: /^\d{5}(-?\d{4})?$/,
  CA: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i,
};

/** Tells whether a postal code has the form of its country's (ISO 3166). Other countries' are not known here. */
export function isPostalCode(isoCountry: string, postalCode: string): boolean {
  return postalCodes[isoCountry]?.test(postalCode) ?? true;
}

/** A box is no place where a telephone line could be. */
export function isPostOfficeBox(street: string): boolean {
  return /\b(p\.? ?o\.?|post office) ?box\b/i.test(street);
}
