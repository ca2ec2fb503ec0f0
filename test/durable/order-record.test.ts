/** Copies of the states of orders and documents in the read model: in order, repeatable, without secrets in errors. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createVerificationActivities } from '../../activities/verification.ts';
import { withoutParameters } from '../../db/errors.ts';
import {
  findAnyDocument,
  findDocumentFile,
  listDocumentOrders,
} from '../../db/reads/authorization-documents.ts';
import { hostedNumberOrders } from '../../db/schema/hosted-number-orders.ts';
import { verificationAttempts } from '../../db/schema/verification-attempts.ts';
import { keepFile, writeDocumentSnapshot } from '../../db/writes/authorization-documents.ts';
import { writeOrderSnapshot, writeUniqueName } from '../../db/writes/hosted-number-orders.ts';
import type { DocumentSnapshot, TimelineEntry } from '../../domain/ports.ts';
import { newSid } from '../../security/derived-sid.ts';
import { openOrderRecords, placedAt, snapshotOf, type OrderRecords } from '../support/order-records.ts';

let records: OrderRecords;

beforeAll(async () => {
  records = await openOrderRecords();
});
afterAll(() => records.close());
const at = placedAt;

const calls = () => createVerificationActivities({ db: records.db, gateways: {} } as unknown as ActivityDeps);
const codesOf = (orderSid: string) =>
  records.db
    .select()
    .from(verificationAttempts)
    .where(eq(verificationAttempts.orderSid, orderSid))
    .orderBy(verificationAttempts.callNumber);

describe('copying the state of an order to the read model', () => {
  const entry = (sequence: number, what: string): TimelineEntry => ({
    sequence,
    at,
    actor: 'service',
    what,
    why: null,
    status: 'verified',
  });

  it('voids the code of a call once no call is needed, unless a later state wants a new call', async () => {
    const given = records.request();
    await records.place(given);
    const code = async () => (await codesOf(given.sid))[0]?.code;
    const again = snapshotOf(given, { revision: 3, ownershipVerified: false });
    await writeOrderSnapshot(records.db, again);
    await calls().openVerificationAttempt({ orderSid: given.sid, callNumber: 2, at });
    await writeOrderSnapshot(records.db, snapshotOf(given, { revision: 2, ownershipVerified: true }));
    expect(await code()).toMatch(/^\d{6}$/);
    await writeOrderSnapshot(records.db, snapshotOf(given, { revision: 4, ownershipVerified: true }));
    expect(await code()).toBeNull();
  });

  it('voids the code of a call whose order lets its number go', async () => {
    const given = records.request();
    await records.place(given);
    await calls().openVerificationAttempt({ orderSid: given.sid, callNumber: 1, at });
    const gone = { canceled: true, holdsNumber: false, numberState: 'removed' } as const;
    await writeOrderSnapshot(records.db, snapshotOf(given, { ...gone, ownershipVerified: false }));
    expect(await codesOf(given.sid)).toMatchObject([{ code: null }]);
  });

  it('never goes back: a late revision adds its timeline and nothing else', async () => {
    const given = records.request();
    await records.place(given);
    await writeOrderSnapshot(
      records.db,
      snapshotOf(given, { revision: 3, status: 'pending-loa', timeline: [entry(4, 'third')] }),
    );
    await writeOrderSnapshot(records.db, snapshotOf(given, { revision: 2, timeline: [entry(3, 'second')] }));
    expect(await records.orderOf(given.sid)).toMatchObject({ status: 'pending-loa', revision: 3 });
    expect((await records.timelineOf(given.sid)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  });

  it('may be repeated', async () => {
    const given = records.request();
    await records.place(given);
    const state = snapshotOf(given, { timeline: [entry(3, 'once')] });
    await writeOrderSnapshot(records.db, state);
    const once = await records.orderOf(given.sid);
    await writeOrderSnapshot(records.db, state);
    expect(await records.orderOf(given.sid)).toEqual(once);
    expect(await records.timelineOf(given.sid)).toHaveLength(3);
  });

  it('keeps when an order was canceled, and sets number and name free', async () => {
    const given = records.request({ uniqueName: 'lobby' });
    await records.place(given);
    const canceled = { canceled: true, holdsNumber: false, numberState: 'removed' } as const;
    await writeOrderSnapshot(records.db, snapshotOf(given, canceled));
    const later = { ...canceled, revision: 3, updatedAt: '2026-11-22T10:00:00.000Z' };
    await writeOrderSnapshot(records.db, snapshotOf(given, later));
    expect((await records.orderOf(given.sid))?.canceledAt?.toISOString()).toBe('2026-11-21T11:00:00.000Z');
    expect(await records.numberOf(given.sid)).toMatchObject({ state: 'removed' });
    const again = records.request({ phoneNumber: given.phoneNumber, uniqueName: 'lobby' });
    await expect(records.place(again)).resolves.toMatchObject({ kind: 'placed' });
  });

  it('keeps when the number was released, and forgets it when it is restored', async () => {
    const given = records.request();
    await records.place(given, true);
    const releasedAt = '2026-11-21T11:00:00.000Z';
    await writeOrderSnapshot(
      records.db,
      snapshotOf(given, { status: 'completed', numberState: 'retiring', releasedAt }),
    );
    expect((await records.numberOf(given.sid))?.releasedAt?.toISOString()).toBe(releasedAt);
    await writeOrderSnapshot(
      records.db,
      snapshotOf(given, { revision: 3, status: 'completed', numberState: 'in-use' }),
    );
    expect(await records.numberOf(given.sid)).toMatchObject({ state: 'in-use', releasedAt: null });
  });

  it('gives a unique name once per account, and takes it away', async () => {
    const [one, two] = [records.request(), records.request()];
    await records.place(one);
    await records.place(two);
    await expect(writeUniqueName(records.db, one.sid, 'desk')).resolves.toBe(true);
    await expect(writeUniqueName(records.db, one.sid, 'desk')).resolves.toBe(true);
    await expect(writeUniqueName(records.db, two.sid, 'desk')).resolves.toBe(false);
    await writeUniqueName(records.db, one.sid, null);
    await expect(writeUniqueName(records.db, two.sid, 'desk')).resolves.toBe(true);
  });
});

describe('the code of a verification call', () => {
  it('has six digits, stays the same when it is made again, and is void after a newer call', async () => {
    const orderSid = newSid('hostedNumberOrder');
    await calls().openVerificationAttempt({ orderSid, callNumber: 1, at });
    const first = (await codesOf(orderSid))[0]?.code;
    expect(first).toMatch(/^\d{6}$/);
    await calls().openVerificationAttempt({ orderSid, callNumber: 1, at });
    expect((await codesOf(orderSid))[0]?.code).toBe(first);
    await calls().openVerificationAttempt({ orderSid, callNumber: 2, at });
    const [voided, live] = await codesOf(orderSid);
    expect(voided?.code).toBeNull();
    expect(live?.code).toMatch(/^\d{6}$/);
  });

  it('is void when the call is over; the first end of a call stays', async () => {
    const orderSid = newSid('hostedNumberOrder');
    await calls().openVerificationAttempt({ orderSid, callNumber: 1, at });
    const end = { orderSid, callNumber: 1, callSid: 'CA1', at } as const;
    await calls().closeVerificationAttempt({ ...end, outcome: 'no-answer' });
    await calls().closeVerificationAttempt({ ...end, outcome: 'failed' });
    expect((await codesOf(orderSid))[0]).toMatchObject({ code: null, outcome: 'no-answer', callSid: 'CA1' });
  });
});

describe('copying the state of a document to the read model', () => {
  function snapshotOf(changes: Partial<DocumentSnapshot> & Pick<DocumentSnapshot, 'sid'>): DocumentSnapshot {
    return {
      accountSid: records.accountSid,
      revision: 1,
      status: 'signing',
      failureReason: null,
      mailing: 1,
      expiresAt: '2026-12-21T10:00:00.000Z',
      signedAt: null,
      signerName: null,
      addressSid: null,
      email: 'signer@example.com',
      ccEmails: [],
      contactTitle: null,
      contactPhoneNumber: null,
      orderSids: [],
      updatedAt: at,
      timeline: [],
      ...changes,
    };
  }

  it('never goes back, keeps its creation, and follows its orders as they join and leave', async () => {
    const sid = newSid('authorizationDocument');
    const orders = [records.request(), records.request()];
    for (const order of orders) await records.place(order);
    const [one, two] = orders.map((order) => order.sid);
    if (!one || !two) throw new Error('two orders were made');
    await writeDocumentSnapshot(records.db, snapshotOf({ sid, orderSids: [one] }));
    const later = { revision: 3, orderSids: [two], updatedAt: '2026-11-22T10:00:00.000Z' };
    await writeDocumentSnapshot(records.db, snapshotOf({ sid, ...later }));
    await writeDocumentSnapshot(
      records.db,
      snapshotOf({ sid, revision: 2, status: 'opened', orderSids: [one] }),
    );
    const document = await findAnyDocument(records.db, sid);
    expect(document).toMatchObject({ revision: 3, status: 'signing' });
    expect(document?.dateCreated.toISOString()).toBe(at);
    expect((await listDocumentOrders(records.db, sid)).map((order) => order.sid)).toEqual([two]);
  });

  it('keeps the first bytes of a letter, whoever comes second', async () => {
    const documentSid = newSid('authorizationDocument');
    const file = (text: string) => ({
      documentSid,
      kind: 'letter' as const,
      mailing: 1,
      bytes: Buffer.from(text),
      byteLength: text.length,
      sha256: text,
      dateCreated: new Date(at),
    });
    await keepFile(records.db, file('first'));
    await keepFile(records.db, file('second'));
    const kept = await findDocumentFile(records.db, documentSid, 'letter', 1);
    expect(String(kept?.bytes)).toBe('first');
  });
});

describe('a failing statement', () => {
  it('is told without its parameters, and with the constraint', async () => {
    const given = records.request();
    await records.place(given);
    const failure: unknown = await records.db
      .update(hostedNumberOrders)
      .set({ phoneNumber: null as unknown as string })
      .where(eq(hostedNumberOrders.phoneNumber, given.phoneNumber))
      .catch((err: unknown) => err);
    expect(String(failure)).toContain(given.phoneNumber);
    const told = withoutParameters(failure);
    expect(JSON.stringify([String(told), told, (told as Error).stack])).not.toContain(given.phoneNumber);
    expect(told).toMatchObject({ code: '23502' });
  });
});
