/** The first step of an order: ask the registry within a budget, then store order and number, or nothing. */
import { cancellationSignal } from '@temporalio/activity';
import type {
  Eligibility,
  OrderActivities,
  OrderRequest,
  Placement,
  TimelineEntry,
} from '../domain/ports.ts';
import type { OrderStatus } from '../domain/hosted-number-order.ts';
import { isNumberHeld } from '../db/reads/order-placement.ts';
import { insertOrder, type NewOrder } from '../db/writes/hosted-number-orders.ts';
import { heldTimeout } from '../gateways/held-timeout.ts';
import type { ActivityDeps } from './deps.ts';

type Answer = Extract<Placement, { kind: 'placed' }>['eligibility'];
type Outcome = Omit<NewOrder, 'request' | 'at'>;

export function createPlacementActivity({
  db,
  gateways,
  log,
}: ActivityDeps): Pick<OrderActivities, 'placeOrder'> {
  /** A registry that is slow or down leaves the question open: the workflow goes on asking. */
  async function askRegistry(request: OrderRequest, budgetMs: number): Promise<Answer> {
    const signal = AbortSignal.any([cancellationSignal(), heldTimeout(budgetMs)]);
    try {
      return await gateways.registry.checkEligibility(request.phoneNumber, signal);
    } catch (err) {
      log.info({ orderSid: request.sid, err }, 'the registry did not answer within the budget');
      return { kind: 'pending' };
    }
  }

  return {
    async placeOrder({ request, takeOver, budgetMs, at }) {
      const eligibility: Answer = takeOver
        ? { kind: 'eligible', holder: null }
        : await askRegistry(request, budgetMs);
      // A number of our own is reported as enabled elsewhere; that it is hosted here already is the better answer.
      if (
        eligibility.kind === 'ineligible' &&
        (await isNumberHeld(db, request.phoneNumber, { exceptBy: request.sid }))
      ) {
        return { kind: 'refused', code: 22110 };
      }
      const outcome = takeOver ? takenOver(at) : outcomeOf(eligibility, at);
      const insertion = await insertOrder(db, { request, at: new Date(at), ...outcome });
      switch (insertion.kind) {
        case 'stored':
          return { kind: 'placed', eligibility };
        case 'exists':
          return {
            kind: 'placed',
            eligibility: storedEligibility(insertion.status, insertion.failureReason),
          };
        case 'number-taken':
          return { kind: 'refused', code: 22110 };
        case 'name-taken':
          return { kind: 'refused', code: 22115 };
      }
    },
  };
}

/** What an earlier try of the same order was told; its outcome stands. */
function storedEligibility(status: OrderStatus, failureReason: string | null): Answer {
  if (status === 'twilio-processing') return { kind: 'pending' };
  if (status === 'failed') return { kind: 'ineligible', reason: failureReason ?? '', holder: null };
  return { kind: 'eligible', holder: null };
}

/** Rows 2, 3 and 5 of the order table, as revision 1 of the order. */
function outcomeOf(eligibility: Answer, at: string): Outcome {
  const ordered: Event = { actor: 'customer', what: 'ordered hosting of the number', why: null };
  const open = { ownershipVerified: false, documentSigned: false };
  switch (eligibility.kind) {
    case 'eligible':
      return {
        ...open,
        status: 'received',
        failureReason: null,
        numberState: 'pending',
        holdsNumber: true,
        timeline: entries(at, 'received', ordered, {
          actor: 'registry',
          what: 'the number is eligible',
          why: holderOf(eligibility),
        }),
      };
    case 'pending':
      return {
        ...open,
        status: 'twilio-processing',
        failureReason: null,
        numberState: 'pending',
        holdsNumber: true,
        timeline: entries(at, 'twilio-processing', ordered, {
          actor: 'service',
          what: 'the registry has not answered yet and is asked again',
          why: null,
        }),
      };
    case 'ineligible':
      return {
        ...open,
        status: 'failed',
        failureReason: eligibility.reason,
        numberState: 'removed',
        holdsNumber: false,
        timeline: entries(at, 'failed', ordered, {
          actor: 'registry',
          what: 'the number is not eligible',
          why: eligibility.reason,
        }),
      };
  }
}

/** A number that is hosted already: in service from the first moment. */
function takenOver(at: string): Outcome {
  return {
    status: 'completed',
    failureReason: null,
    ownershipVerified: true,
    documentSigned: true,
    numberState: 'in-use',
    holdsNumber: true,
    timeline: entries(
      at,
      'completed',
      { actor: 'administrator', what: 'took the number over, which is hosted already', why: null },
      { actor: 'service', what: 'the number is in service', why: null },
    ),
  };
}

type Event = Pick<TimelineEntry, 'actor' | 'what' | 'why'>;

/** Always two entries: the workflow counts on from there. */
function entries(at: string, status: OrderStatus, first: Event, second: Event): readonly TimelineEntry[] {
  return [
    { ...first, sequence: 1, at, status },
    { ...second, sequence: 2, at, status },
  ];
}

function holderOf({ holder }: Extract<Eligibility, { kind: 'eligible' }>): string | null {
  return holder === null ? null : `its texts are routed by ${holder} at present`;
}
