/**
 * The life of a hosted number order as one table: state × trigger → next state.
 * The workflow executes what this table says; test/unit walks every cell of it, refused ones included.
 * Source: service.md §3.1, domain.md §6.2 (the row numbers below are those of its table).
 */
import type { ErrorCode } from './errors.ts';

export const orderStatuses = [
  'twilio-processing',
  'received',
  'pending-verification',
  'verified',
  'pending-loa',
  'carrier-processing',
  'testing',
  'completed',
  'failed',
  'action-required',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Statuses in which the owner of the order may cancel it. Source: service.md §3.1. */
export const cancellableStatuses = [
  'received',
  'pending-verification',
  'verified',
  'pending-loa',
] as const satisfies readonly OrderStatus[];

/** Where an operator may send an order that waits for them. Source: domain.md §6.2 row 24. */
export const resolveTargets = ['received', 'verified', 'pending-loa', 'carrier-processing'] as const;
export type ResolveTarget = (typeof resolveTargets)[number];

/** The number's own state beside the order: made with the order, retired 3 days after its release. */
export const numberStates = ['pending', 'in-use', 'retiring', 'retired', 'removed'] as const;
export type NumberState = (typeof numberStates)[number];

export const verificationTypes = ['phone-call', 'phone-bill'] as const;
export type VerificationType = (typeof verificationTypes)[number];

/** Verification calls before an administrator must be involved. Source: service.md §8. */
export const maxVerificationAttempts = 3;

export const orderTriggers = [
  'eligibility-confirmed',
  'eligibility-refused',
  'start-verification',
  'submit-bill',
  'code-entered',
  'call-failed',
  'call-refused',
  'bill-accepted',
  'bill-refused',
  'document-created',
  'document-signed',
  'document-withdrawn',
  'registry-accepted',
  'registry-rejected',
  'route-passed',
  'route-failed',
  'resolve-received',
  'resolve-verified',
  'resolve-pending-loa',
  'resolve-carrier-processing',
  'reset-verification',
  'idle-expired',
  'cancel',
  'release',
  'restore',
  'retired',
  'change-labels',
  'change-verification',
] as const;
export type OrderTrigger = (typeof orderTriggers)[number];

/** What the table looks at and what a trigger changes. */
export interface OrderFacts {
  readonly status: OrderStatus;
  /** Calls started so far, unanswered ones included. 0 to 3. */
  readonly verificationAttempts: number;
  /** A call is waiting for its delay, ringing or in progress. */
  readonly callLive: boolean;
  /** A phone bill waits for an operator's review. */
  readonly billUnderReview: boolean;
  readonly ownershipVerified: boolean;
  readonly documentSid: string | null;
  readonly documentSigned: boolean;
  readonly numberState: NumberState;
  readonly canceled: boolean;
}

export const newOrderFacts: OrderFacts = {
  status: 'twilio-processing',
  verificationAttempts: 0,
  callLive: false,
  billUnderReview: false,
  ownershipVerified: false,
  documentSid: null,
  documentSigned: false,
  numberState: 'pending',
  canceled: false,
};

/**
 * Rules that were added after orders were running. An order that answered such a trigger otherwise goes on doing so when
 * its history is replayed: the workflow asks Temporal, by `patched(since)`, whether it knew the rule by then.
 */
export type LaterRules = 'letter-given-up' | 'bill-at-any-time' | 'one-proof-at-a-time';

interface Rule {
  /** Row of domain.md §6.2; `0` for what follows from service.md §3.3 and decision 0003. */
  readonly row: number;
  readonly since?: LaterRules;
  readonly on: OrderTrigger;
  readonly from: readonly OrderStatus[];
  readonly when?: (facts: OrderFacts) => boolean;
  readonly to: OrderStatus | 'same' | 'refused';
  readonly change?: (facts: OrderFacts) => Partial<OrderFacts>;
}

const always = (): boolean => true;
const mayCall = (facts: OrderFacts): boolean =>
  !facts.callLive && !facts.ownershipVerified && facts.verificationAttempts < maxVerificationAttempts;
const attemptsLeft = (facts: OrderFacts): boolean => facts.verificationAttempts < maxVerificationAttempts;
const startCall = (facts: OrderFacts): Partial<OrderFacts> => ({
  verificationAttempts: facts.verificationAttempts + 1,
  callLive: true,
});
const endCall = (): Partial<OrderFacts> => ({ callLive: false });
const ownershipProved = (): Partial<OrderFacts> => ({
  ownershipVerified: true,
  callLive: false,
  billUnderReview: false,
});
const withdrawDocument = (): Partial<OrderFacts> => ({ documentSid: null, documentSigned: false });
const mayHandIn = (facts: OrderFacts): boolean =>
  !facts.callLive && !facts.billUnderReview && !facts.ownershipVerified;
const underReview = (): Partial<OrderFacts> => ({ billUnderReview: true });
const removeNumber = (): Partial<OrderFacts> => ({ numberState: 'removed', callLive: false });

/** The table. The first rule whose `on`, `from` and `when` fit decides; where none fits the trigger is refused. */
// biome-ignore format: a table reads best with a row on a line
export const orderRules: readonly Rule[] = [
  { row: 4, on: 'eligibility-confirmed', from: ['twilio-processing'], to: 'received' },
  { row: 5, on: 'eligibility-refused', from: ['twilio-processing'], to: 'failed', change: removeNumber },

  { row: 6, on: 'start-verification', from: ['received'], when: mayCall, to: 'pending-verification', change: startCall },
  { row: 7, on: 'start-verification', from: ['pending-verification'], when: (facts) => mayCall(facts) && !facts.billUnderReview, to: 'same', change: startCall },
  { row: 15, since: 'one-proof-at-a-time', on: 'start-verification', from: ['pending-loa'], when: (facts) => mayCall(facts) && facts.billUnderReview, to: 'refused' },
  { row: 15, on: 'start-verification', from: ['pending-loa'], when: mayCall, to: 'same', change: startCall },
  { row: 9, on: 'code-entered', from: ['pending-verification'], when: (facts) => facts.callLive, to: 'verified', change: ownershipProved },
  { row: 16, on: 'code-entered', from: ['pending-loa'], when: (facts) => facts.callLive && facts.documentSigned, to: 'carrier-processing', change: ownershipProved },
  { row: 15, on: 'code-entered', from: ['pending-loa'], when: (facts) => facts.callLive, to: 'same', change: ownershipProved },
  { row: 10, on: 'call-failed', from: ['pending-verification', 'pending-loa'], when: (facts) => facts.callLive && attemptsLeft(facts), to: 'same', change: endCall },
  { row: 11, on: 'call-failed', from: ['pending-verification', 'pending-loa'], when: (facts) => facts.callLive, to: 'action-required', change: endCall },
  { row: 6, on: 'call-refused', from: ['pending-verification'], when: (facts) => facts.callLive && facts.verificationAttempts === 1, to: 'received', change: () => ({ callLive: false, verificationAttempts: 0 }) },
  { row: 7, on: 'call-refused', from: ['pending-verification', 'pending-loa'], when: (facts) => facts.callLive, to: 'same', change: (facts) => ({ callLive: false, verificationAttempts: facts.verificationAttempts - 1 }) },

  { row: 12, on: 'submit-bill', from: ['received'], to: 'pending-verification', change: underReview },
  { row: 12, since: 'bill-at-any-time', on: 'submit-bill', from: ['pending-verification'], when: mayHandIn, to: 'same', change: underReview },
  { row: 15, since: 'bill-at-any-time', on: 'submit-bill', from: ['pending-loa'], when: mayHandIn, to: 'same', change: underReview },
  { row: 13, on: 'bill-accepted', from: ['pending-verification'], when: (facts) => facts.billUnderReview, to: 'verified', change: ownershipProved },
  { row: 16, on: 'bill-accepted', from: ['pending-loa'], when: (facts) => facts.billUnderReview && facts.documentSigned, to: 'carrier-processing', change: ownershipProved },
  { row: 15, on: 'bill-accepted', from: ['pending-loa'], when: (facts) => facts.billUnderReview, to: 'same', change: ownershipProved },
  { row: 13, on: 'bill-refused', from: ['pending-verification', 'pending-loa'], when: (facts) => facts.billUnderReview, to: 'action-required', change: () => ({ billUnderReview: false, callLive: false }) },

  { row: 14, on: 'document-created', from: ['received', 'pending-verification', 'verified'], when: (facts) => facts.documentSid === null, to: 'pending-loa' },
  { row: 16, on: 'document-signed', from: ['pending-loa'], when: (facts) => facts.documentSid !== null && facts.ownershipVerified, to: 'carrier-processing', change: () => ({ documentSigned: true }) },
  { row: 17, on: 'document-signed', from: ['pending-loa', 'action-required'], when: (facts) => facts.documentSid !== null, to: 'same', change: () => ({ documentSigned: true }) },
  { row: 18, on: 'document-withdrawn', from: ['pending-loa'], when: (facts) => facts.ownershipVerified, to: 'verified', change: withdrawDocument },
  { row: 18, on: 'document-withdrawn', from: ['pending-loa'], when: (facts) => facts.callLive || facts.billUnderReview, to: 'pending-verification', change: withdrawDocument },
  { row: 18, on: 'document-withdrawn', from: ['pending-loa'], to: 'received', change: withdrawDocument },
  { row: 18, on: 'document-withdrawn', from: ['action-required'], to: 'same', change: withdrawDocument },

  { row: 20, on: 'registry-accepted', from: ['carrier-processing'], to: 'testing' },
  { row: 21, on: 'registry-rejected', from: ['carrier-processing'], to: 'action-required' },
  { row: 22, on: 'route-passed', from: ['testing'], to: 'completed', change: () => ({ numberState: 'in-use' }) },
  { row: 23, on: 'route-failed', from: ['testing'], to: 'action-required' },

  { row: 24, on: 'resolve-received', from: ['action-required'], when: (facts) => facts.documentSid === null, to: 'received', change: () => ({ verificationAttempts: 0, ownershipVerified: false }) },
  { row: 24, on: 'resolve-verified', from: ['action-required'], when: (facts) => facts.documentSid === null, to: 'verified', change: () => ({ ownershipVerified: true }) },
  { row: 24, since: 'letter-given-up', on: 'resolve-received', from: ['action-required'], to: 'received', change: () => ({ ...withdrawDocument(), verificationAttempts: 0, ownershipVerified: false }) },
  { row: 24, since: 'letter-given-up', on: 'resolve-verified', from: ['action-required'], to: 'verified', change: () => ({ ...withdrawDocument(), ownershipVerified: true }) },
  { row: 24, on: 'resolve-pending-loa', from: ['action-required'], when: (facts) => facts.documentSid !== null && !(facts.documentSigned && facts.ownershipVerified), to: 'pending-loa', change: () => ({ verificationAttempts: 0 }) },
  { row: 24, on: 'resolve-carrier-processing', from: ['action-required'], when: (facts) => facts.documentSigned && facts.ownershipVerified, to: 'carrier-processing' },
  { row: 24, on: 'reset-verification', from: ['action-required'], when: (facts) => !facts.ownershipVerified && facts.documentSid !== null, to: 'pending-loa', change: () => ({ verificationAttempts: 0 }) },
  { row: 24, on: 'reset-verification', from: ['action-required'], when: (facts) => !facts.ownershipVerified, to: 'received', change: () => ({ verificationAttempts: 0 }) },
  { row: 24, on: 'reset-verification', from: ['received', 'pending-verification', 'pending-loa'], when: (facts) => !facts.callLive && !facts.ownershipVerified, to: 'same', change: () => ({ verificationAttempts: 0 }) },
  { row: 25, on: 'idle-expired', from: ['action-required'], to: 'failed', change: removeNumber },

  { row: 26, on: 'cancel', from: cancellableStatuses, to: 'same', change: () => ({ canceled: true, numberState: 'removed', callLive: false }) },

  { row: 0, on: 'release', from: ['completed'], when: (facts) => facts.numberState === 'in-use', to: 'same', change: () => ({ numberState: 'retiring' }) },
  { row: 0, on: 'restore', from: ['completed'], when: (facts) => facts.numberState === 'retiring', to: 'same', change: () => ({ numberState: 'in-use' }) },
  { row: 0, on: 'retired', from: ['completed'], when: (facts) => facts.numberState === 'retiring', to: 'same', change: () => ({ numberState: 'retired' }) },

  { row: 29, on: 'change-labels', from: orderStatuses, to: 'same' },
  { row: 29, on: 'change-verification', from: ['twilio-processing', 'received', 'pending-verification', 'verified', 'pending-loa', 'action-required'], to: 'same' },
];

export type OrderDecision =
  | { readonly allowed: true; readonly facts: OrderFacts; readonly row: number }
  | { readonly allowed: false; readonly code: ErrorCode };

/**
 * Answers what a trigger does to an order; the caller carries out what follows from the new facts. `knows` is asked only
 * about a later rule that fits, and makes it count.
 */
export function decideOrder(
  facts: OrderFacts,
  trigger: OrderTrigger,
  knows: (rules: LaterRules) => boolean = () => true,
): OrderDecision {
  const rule = facts.canceled
    ? undefined
    : orderRules.find(
        ({ on, from, when = always, since }) =>
          on === trigger && from.includes(facts.status) && when(facts) && (!since || knows(since)),
      );
  if (!rule || rule.to === 'refused') return { allowed: false, code: refusalCode(facts, trigger) };
  const status = rule.to === 'same' ? facts.status : rule.to;
  return { allowed: true, row: rule.row, facts: { ...facts, ...rule.change?.(facts), status } };
}

/** The error that tells a caller why a trigger is refused. Rows 8, 11, 27 and 29 of the table. */
function refusalCode(facts: OrderFacts, trigger: OrderTrigger): ErrorCode {
  if (facts.canceled) return 20404;
  if (trigger === 'start-verification') {
    const usedUp = facts.verificationAttempts >= maxVerificationAttempts && !facts.ownershipVerified;
    const open = facts.status !== 'completed' && facts.status !== 'failed';
    return usedUp && open ? 22100 : 22112;
  }
  if (trigger === 'cancel' || trigger === 'release' || trigger === 'restore') return 20409;
  if (trigger === 'document-created') return 22101;
  return 22112;
}
