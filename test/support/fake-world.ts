/**
 * Orders and documents on a real Temporal server, in a world that only remembers what it was asked. For the tests of
 * clocks, where what matters is what the workflows do and when. Written against the contracts in domain/ports.ts.
 */
import { randomBytes } from 'node:crypto';
import {
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  type Client,
  type WorkflowHandle,
} from '@temporalio/client';
import { Worker, type NativeConnection } from '@temporalio/worker';
import type { OrderFacts } from '../../domain/hosted-number-order.ts';
import type {
  DocumentActivities,
  DocumentSnapshot,
  OrderActivities,
  OrderRequest,
  OrderSnapshot,
} from '../../domain/ports.ts';
import { newSid } from '../../security/derived-sid.ts';
import { documentTimers, orderTimers, type Settings } from '../../settings.ts';
import {
  attachDocumentUpdate,
  callProgressSignal,
  createDocumentUpdate,
  documentWorkflowType,
  orderFactsQuery,
  orderWorkflowType,
  placeOrderUpdate,
  routeTestArrivedSignal,
  updateOrderUpdate,
  type Answer,
  type AuthorizationDocumentInput,
  type HostedNumberOrderInput,
} from '../../workflows/messages.ts';
import { testBundle } from './bundle.ts';
import { newPhoneNumber } from './phone-numbers.ts';
import { until } from './until.ts';

type Activities = OrderActivities & DocumentActivities;

export interface FakeWorld {
  readonly client: Client;
  readonly taskQueue: string;
  /** Inputs of an activity so far, oldest first. */
  asked<Name extends keyof Activities>(name: Name): Parameters<Activities[Name]>[0][];
  placeOrder(changes?: Partial<OrderRequest>): Promise<FakeOrder>;
  createDocument(orders: readonly FakeOrder[]): Promise<FakeDocument>;
}

export interface FakeOrder {
  readonly sid: string;
  readonly handle: WorkflowHandle;
  /** Where the order stands now. */
  facts(): Promise<OrderFacts>;
  untilStatus(status: OrderFacts['status']): Promise<OrderFacts>;
  /** The last published snapshot. */
  snapshot(): OrderSnapshot | undefined;
  startVerification(): Promise<Answer>;
  /** Starts a call that nobody answers. */
  failCall(): Promise<void>;
}

export interface FakeDocument {
  readonly sid: string;
  readonly handle: WorkflowHandle;
  snapshot(): DocumentSnapshot | undefined;
}

export interface FakeWorldOptions {
  readonly client: Client;
  readonly connection: NativeConnection;
  readonly settings: Settings;
  /** Answers other than success. */
  readonly answers?: Partial<Activities>;
}

/** Runs `play` in a world of its own; the worker stops when it is over. */
export async function inFakeWorld(
  { client, connection, settings, answers = {} }: FakeWorldOptions,
  play: (world: FakeWorld) => Promise<void>,
): Promise<void> {
  const taskQueue = `fake-${randomBytes(6).toString('hex')}`;
  const started: string[] = [];
  const log: { readonly name: string; readonly input: unknown }[] = [];
  const asked = <Name extends keyof Activities>(name: Name) =>
    log.filter((call) => call.name === name).map((call) => call.input as Parameters<Activities[Name]>[0]);
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: await testBundle(),
    activities: remembered({ ...obliging(client), ...answers }, log),
  });
  const world: FakeWorld = {
    client,
    taskQueue,
    asked,
    placeOrder: (changes = {}) => {
      const sid = newSid('hostedNumberOrder');
      started.push(sid);
      return placeOrder(world, settings, { sid, ...changes });
    },
    createDocument: (orders) => {
      const sid = newSid('authorizationDocument');
      started.push(sid);
      return createDocument(world, settings, sid, orders);
    },
  };
  await worker.runUntil(async () => {
    try {
      await play(world);
    } finally {
      for (const sid of started) await end(client, sid);
    }
  });
}

/** An open workflow whose worker is gone would keep the test server's clock from jumping. */
async function end(client: Client, workflowId: string): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).terminate('the test is over');
  } catch (err) {
    if (!(err instanceof WorkflowNotFoundError)) throw err;
  }
}

function remembered(activities: Activities, log: { name: string; input: unknown }[]): object {
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

/** Everything succeeds: the registry agrees, calls are placed, mail is taken, texts come back. */
function obliging(client: Client): Activities {
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
    mailCopies: nothing,
  };
}

async function placeOrder(
  { client, taskQueue, asked }: FakeWorld,
  settings: Settings,
  changes: Partial<OrderRequest> & Pick<OrderRequest, 'sid'>,
): Promise<FakeOrder> {
  const { sid } = changes;
  const input: HostedNumberOrderInput = {
    request: { ...plainRequest(), ...changes },
    takeOver: false,
    timers: orderTimers(settings),
  };
  const start = new WithStartWorkflowOperation(orderWorkflowType, {
    workflowId: sid,
    taskQueue,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  await client.workflow.executeUpdateWithStart(placeOrderUpdate, { startWorkflowOperation: start });
  const handle = client.workflow.getHandle(sid);
  const order: FakeOrder = {
    sid,
    handle,
    facts: () => handle.query(orderFactsQuery),
    untilStatus: (status) =>
      until(async () => {
        const facts = await handle.query(orderFactsQuery);
        return facts.status === status && facts;
      }),
    snapshot: () =>
      asked('recordOrder')
        .filter((snapshot) => snapshot.sid === sid)
        .at(-1),
    startVerification: () =>
      handle.executeUpdate(updateOrderUpdate, { args: [{ changes: {}, startVerification: true }] }),
    failCall: async () => {
      await order.startVerification();
      const callSid = await until(() => order.snapshot()?.verificationCallSids.at(-1));
      await handle.signal(callProgressSignal, { callSid, status: 'no-answer' });
      await until(async () => !(await order.facts()).callLive);
    },
  };
  return order;
}

async function createDocument(
  { client, taskQueue, asked }: FakeWorld,
  settings: Settings,
  sid: string,
  orders: readonly FakeOrder[],
): Promise<FakeDocument> {
  const input: AuthorizationDocumentInput = {
    sid,
    accountSid: `AC${'0'.repeat(32)}`,
    orderSids: orders.map((order) => order.sid),
    addressSid: null,
    email: 'signer@example.com',
    ccEmails: [],
    contactTitle: null,
    contactPhoneNumber: null,
    timers: documentTimers(settings),
  };
  const start = new WithStartWorkflowOperation(documentWorkflowType, {
    workflowId: sid,
    taskQueue,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  await client.workflow.executeUpdateWithStart(createDocumentUpdate, { startWorkflowOperation: start });
  return {
    sid,
    handle: client.workflow.getHandle(sid),
    snapshot: () =>
      asked('recordDocument')
        .filter((snapshot) => snapshot.sid === sid)
        .at(-1),
  };
}

function plainRequest(): Omit<OrderRequest, 'sid'> {
  return {
    accountSid: `AC${'0'.repeat(32)}`,
    incomingPhoneNumberSid: newSid('incomingPhoneNumber'),
    phoneNumber: newPhoneNumber(),
    friendlyName: null,
    uniqueName: null,
    email: null,
    ccEmails: [],
    addressSid: null,
    verificationType: 'phone-call',
    verificationDocumentSid: null,
    statusCallbackUrl: null,
    statusCallbackMethod: 'POST',
    smsUrl: null,
    smsMethod: 'POST',
    smsFallbackUrl: null,
    smsFallbackMethod: 'POST',
    smsApplicationSid: null,
  };
}
