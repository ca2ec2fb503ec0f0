/**
 * Every cell of the order table: 10 statuses × 28 triggers × every combination of facts, refused ones included.
 * The expectation is written out here from domain.md §6.2 and service.md §3.1, not derived from the code it checks.
 */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../domain/errors.ts';
import {
  decideOrder,
  newOrderFacts,
  numberStates,
  orderStatuses,
  orderTriggers,
  type OrderFacts,
  type OrderTrigger,
} from '../../domain/hosted-number-order.ts';

/** What a cell says: a refusal's code, or what becomes of the facts. */
type Outcome = ErrorCode | Partial<OrderFacts>;
type Cell = (facts: OrderFacts) => Outcome;

const PX = 'PX00000000000000000000000000000001';
const stay = {};

/* Cells that depend on more than the status. */
const attemptsUsedUp = (facts: OrderFacts): boolean =>
  facts.verificationAttempts === 3 && !facts.ownershipVerified;
const startRefused: Cell = (facts) => (attemptsUsedUp(facts) ? 22100 : 22112);
const start = (to: Partial<OrderFacts>): Cell => {
  return (facts) => {
    if (attemptsUsedUp(facts)) return 22100;
    if (facts.callLive || facts.ownershipVerified) return 22112;
    return { ...to, callLive: true, verificationAttempts: facts.verificationAttempts + 1 };
  };
};
/** One proof at a time: no call beside a bill that is reviewed. */
const unlessReviewed: Cell = (facts) =>
  facts.billUnderReview && !attemptsUsedUp(facts) ? 22112 : start(stay)(facts);
const proved = { ownershipVerified: true, callLive: false, billUnderReview: false };
const noDocument = { documentSid: null, documentSigned: false };
const gone = { numberState: 'removed', callLive: false } as const;
const afterProof = (facts: OrderFacts): Outcome =>
  facts.documentSigned ? { ...proved, status: 'carrier-processing' } : proved;
const callEnded: Cell = (facts) => {
  if (!facts.callLive) return 22112;
  return facts.verificationAttempts === 3
    ? { callLive: false, status: 'action-required' }
    : { callLive: false };
};
const attemptGivenBack = (facts: OrderFacts): Outcome => ({
  callLive: false,
  verificationAttempts: facts.verificationAttempts - 1,
});
const always =
  (outcome: Outcome): Cell =>
  () =>
    outcome;
const given =
  (when: (facts: OrderFacts) => boolean, then: Outcome | Cell): Cell =>
  (facts) => {
    if (!when(facts)) return 22112;
    return typeof then === 'function' ? then(facts) : then;
  };
const hasDocument = (facts: OrderFacts): boolean => facts.documentSid !== null;
const isLive = (facts: OrderFacts): boolean => facts.callLive;
const billWaits = (facts: OrderFacts): boolean => facts.billUnderReview;
const mayHandIn = (facts: OrderFacts): boolean =>
  !facts.callLive && !facts.billUnderReview && !facts.ownershipVerified;
const conflictUnless = (numberState: OrderFacts['numberState'], then: Partial<OrderFacts>): Cell => {
  return (facts) => (facts.numberState === numberState ? then : 20409);
};

interface Row {
  /** Statuses in which something may come of the trigger, and what. */
  readonly cells: Partial<Record<OrderFacts['status'], Cell>>;
  /** What every other status answers. */
  readonly otherwise: Cell;
}
const not = always(22112);
const conflict = always(20409);
const cancels = always({ canceled: true, ...gone });
const join: Cell = (facts) => (facts.documentSid === null ? { status: 'pending-loa' } : 22101);
const unchanged = always(stay);

/** The table of domain.md §6.2, one trigger a row. */
const expected: Record<OrderTrigger, Row> = {
  'eligibility-confirmed': { cells: { 'twilio-processing': always({ status: 'received' }) }, otherwise: not },
  'eligibility-refused': {
    cells: { 'twilio-processing': always({ status: 'failed', ...gone }) },
    otherwise: not,
  },
  'start-verification': {
    cells: {
      received: start({ status: 'pending-verification' }),
      'pending-verification': unlessReviewed,
      'pending-loa': unlessReviewed,
      completed: not,
      failed: not,
    },
    otherwise: startRefused,
  },
  'submit-bill': {
    cells: {
      received: always({ status: 'pending-verification', billUnderReview: true }),
      'pending-verification': given(mayHandIn, { billUnderReview: true }),
      'pending-loa': given(mayHandIn, { billUnderReview: true }),
    },
    otherwise: not,
  },
  'code-entered': {
    cells: {
      'pending-verification': given(isLive, { ...proved, status: 'verified' }),
      'pending-loa': given(isLive, afterProof),
    },
    otherwise: not,
  },
  'call-failed': {
    cells: { 'pending-verification': callEnded, 'pending-loa': callEnded },
    otherwise: not,
  },
  'call-refused': {
    cells: {
      'pending-verification': given(isLive, (facts) =>
        facts.verificationAttempts === 1
          ? { status: 'received', callLive: false, verificationAttempts: 0 }
          : attemptGivenBack(facts),
      ),
      'pending-loa': given(isLive, attemptGivenBack),
    },
    otherwise: not,
  },
  'bill-accepted': {
    cells: {
      'pending-verification': given(billWaits, { ...proved, status: 'verified' }),
      'pending-loa': given(billWaits, afterProof),
    },
    otherwise: not,
  },
  'bill-refused': {
    cells: {
      'pending-verification': given(billWaits, {
        status: 'action-required',
        billUnderReview: false,
        callLive: false,
      }),
      'pending-loa': given(billWaits, { status: 'action-required', billUnderReview: false, callLive: false }),
    },
    otherwise: not,
  },
  'document-created': {
    cells: { received: join, 'pending-verification': join, verified: join },
    otherwise: always(22101),
  },
  'document-signed': {
    cells: {
      'pending-loa': given(hasDocument, (facts) =>
        facts.ownershipVerified
          ? { status: 'carrier-processing', documentSigned: true }
          : { documentSigned: true },
      ),
      'action-required': given(hasDocument, { documentSigned: true }),
    },
    otherwise: not,
  },
  'document-withdrawn': {
    cells: {
      'pending-loa': (facts) => {
        if (facts.ownershipVerified) return { status: 'verified', ...noDocument };
        const underWay = facts.callLive || facts.billUnderReview;
        return { status: underWay ? 'pending-verification' : 'received', ...noDocument };
      },
      'action-required': always(noDocument),
    },
    otherwise: not,
  },
  'registry-accepted': { cells: { 'carrier-processing': always({ status: 'testing' }) }, otherwise: not },
  'registry-rejected': {
    cells: { 'carrier-processing': always({ status: 'action-required' }) },
    otherwise: not,
  },
  'route-passed': {
    cells: { testing: always({ status: 'completed', numberState: 'in-use' }) },
    otherwise: not,
  },
  'route-failed': { cells: { testing: always({ status: 'action-required' }) }, otherwise: not },
  'resolve-received': {
    cells: {
      'action-required': (facts) => ({
        status: 'received',
        verificationAttempts: 0,
        ownershipVerified: false,
        ...(hasDocument(facts) ? noDocument : {}),
      }),
    },
    otherwise: not,
  },
  'resolve-verified': {
    cells: {
      'action-required': (facts) => ({
        status: 'verified',
        ownershipVerified: true,
        ...(hasDocument(facts) ? noDocument : {}),
      }),
    },
    otherwise: not,
  },
  'resolve-pending-loa': {
    cells: {
      'action-required': given(
        (facts) => hasDocument(facts) && !(facts.documentSigned && facts.ownershipVerified),
        { status: 'pending-loa', verificationAttempts: 0 },
      ),
    },
    otherwise: not,
  },
  'resolve-carrier-processing': {
    cells: {
      'action-required': given((facts) => facts.documentSigned && facts.ownershipVerified, {
        status: 'carrier-processing',
      }),
    },
    otherwise: not,
  },
  'reset-verification': {
    cells: {
      received: given((facts) => !facts.callLive && !facts.ownershipVerified, { verificationAttempts: 0 }),
      'pending-verification': given((facts) => !facts.callLive && !facts.ownershipVerified, {
        verificationAttempts: 0,
      }),
      'pending-loa': given((facts) => !facts.callLive && !facts.ownershipVerified, {
        verificationAttempts: 0,
      }),
      'action-required': given(
        (facts) => !facts.ownershipVerified,
        (facts) => ({
          status: hasDocument(facts) ? 'pending-loa' : 'received',
          verificationAttempts: 0,
        }),
      ),
    },
    otherwise: not,
  },
  'idle-expired': { cells: { 'action-required': always({ status: 'failed', ...gone }) }, otherwise: not },
  cancel: {
    cells: {
      received: cancels,
      'pending-verification': cancels,
      verified: cancels,
      'pending-loa': cancels,
    },
    otherwise: conflict,
  },
  release: {
    cells: { completed: conflictUnless('in-use', { numberState: 'retiring' }) },
    otherwise: conflict,
  },
  restore: {
    cells: { completed: conflictUnless('retiring', { numberState: 'in-use' }) },
    otherwise: conflict,
  },
  retired: {
    cells: { completed: given((facts) => facts.numberState === 'retiring', { numberState: 'retired' }) },
    otherwise: not,
  },
  'change-labels': { cells: {}, otherwise: unchanged },
  'change-verification': {
    cells: { 'carrier-processing': not, testing: not, completed: not, failed: not },
    otherwise: unchanged,
  },
};

/** Every combination of facts an order of this status could be in, the impossible ones too. */
function* everyFacts(status: OrderFacts['status']): Generator<OrderFacts> {
  const either = [false, true] as const;
  for (const verificationAttempts of [0, 1, 2, 3])
    for (const callLive of either)
      for (const billUnderReview of either)
        for (const ownershipVerified of either)
          for (const documentSid of [null, PX])
            for (const documentSigned of either)
              for (const numberState of numberStates)
                yield {
                  status,
                  verificationAttempts,
                  callLive,
                  billUnderReview,
                  ownershipVerified,
                  documentSid,
                  documentSigned,
                  numberState,
                  canceled: false,
                };
}

function outcomeOf(facts: OrderFacts, trigger: OrderTrigger): ErrorCode | OrderFacts {
  const decision = decideOrder(facts, trigger);
  return decision.allowed ? decision.facts : decision.code;
}

describe.each(orderStatuses)('an order in %s (domain.md §6.2)', (status) => {
  it.each(orderTriggers)('does on %s what the table says, whatever the other facts', (trigger) => {
    const { cells, otherwise } = expected[trigger];
    const cell = cells[status] ?? otherwise;
    const wrong: object[] = [];
    for (const facts of everyFacts(status)) {
      const outcome = cell(facts);
      const wanted = typeof outcome === 'number' ? outcome : { ...facts, ...outcome };
      const got = outcomeOf(facts, trigger);
      if (!isDeepStrictEqual(got, wanted)) wrong.push({ facts, got, wanted });
    }
    expect(wrong).toEqual([]);
  });

  it('answers 20404 to everything once it is canceled', () => {
    for (const facts of everyFacts(status))
      for (const trigger of orderTriggers)
        if (outcomeOf({ ...facts, canceled: true }, trigger) !== 20404) expect.fail(JSON.stringify(facts));
  });
});

describe('an order that was running before a rule was added', () => {
  const before = (facts: OrderFacts, trigger: OrderTrigger): ErrorCode | OrderFacts => {
    const decision = decideOrder(facts, trigger, () => false);
    return decision.allowed ? decision.facts : decision.code;
  };
  const waiting: OrderFacts = { ...newOrderFacts, status: 'action-required', documentSid: PX };

  it('refuses what it refused then, so that its history replays', () => {
    expect(before(waiting, 'resolve-received')).toBe(22112);
    expect(before(waiting, 'resolve-verified')).toBe(22112);
    expect(before({ ...newOrderFacts, status: 'pending-loa' }, 'submit-bill')).toBe(22112);
  });

  it('allows what it allowed then: a call beside a bill that is reviewed', () => {
    const reviewed: OrderFacts = { ...newOrderFacts, status: 'pending-loa', billUnderReview: true };
    expect(before(reviewed, 'start-verification')).toMatchObject({ callLive: true });
    expect(outcomeOf(reviewed, 'start-verification')).toBe(22112);
  });

  it('is asked about a rule only where that rule decides, so that no other order is marked', () => {
    const asked: string[] = [];
    const knows = (rules: string): boolean => asked.push(rules) > 0;
    for (const status of orderStatuses)
      for (const trigger of orderTriggers) decideOrder({ ...newOrderFacts, status }, trigger, knows);
    expect(new Set(asked)).toEqual(new Set(['bill-at-any-time']));
    decideOrder(waiting, 'resolve-verified', knows);
    expect(asked.at(-1)).toBe('letter-given-up');
  });
});

/** Every order that can come about, from creation by any sequence of triggers. The number of orders is finite. */
function reachableOrders(...starts: readonly OrderFacts[]): OrderFacts[] {
  const seen = new Map(starts.map((facts) => [JSON.stringify(facts), facts]));
  for (const facts of seen.values()) {
    for (const trigger of orderTriggers) {
      const decision = decideOrder(facts, trigger);
      if (!decision.allowed) continue;
      const next = { ...decision.facts, ...(trigger === 'document-created' && { documentSid: PX }) };
      seen.set(JSON.stringify(next), seen.get(JSON.stringify(next)) ?? next);
    }
  }
  return [...seen.values()];
}

const allowedIn = (facts: OrderFacts): OrderTrigger[] =>
  orderTriggers.filter((trigger) => decideOrder(facts, trigger).allowed);

describe('whatever happens to an order, in any sequence', () => {
  const takenOver: OrderFacts = {
    ...newOrderFacts,
    status: 'completed',
    ownershipVerified: true,
    documentSigned: true,
    numberState: 'in-use',
  };
  const orders = reachableOrders(newOrderFacts, takenOver);

  it('reaches every status', () => {
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(orderStatuses));
  });

  it('never counts more than three verification attempts, nor fewer than none', () => {
    for (const { verificationAttempts } of orders) {
      expect(verificationAttempts).toBeGreaterThanOrEqual(0);
      expect(verificationAttempts).toBeLessThanOrEqual(3);
    }
  });

  it('has a bill under review only where it can be reviewed, so that no review is waited for in vain', () => {
    const reviewed = orders.filter(({ billUnderReview, canceled }) => billUnderReview && !canceled);
    expect(new Set(reviewed.map(({ status }) => status))).toEqual(
      new Set(['pending-verification', 'pending-loa']),
    );
    for (const facts of reviewed) expect(outcomeOf(facts, 'bill-accepted')).toBeTypeOf('object');
  });

  it('proves ownership one way at a time: by a call or by a bill', () => {
    expect(orders.filter(({ callLive, billUnderReview }) => callLive && billUnderReview)).toEqual([]);
  });

  it('has a live call only where its end is heard', () => {
    for (const facts of orders.filter(({ callLive }) => callLive))
      expect(outcomeOf(facts, 'call-failed')).toBeTypeOf('object');
  });

  it('reaches the carrier only with ownership verified and the letter signed', () => {
    for (const facts of orders) {
      if (!['carrier-processing', 'testing', 'completed'].includes(facts.status)) continue;
      expect(facts, JSON.stringify(facts)).toMatchObject({ ownershipVerified: true, documentSigned: true });
    }
  });

  it('has a call on only while ownership can still be verified', () => {
    for (const facts of orders) {
      if (!facts.callLive) continue;
      expect(facts.ownershipVerified, JSON.stringify(facts)).toBe(false);
      expect(['pending-verification', 'pending-loa'], JSON.stringify(facts)).toContain(facts.status);
    }
  });

  it('has a signed letter only with a document, but for a number taken over', () => {
    const own = reachableOrders(newOrderFacts);
    for (const facts of own) if (facts.documentSigned) expect(facts.documentSid).toBe(PX);
  });

  it('stays failed for good, names and e-mails apart', () => {
    for (const facts of orders.filter(({ status, canceled }) => status === 'failed' && !canceled))
      expect(allowedIn(facts)).toEqual(['change-labels']);
  });

  it('stays canceled for good', () => {
    for (const facts of orders.filter(({ canceled }) => canceled)) expect(allowedIn(facts)).toEqual([]);
  });

  it('stays retired for good, names and e-mails apart', () => {
    for (const facts of orders.filter(({ numberState }) => numberState === 'retired'))
      expect(allowedIn(facts)).toEqual(['change-labels']);
  });

  it('never leaves an order that waits for an administrator without a way on', () => {
    for (const facts of orders.filter(({ status }) => status === 'action-required'))
      expect(
        allowedIn(facts).some((trigger) => trigger.startsWith('resolve-')),
        JSON.stringify(facts),
      ).toBe(true);
  });
});
