/** What a connection keeps: every statement whose text is always the same, and none that has another text each time. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../db/client.ts';
import { listDeliveries } from '../../db/reads/deliveries.ts';
import { findDocumentCandidates } from '../../db/reads/hosted-number-orders.ts';
import { findStatusSince } from '../../db/reads/console.ts';
import { readSurroundings } from '../../db/reads/order-state.ts';
import { insertBulkRequest } from '../../db/writes/bulk-requests.ts';
import { recordFailure, recordSuccess } from '../../db/writes/deliveries.ts';
import { recordCallback, recordEvent } from '../../db/writes/events.ts';
import { insertOrder, writeOrderSnapshot } from '../../db/writes/hosted-number-orders.ts';
import { insertInbound, insertOutbound, writeProgress } from '../../db/writes/messages.ts';
import { writeDocumentSnapshot } from '../../db/writes/authorization-documents.ts';
import type { DeliveryState } from '../../domain/delivery.ts';
import type { OrderRequest, TimelineEntry } from '../../domain/ports.ts';
import { newSid } from '../../security/derived-sid.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { snapshotOf } from '../support/order-records.ts';
import { outgoingMessage } from '../support/outgoing-message.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';

const at = new Date('2026-11-21T10:00:00.000Z');
const accountSid = newSid('account');
let files: TestDatabase;
let database: Database;

beforeAll(async () => {
  files = await createDatabase();
  // One connection, so that what it keeps can be asked for.
  database = openDatabase(files.url, 1);
});
afterAll(async () => {
  await database?.close();
  await files?.drop();
});

async function kept(): Promise<string[]> {
  const rows = await database.db.execute<{ statement: string }>(
    sql`select statement from pg_prepared_statements`,
  );
  return rows.map(({ statement }) => statement.toLowerCase());
}

const sids = (count: number): string[] => Array.from({ length: count }, () => newSid('hostedNumberOrder'));

describe('the statements a connection keeps', () => {
  const lists: readonly [string, (count: number) => Promise<unknown>][] = [
    [
      'numbers of a bulk request',
      (count) => {
        const items = Array.from({ length: count }, () => ({ accountSid, phoneNumber: newPhoneNumber() }));
        const request = { sid: newSid('bulkOrder'), accountSid, kind: 'order', at } as const;
        return insertBulkRequest(database.db, request, items);
      },
    ],
    ['orders a document may take', (count) => findDocumentCandidates(database.db, accountSid, sids(count))],
    ['orders on a page', (count) => readSurroundings(database.db, sids(count))],
    ['orders on a work list', (count) => findStatusSince(database.db, sids(count))],
    [
      'states to filter by',
      (count) => {
        const states = Array<DeliveryState>(count).fill('pending');
        return listDeliveries(database.db, { accountSid, states }, { size: 50, page: 0, cursor: null });
      },
    ],
    ['orders of a document', (count) => writeDocumentSnapshot(database.db, documentOf(sids(count)))],
  ];

  it.each(lists)('do not grow with the lengths of lists: %s', async (_, work) => {
    await work(30);
    await kept();
    const before = await kept();
    for (let count = 31; count <= 60; count++) await work(count);
    expect(await kept()).toEqual(before);
  });

  it('are all of those that every order, message and delivery runs', async () => {
    await storeAnOrder();
    await storeMessages();
    await storeDeliveries();
    const statements = await kept();
    for (const start of [
      /^with "number" as \(insert into "incoming_phone_numbers"/,
      /^update "hosted_number_orders"/,
      /insert into messages .* 'inbound'/s,
      /insert into messages .* not_receive/s,
      /^update "messages"/,
      /insert into events .* subscriptions s/s,
      /^insert into "deliveries"/,
      /update deliveries set state = 'delivered'/,
      /update deliveries set .* switched_off/s,
    ])
      expect(
        statements.some((statement) => start.test(statement)),
        String(start),
      ).toBe(true);
  });
});

const documentOf = (orderSids: readonly string[]) => ({
  sid: newSid('authorizationDocument'),
  accountSid,
  orderSids,
  addressSid: null,
  status: 'signing' as const,
  email: 'owner@example.com',
  ccEmails: [],
  contactTitle: null,
  contactPhoneNumber: null,
  failureReason: null,
  mailing: 1,
  expiresAt: null,
  signedAt: null,
  signerName: null,
  revision: 1,
  timeline: [],
  updatedAt: at.toISOString(),
});

/** With every field there is, and as long a story as an order has when it is stored. */
async function storeAnOrder(): Promise<void> {
  const url = 'https://customer.example/';
  const request: OrderRequest = {
    sid: newSid('hostedNumberOrder'),
    accountSid,
    incomingPhoneNumberSid: newSid('incomingPhoneNumber'),
    phoneNumber: newPhoneNumber(),
    friendlyName: 'Front desk',
    uniqueName: 'front-desk',
    email: 'owner@example.com',
    ccEmails: ['copy@example.com'],
    addressSid: newSid('address'),
    verificationType: 'phone-bill',
    verificationDocumentSid: newSid('verificationDocument'),
    statusCallbackUrl: url,
    statusCallbackMethod: 'POST',
    smsUrl: url,
    smsMethod: 'POST',
    smsFallbackUrl: url,
    smsFallbackMethod: 'POST',
    smsApplicationSid: newSid('application'),
  };
  const entry = (sequence: number): TimelineEntry => ({
    sequence,
    at: at.toISOString(),
    actor: 'customer',
    what: 'placed the order',
    why: null,
    status: 'received',
  });
  await insertOrder(database.db, {
    request,
    status: 'received',
    failureReason: null,
    ownershipVerified: false,
    documentSigned: false,
    numberState: 'pending',
    holdsNumber: true,
    at,
    timeline: [entry(1), entry(2)],
  });
  await writeOrderSnapshot(database.db, snapshotOf(request, { timeline: [entry(3)] }));
}

async function storeMessages(): Promise<void> {
  const { db } = database;
  const [line, contact, body] = [newPhoneNumber(), newPhoneNumber(), 'hello'];
  const sid = newSid('message');
  await insertInbound(db, { sid, line, contact, body, numSegments: 1, statusCode: 4, carrierId: 'x', at });
  const outgoing = outgoingMessage({ sid, accountSid, from: line, to: contact, body });
  await insertOutbound(db, outgoing, { numSegments: 1, at });
  await writeProgress(db, {
    messageSid: sid,
    status: 'sent',
    statusCode: 4,
    errorCode: null,
    revision: 2,
    reported: 4,
    statusChanged: true,
    at: at.toISOString(),
  });
}

async function storeDeliveries(): Promise<void> {
  const { db } = database;
  const event = { accountSid, resourceSid: newSid('message'), sequence: 1, line: newPhoneNumber(), at };
  await recordEvent(db, { ...event, kind: 'message/receive', payload: '{}' });
  const url = 'https://customer.example/status';
  const callback = { ...event, kind: 'message/status', payload: 'a=b', url, method: 'POST' } as const;
  const { deliverySid } = await recordCallback(db, callback);
  const attempt = {
    deliverySid,
    at,
    durationMs: 5,
    url,
    httpStatus: 500,
    error: null,
    responseHead: null,
    retryAfter: null,
  };
  const rule = { endpointUrl: null, gone: false, failingSince: at, goesOnSince: at, reason: 'failing' };
  await recordFailure(db, { ...attempt, number: 1 }, rule);
  await recordSuccess(db, { ...attempt, number: 2, httpStatus: 200 });
}
