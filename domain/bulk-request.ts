/** Requests about many numbers at once: orders (BH sid) and eligibility checks (EC sid). Source: domain.md §1.11. */
import type { ErrorCode } from './errors.ts';
import type { Eligibility } from './order-ports.ts';

export const bulkKinds = ['order', 'eligibility'] as const;
export type BulkKind = (typeof bulkKinds)[number];

/** Words of the orders' API; eligibility says COMPLETE for the last one. */
export const bulkStatuses = ['QUEUED', 'IN_PROGRESS', 'PROCESSED'] as const;
export type BulkStatus = (typeof bulkStatuses)[number];

/** Numbers one request may name. */
export const maxBulkNumbers = 10_000;
/** Numbers one activity takes on: a crash repeats at most so many questions. */
export const bulkBatchSize = 100;

/** What a check can find. Source: spec/enums.json, `eligibility_sub_status`. */
export const eligibilitySubStatuses = [
  'country-ineligible',
  'number-format-ineligible',
  'number-type-ineligible',
  'carrier-ineligible',
  'already-in-twilio',
  'internal-processing-error',
  'invalid-phone-number',
  'invalid-hosting-account-sid',
  'eligible',
  'eligible-by-manual-process',
] as const;
export type EligibilitySubStatus = (typeof eligibilitySubStatuses)[number];

/** What a check found of one number. */
export interface EligibilityFinding {
  readonly subStatus: EligibilitySubStatus;
  /** `null` where it is eligible. */
  readonly reason: string | null;
  /** Who routes the number's texts now. */
  readonly holder: string | null;
}

/** Of a number that an order holds. The registry is not asked: it would say that somebody routes its texts. */
export const hostedHere: EligibilityFinding = {
  subStatus: 'already-in-twilio',
  reason: 'The number is hosted, being hosted or retiring here already',
  holder: null,
};

/** Of a number that the registry was asked about. A mobile or VoIP number stays what it is, whoever routes its texts. */
export function findingOf(answer: Eligibility): EligibilityFinding {
  const { holder } = answer;
  if (answer.kind === 'eligible') return { subStatus: 'eligible', reason: null, holder };
  const ofWrongType = answer.lineType === 'mobile' || answer.lineType === 'voip';
  const subStatus = ofWrongType ? 'number-type-ineligible' : 'carrier-ineligible';
  return { subStatus, reason: answer.reason, holder };
}

/** What became of one number of a request. */
export type BulkOutcome =
  /** The order exists; where it stands is in its own row. */
  | { readonly kind: 'placed' }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }
  | (EligibilityFinding & {
      readonly kind: 'checked';
      /** ISO 8601. */
      readonly at: string;
    });
