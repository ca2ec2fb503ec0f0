/** What happened to an order or document, as people read it. */

export interface TimelineEntry {
  readonly sequence: number;
  /** ISO 8601, workflow time. */
  readonly at: string;
  /** `customer`, `administrator`, `callee`, `signer`, `registry`, `carrier`, `service`. */
  readonly actor: string;
  readonly what: string;
  readonly why: string | null;
  readonly status: string;
}
