/**
 * Identifiers. Every resource is named by two letters and 32 hexadecimal digits.
 * Source: domain.md §1.6; `WH` (subscription), `DL` (delivery), `EV` (event) and `RP` (replay) are ours (design.md §5).
 */

export const sidPrefixes = {
  account: 'AC',
  address: 'AD',
  application: 'AP',
  attachment: 'AT',
  authorizationDocument: 'PX',
  bulkEligibility: 'EC',
  bulkOrder: 'BH',
  call: 'CA',
  delivery: 'DL',
  event: 'EV',
  hostedNumberOrder: 'HR',
  incomingPhoneNumber: 'PN',
  media: 'ME',
  message: 'SM',
  messageWithMedia: 'MM',
  replay: 'RP',
  verificationDocument: 'RI',
  subscription: 'WH',
} as const;

export type SidKind = keyof typeof sidPrefixes;

/** Makes an identifier from 32 hexadecimal digits: random ones, or the first half of a SHA-256. */
export function sidFromHex(kind: SidKind, hex: string): string {
  if (!/^[0-9a-f]{32}/.test(hex)) throw new TypeError('an identifier needs 32 hexadecimal digits');
  return sidPrefixes[kind] + hex.slice(0, 32);
}

/** Tells whether `value` has the shape of an identifier of this kind. Letter case of the digits is free. */
export function isSid(kind: SidKind, value: string): boolean {
  return value.startsWith(sidPrefixes[kind]) && /^[A-Z]{2}[0-9a-fA-F]{32}$/.test(value);
}
