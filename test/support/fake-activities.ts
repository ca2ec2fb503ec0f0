/** Activities that touch nothing: everything they are asked for succeeds, and is remembered. Contracts: domain/ports.ts. */
import type { Client } from '@temporalio/client';
import type { Activities } from '../../activities/index.ts';
import type { AttemptReport } from '../../domain/ports.ts';
import { newSid } from '../../security/derived-sid.ts';
import { attachDocumentUpdate, routeTestArrivedSignal } from '../../workflows/messages.ts';

export type FakeActivities = Activities;

/** What an activity is called with. */
export type AskedOf<Name extends keyof FakeActivities> = Parameters<FakeActivities[Name]>[0];

export interface Asked {
  readonly name: string;
  readonly input: unknown;
}

export const deliveredReport: AttemptReport = {
  result: 'delivered',
  httpStatus: 200,
  error: null,
  retryAfterMs: null,
  waitMs: null,
  heldBack: [],
  switchedOff: false,
};

/** The registry agrees, calls are placed, mail is taken, texts come back, endpoints answer 200. */
export function obligingActivities(client: Client): FakeActivities {
  const eligible = { kind: 'eligible', holder: null } as const;
  const nothing = async (): Promise<void> => {};
  return {
    placeOrder: async () => ({ kind: 'placed', eligibility: eligible }),
    checkEligibility: async () => eligible,
    recordOrder: nothing,
    claimUniqueName: async () => ({ taken: false }),
    openVerificationAttempt: nothing,
    placeVerificationCall: async () => ({ placed: true, callSid: newSid('call') }),
    endVerificationCall: nothing,
    fetchVerificationCall: async () => ({ status: 'in-progress' }),
    closeVerificationAttempt: nothing,
    submitRegistration: async () => ({ state: 'accepted' }),
    fetchRegistration: async () => ({ state: 'accepted' }),
    removeRegistration: nothing,
    sendRouteTest: ({ orderSid, round }) =>
      client.workflow.getHandle(orderSid).signal(routeTestArrivedSignal, { round }),
    prepareOrderCallback: async () => null,

    recordDocument: nothing,
    attachOrder: async ({ orderSid, documentSid }) => {
      const order = client.workflow.getHandle(orderSid);
      return { attached: (await order.executeUpdate(attachDocumentUpdate, { args: [{ documentSid }] })).ok };
    },
    prepareLetter: async () => ({ sha256: '0'.repeat(64), byteLength: 1 }),
    mailLetter: async () => ({ accepted: true }),
    sealDocument: async () => ({ sha256: '0'.repeat(64) }),
    mailCopies: async () => ({ accepted: true }),

    attemptDelivery: async () => deliveredReport,
    findPredecessor: async () => ({ unfinished: false }),
    recordNextAttempt: nothing,
    settleDelivery: async () => ({ heldBack: [] }),
    announceSwitchOff: nothing,
    replayPage: async () => ({ deliverySids: [newSid('delivery')], next: null }),

    workBulkBatch: async () => ({ done: 2, total: 2 }),
    finishBulkRequest: nothing,
    mailBulkResult: nothing,

    placeMessage: async () => ({ kind: 'placed', deliveries: [] }),
    recordMessage: async () => ({ deliveries: [] }),
    submitMessage: async () => ({ kind: 'accepted', receiptFollows: true }),
    changeMessage: async () => ({ kind: 'placed', deliveries: [] }),
    callSmsUrl: async () => ({ replies: [], next: null, errorCode: null }),
  };
}

/** The same activities, which write into `log` what they are asked. */
export function remembered(activities: FakeActivities, log: Asked[]): object {
  return Object.fromEntries(
    Object.entries(activities).map(([name, activity]: [string, (input: never) => unknown]) => [
      name,
      (input: never) => {
        log.push({ name, input });
        return activity(input);
      },
    ]),
  );
}
