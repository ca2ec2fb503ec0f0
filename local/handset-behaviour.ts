/** How a handset behaves: as it was told, or as the end of its number says, or as handsets mostly do. */

export const behaviours = [
  'normal',
  /** The text never arrives; a receipt says so. */
  'undelivered',
  /** The text arrives; no receipt comes. */
  'no-receipt',
  /** The carrier does not take texts for it. */
  'refused',
  /** The carrier answers after some seconds, and so does the receipt. */
  'slow',
  /** The carrier asks to come again, twice for each text. */
  'throttled',
] as const;
export type Behaviour = (typeof behaviours)[number];

const byLastDigits: Readonly<Record<string, Behaviour>> = {
  '9991': 'undelivered',
  '9992': 'no-receipt',
  '9993': 'refused',
  '9994': 'slow',
  '9995': 'throttled',
};

/** `told` is what was set for this handset. */
export function behaviourOf(number: string, told: string | undefined): Behaviour {
  return behaviours.find((behaviour) => behaviour === told) ?? byLastDigits[number.slice(-4)] ?? 'normal';
}

/** Time a text takes to the handset. Milliseconds. */
export const travelMs = (behaviour: Behaviour): number => (behaviour === 'slow' ? 10_000 : 300);
/** Time the carrier takes to answer a submission. Milliseconds. */
export const answerMs = (behaviour: Behaviour): number => (behaviour === 'slow' ? 3000 : 0);
/** How often the carrier says "not now" before it takes a text. */
export const refusalsFirst = (behaviour: Behaviour): number => (behaviour === 'throttled' ? 2 : 0);
