/** What happened to an order or document, as people read it. */

export const actors = [
  'customer',
  'administrator',
  'callee',
  'signer',
  'registry',
  'carrier',
  'service',
] as const;
/** Who did it. */
export type Actor = (typeof actors)[number];

export interface TimelineEntry {
  readonly sequence: number;
  /** ISO 8601, workflow time. */
  readonly at: string;
  readonly actor: Actor;
  readonly what: string;
  readonly why: string | null;
  readonly status: string;
}
