/** What kind of number a hosted line is. Source: service.md §3.4. */

/** Toll-free lines hear from the handset; local ones only from the carrier. */
export type LineKind = 'local' | 'toll-free';

/** What a registry says a number is. Source: docs/gateways.md. */
export const lineTypes = ['landline', 'toll-free', 'mobile', 'voip'] as const;
export type LineType = (typeof lineTypes)[number];

/** Toll-free area codes of the North American plan in use. */
export const tollFreeCodes = ['800', '833', '844', '855', '866', '877', '888'] as const;

const tollFree = new RegExp(String.raw`^\+1(${tollFreeCodes.join('|')})\d{7}$`);

export function lineKind(phoneNumber: string): LineKind {
  return tollFree.test(phoneNumber) ? 'toll-free' : 'local';
}
