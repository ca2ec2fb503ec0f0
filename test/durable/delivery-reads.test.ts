/** What people are shown of a delivery while its workflow goes on. Decision 0010. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../db/client.ts';
import { findDelivery } from '../../db/reads/deliveries.ts';
import { deliveries, events } from '../../db/schema/deliveries.ts';
import { recordSuccess } from '../../db/writes/deliveries.ts';
import { newSid } from '../../security/derived-sid.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let opened: Database;

beforeAll(async () => {
  database = await createDatabase();
  opened = openDatabase(database.url, 4);
});
afterAll(async () => {
  await opened?.close();
  await database?.drop();
});

describe('a delivery and its attempts', () => {
  it('are of one moment, also when an attempt is made while they are read', async () => {
    const { db } = opened;
    const delivery = await pendingDelivery();
    const read = await db.transaction(async (tx) => {
      // The reader has seen the delivery and comes to the attempts only once this attempt is committed.
      await tx.execute('lock table delivery_attempts in access exclusive mode');
      const reading = findDelivery(db, delivery);
      await until(async () => {
        const [row] = await database.sql`
          select count(*)::int as waiting from pg_locks
          where not granted and relation = 'delivery_attempts'::regclass`;
        return row?.['waiting'] === 1;
      });
      await recordSuccess(tx, {
        deliverySid: delivery.sid,
        number: 1,
        at: new Date(),
        durationMs: 5,
        url: 'https://hooks.example.com/message/receive',
        httpStatus: 200,
        error: null,
        responseHead: null,
        retryAfter: null,
      });
      return { reading };
    });
    const details = await read.reading;
    expect(details?.delivery).toMatchObject({ state: 'pending', attemptCount: 0 });
    expect(details?.attempts).toEqual([]);
    const after = await findDelivery(db, delivery);
    expect(after?.delivery).toMatchObject({ state: 'delivered', attemptCount: 1 });
    expect(after?.attempts).toHaveLength(1);
  });
});

async function pendingDelivery(): Promise<{ readonly accountSid: string; readonly sid: string }> {
  const [accountSid, eventSid, sid] = [newSid('account'), newSid('event'), newSid('delivery')];
  const both = { accountSid, kind: 'message/receive', sequence: 1, dateCreated: new Date() } as const;
  await opened.db
    .insert(events)
    .values({ ...both, sid: eventSid, resourceSid: newSid('message'), line: '+14155550123', payload: '{}' });
  await opened.db
    .insert(deliveries)
    .values({ ...both, sid, eventSid, method: 'POST', orderKey: sid, state: 'pending' });
  return { accountSid, sid };
}
