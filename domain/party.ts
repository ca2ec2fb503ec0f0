/** The other party of a text: a number, a short code, or a name. */

/** Digits of the longest short code; more are a telephone number. */
const shortCodeLength = 6;

/**
 * As it is kept and compared, whichever way it was spelled: E.164 where it is a telephone number. One of ten digits
 * without a country is North American, as carriers there give them.
 */
export function partyOf(address: string): string {
  if (!/^\+?\d+$/.test(address)) return address;
  const digits = address.replace('+', '');
  if (digits.length <= shortCodeLength) return digits;
  if (address.startsWith('+') || digits.length > 10) return `+${digits}`;
  return digits.length === 10 ? `+1${digits}` : digits;
}

/** Whether a text can go to it: a number in E.164, or a short code. A name can only be read. */
export function isRecipient(party: string): boolean {
  return /^(\+[1-9]\d{6,14}|[1-9]\d{2,5})$/.test(party);
}

/** Fewest digits by which a number without its beginning is known: those of a subscriber in North America. */
const subscriberDigits = 7;

/** Whether two spellings may be of one number: a carrier may leave out what a call within its country does not need. */
export function mayBeSameNumber(left: string, right: string): boolean {
  const [short = '', long = ''] = [left, right]
    .map((number) => number.replace(/^[+0]+/, ''))
    .toSorted((a, b) => a.length - b.length);
  return short === long || (short.length >= subscriberDigits && long.endsWith(short));
}
