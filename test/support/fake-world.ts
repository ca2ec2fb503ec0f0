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
import type { DocumentSnapshot, OrderRequest, OrderSnapshot } from '../../domain/ports.ts';
import type { DeliveryPolicy } from '../../domain/timers.ts';
import { newSid } from '../../security/derived-sid.ts';
import { deliveryPolicy, documentTimers, orderTimers, type Settings } from '../../settings.ts';
import {
  callProgressSignal,
  createDocumentUpdate,
  documentWorkflowType,
  orderFactsQuery,
  orderStart,
  orderWorkflowType,
  placeOrderUpdate,
  updateOrderUpdate,
  type Answer,
  type AuthorizationDocumentInput,
  type HostedNumberOrderInput,
} from '../../workflows/messages.ts';
import { testBundle } from './bundle.ts';
import {
  obligingActivities,
  remembered,
  type Asked,
  type AskedOf,
  type FakeActivities,
} from './fake-activities.ts';
import { newPhoneNumber } from './phone-numbers.ts';
import { until } from './until.ts';

export interface FakeWorld {
  readonly client: Client;
  readonly taskQueue: string;
  /** Inputs of an activity so far, oldest first. */
  readonly asked: <Name extends keyof FakeActivities>(name: Name) => AskedOf<Name>[];
  /** How delivery workflows are started by this world's orders and messages. */
  readonly delivery: DeliveryPolicy;
  /** Names of all activities that were asked for, oldest first. */
  readonly allAsked: () => string[];
  placeOrder(changes?: NewFakeOrder): Promise<FakeOrder>;
  createDocument(orders: readonly FakeOrder[], ccEmails?: readonly string[]): Promise<FakeDocument>;
}

export type NewFakeOrder = Partial<OrderRequest> & { readonly takeOver?: boolean };

export interface FakeOrder {
  readonly sid: string;
  readonly handle: WorkflowHandle;
  /** Where the order stands now. */
  facts(): Promise<OrderFacts>;
  /** Waits until a status is recorded. Asks the workflow nothing: see `recordedFacts`. */
  untilStatus(status: OrderFacts['status']): Promise<RecordedFacts>;
  /** Waits until the end of the verification call is recorded. */
  untilCallOver(): Promise<unknown>;
  /** The last published snapshot. */
  snapshot(): OrderSnapshot | undefined;
  startVerification(): Promise<Answer>;
  /** Starts a call that nobody answers. */
  failCall(): Promise<void>;
}

/** What an order's snapshots tell of it. A live call and a bill under review are known to the workflow alone. */
export type RecordedFacts = Omit<OrderFacts, 'callLive' | 'billUnderReview'>;

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
  readonly answers?: Partial<FakeActivities>;
  /** 0 makes every workflow task replay from the first event. */
  readonly maxCachedWorkflows?: number;
}

/** Runs `play` in a world of its own; the worker stops when it is over. */
export async function inFakeWorld(
  { client, connection, settings, answers = {}, maxCachedWorkflows }: FakeWorldOptions,
  play: (world: FakeWorld) => Promise<void>,
): Promise<void> {
  const taskQueue = `fake-${randomBytes(6).toString('hex')}`;
  const started: string[] = [];
  const log: Asked[] = [];
  const asked = <Name extends keyof FakeActivities>(name: Name) =>
    log.filter((call) => call.name === name).map((call) => call.input as AskedOf<Name>);
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: await testBundle(),
    activities: remembered({ ...obligingActivities(client), ...answers }, log),
    ...(maxCachedWorkflows !== undefined && { maxCachedWorkflows }),
  });
  const world: FakeWorld = {
    client,
    taskQueue,
    asked,
    delivery: { ...deliveryPolicy(settings), taskQueue },
    allAsked: () => log.map(({ name }) => name),
    placeOrder: (changes = {}) => {
      const { sid = newSid('hostedNumberOrder') } = changes;
      started.push(sid);
      return placeOrder(world, settings, { ...changes, sid });
    },
    createDocument: (orders, ccEmails = []) => {
      const sid = newSid('authorizationDocument');
      started.push(sid);
      return createDocument(world, settings, { sid, orderSids: orders.map((order) => order.sid), ccEmails });
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

async function placeOrder(
  { client, taskQueue, asked, delivery }: FakeWorld,
  settings: Settings,
  { takeOver = false, ...changes }: NewFakeOrder & Pick<OrderRequest, 'sid'>,
): Promise<FakeOrder> {
  const { sid } = changes;
  const input: HostedNumberOrderInput = {
    request: { ...plainRequest(), ...changes },
    takeOver,
    timers: { ...orderTimers(settings), delivery },
  };
  const worker = { ...settings.temporal, taskQueues: { orders: taskQueue } };
  const start = new WithStartWorkflowOperation(orderWorkflowType, {
    ...orderStart(input, worker, 'Ordered by a test.'),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  await client.workflow.executeUpdateWithStart(placeOrderUpdate, { startWorkflowOperation: start });
  const handle = client.workflow.getHandle(sid);
  const order: FakeOrder = {
    sid,
    handle,
    facts: () => handle.query(orderFactsQuery),
    untilStatus: (status) =>
      until(() => recordedFacts(order.snapshot(), status), { what: `order ${sid} to be ${status}` }),
    snapshot: () =>
      asked('recordOrder')
        .filter((snapshot) => snapshot.sid === sid)
        .at(-1),
    untilCallOver: () =>
      until(() => order.snapshot()?.timeline.at(-1)?.actor === 'callee', {
        what: `the call of ${sid} to end`,
      }),
    startVerification: () =>
      handle.executeUpdate(updateOrderUpdate, { args: [{ changes: {}, startVerification: true }] }),
    failCall: async () => {
      await order.startVerification();
      const callSid = await until(() => order.snapshot()?.verificationCallSids.at(-1));
      await handle.signal(callProgressSignal, { callSid, status: 'no-answer' });
      await order.untilCallOver();
    },
  };
  return order;
}

/**
 * Read from what was recorded. A query that meets a workflow task of a worker without a cache costs that task its
 * time-out of 10 seconds (measured with SDK 1.24).
 */
function recordedFacts(
  snapshot: OrderSnapshot | undefined,
  status: OrderFacts['status'],
): RecordedFacts | null {
  return snapshot?.status === status ? { ...snapshot, documentSid: snapshot.signingDocumentSid } : null;
}

async function createDocument(
  { client, taskQueue, asked }: FakeWorld,
  settings: Settings,
  document: Pick<AuthorizationDocumentInput, 'sid' | 'orderSids' | 'ccEmails'>,
): Promise<FakeDocument> {
  const { sid } = document;
  const input: AuthorizationDocumentInput = {
    ...document,
    accountSid: `AC${'0'.repeat(32)}`,
    addressSid: null,
    email: 'signer@example.com',
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
