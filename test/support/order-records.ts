/** Orders in a database of their own, as the first activity of an order stores them, and what it left there. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createPlacementActivity } from '../../activities/order-placement.ts';
import { openDatabase, type Db } from '../../db/client.ts';
import { hostedNumberOrders } from '../../db/schema/hosted-number-orders.ts';
import { incomingPhoneNumbers } from '../../db/schema/incoming-phone-numbers.ts';
import { timelineEntries } from '../../db/schema/timeline-entries.ts';
import type { Eligibility, OrderRequest, OrderSnapshot, Placement } from '../../domain/ports.ts';
import { newSid } from '../../security/derived-sid.ts';
import { createDatabase } from './database.ts';
import { newPhoneNumber } from './phone-numbers.ts';

/** When every order is placed. */
export const placedAt = '2026-11-21T10:00:00.000Z';

export interface OrderRecords {
  readonly db: Db;
  readonly accountSid: string;
  /** What the registry answers from now on; `null`: nothing, until the time is up. */
  registry: Eligibility | null;
  /** Questions to the registry so far. */
  readonly asked: () => number;
  request(changes?: Partial<OrderRequest>): OrderRequest;
  place(request: OrderRequest, takeOver?: boolean): Promise<Placement>;
  /** A number in service. */
  newLine(): Promise<string>;
  orderOf(sid: string): Promise<typeof hostedNumberOrders.$inferSelect | undefined>;
  numberOf(orderSid: string): Promise<typeof incomingPhoneNumbers.$inferSelect | undefined>;
  timelineOf(sid: string): Promise<(typeof timelineEntries.$inferSelect)[]>;
  close(): Promise<void>;
}

export async function openOrderRecords(): Promise<OrderRecords> {
  const files = await createDatabase();
  const database = openDatabase(files.url);
  const { db } = database;
  const accountSid = newSid('account');
  let asked = 0;
  const registry = {
    checkEligibility: (_phoneNumber: string, signal?: AbortSignal): Promise<Eligibility> => {
      asked += 1;
      if (records.registry !== null) return Promise.resolve(records.registry);
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('too late')));
      });
    },
  };
  // Only what the activity uses; anything else would throw.
  const deps = { db, gateways: { registry }, log: pino({ level: 'silent' }) } as unknown as ActivityDeps;
  const { placeOrder } = createPlacementActivity(deps);

  const records: OrderRecords = {
    db,
    accountSid,
    registry: { kind: 'eligible', holder: null },
    asked: () => asked,
    request: (changes = {}) => ({ ...newRequest(accountSid), ...changes }),
    place: (request, takeOver = false) =>
      new MockActivityEnvironment().run(placeOrder, { request, takeOver, budgetMs: 100, at: placedAt }),
    newLine: async () => {
      const order = records.request();
      await records.place(order, true);
      return order.phoneNumber;
    },
    orderOf: async (sid) =>
      (await db.select().from(hostedNumberOrders).where(eq(hostedNumberOrders.sid, sid)))[0],
    numberOf: async (orderSid) =>
      (await db.select().from(incomingPhoneNumbers).where(eq(incomingPhoneNumbers.orderSid, orderSid)))[0],
    timelineOf: (sid) =>
      db
        .select()
        .from(timelineEntries)
        .where(eq(timelineEntries.resourceSid, sid))
        .orderBy(timelineEntries.sequence),
    close: async () => {
      await database.close();
      await files.drop();
    },
  };
  return records;
}

function newRequest(accountSid: string): OrderRequest {
  return {
    sid: newSid('hostedNumberOrder'),
    accountSid,
    incomingPhoneNumberSid: newSid('incomingPhoneNumber'),
    phoneNumber: newPhoneNumber(),
    friendlyName: null,
    uniqueName: null,
    email: null,
    ccEmails: [],
    addressSid: null,
    verificationType: 'phone-call',
    verificationDocumentSid: null,
    statusCallbackUrl: 'https://customer.example/status',
    statusCallbackMethod: 'POST',
    smsUrl: null,
    smsMethod: 'POST',
    smsFallbackUrl: null,
    smsFallbackMethod: 'POST',
    smsApplicationSid: null,
  };
}

/** A state of an order whose ownership is verified, as its workflow publishes it. */
export function snapshotOf(given: OrderRequest, changes: Partial<OrderSnapshot> = {}): OrderSnapshot {
  return {
    sid: given.sid,
    revision: 2,
    status: 'verified',
    failureReason: null,
    verificationAttempts: 1,
    verificationType: 'phone-call',
    verificationDocumentSid: null,
    verificationCallSids: ['CA1'],
    ownershipVerified: true,
    signingDocumentSid: null,
    documentSigned: false,
    extension: null,
    callDelay: 0,
    friendlyName: null,
    email: null,
    ccEmails: ['a@example.com'],
    numberState: 'pending',
    holdsNumber: true,
    billUnderReview: false,
    canceled: false,
    releasedAt: null,
    updatedAt: '2026-11-21T11:00:00.000Z',
    timeline: [],
    ...changes,
  };
}
