/** Messages that a Zipwhip call names: several at once, in any spelling of the list (domain.md §3.2). */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startMessageCustomer, type MessageCustomer } from '../support/message-customer.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { until } from '../support/until.ts';

let customer: MessageCustomer;
let line: string;
let session: string;

beforeAll(async () => {
  customer = await startMessageCustomer();
  ({ phoneNumber: line } = await customer.host());
  session = await customer.logIn(line);
});
afterAll(() => customer?.stop());

/** Texts from a contact of its own, and the ids they have. */
async function receive(count: number): Promise<{ readonly from: string; readonly ids: string[] }> {
  const from = newPhoneNumber();
  for (let text = 1; text <= count; text++) await customer.bring({ from, to: line, body: `text ${text}` });
  const told = await until(() => {
    const events = customer.eventsOf(line).filter(({ payload }) => payload['finalSource'] === from);
    return events.length === count && events;
  });
  return { from, ids: told.map(({ payload }) => String(payload['id'])) };
}

/** A text that waits for an hour. */
async function schedule(): Promise<{ readonly sid: string; readonly id: string }> {
  const sendAt = new Date(Date.now() + 3_600_000);
  const text = { from: line, to: newPhoneNumber(), body: 'later', sendAt, scheduleType: 'fixed' } as const;
  const { sid } = await customer.client.messages.create(text);
  const [row] = await customer.service.sql`select id from messages where sid = ${sid}`;
  return { sid, id: String(row?.['id']) };
}

const call = (path: string, message: readonly string[]) => {
  const form = new URLSearchParams({ session });
  for (const ids of message) form.append('message', ids);
  return customer.call('POST', path, { form: form.toString(), as: null });
};
const done = { status: 200, body: { success: true } };
const refused = (code: number) => ({ body: { success: false, code } });

describe('the messages of one call', () => {
  it('are each changed once, however often and in whatever spelling they are named', async () => {
    const { from, ids } = await receive(2);
    const [first = '', second = ''] = ids;
    const named = [`${first},${second}`, ` ${second} `, `0${first}`, first];
    expect(await call('/message/read', named)).toMatchObject(done);
    expect(await call('/message/delete', named)).toMatchObject(done);
    const changes = await until(() => {
      const told = customer.eventsOf(line).filter(({ payload }) => payload['finalSource'] === from);
      return told.length >= 6 && told.map(({ type, payload }) => `${type} ${String(payload['id'])}`);
    });
    const expected = ['receive', 'read', 'delete'].flatMap((change) =>
      [first, second].map((id) => `message/${change} ${id}`),
    );
    expect(changes.toSorted()).toEqual(expected.toSorted());
  });

  it('are 100 at most, however they are packed into parameters', async () => {
    const many = Array.from({ length: 101 }, (_, index) => String(1_000_000_000 + index));
    expect(await call('/message/read', [many.join()])).toMatchObject(refused(20001));
    expect(await call('/message/read', [many.slice(0, 51).join(), many.slice(51).join()])).toMatchObject(
      refused(20001),
    );
    const packed = Array.from({ length: 50 }, () => '1,'.repeat(400) + '1');
    expect(await call('/message/read', packed)).toMatchObject(refused(20404));
  });

  it('are read together, however many they are', async () => {
    const queries = vi.spyOn(customer.service.db, 'select');
    const asked = async (count: number): Promise<number> => {
      queries.mockClear();
      const ids = Array.from({ length: count }, (_, index) => String(1_000_000_000 + index));
      expect(await call('/message/read', ids)).toMatchObject(refused(20404));
      return queries.mock.calls.length;
    };
    // What the service asks for itself meanwhile only adds to a count.
    const fewest = async (count: number): Promise<number> =>
      Math.min(await asked(count), await asked(count), await asked(count));
    expect(await fewest(100)).toBe(await fewest(1));
    queries.mockRestore();
  });

  it('stay as they are when one of them is not the line’s', async () => {
    const { ids } = await receive(1);
    for (const stranger of ['999999999', 'nonsense', ''])
      expect(await call('/message/delete', [...ids, stranger])).toMatchObject(refused(20404));
    expect(await call('/message/get', ids)).toMatchObject(done);
  });

  it('are all deleted or none: none where one is on its way', async () => {
    const { ids } = await receive(1);
    const { sid, id: waiting } = await schedule();
    const response = `Cannot be deleted while on its way: ${waiting}`;
    expect(await call('/message/delete', [...ids, waiting])).toMatchObject({
      status: 409,
      body: { success: false, code: 20009, response },
    });
    expect(await call('/message/get', ids)).toMatchObject(done);

    await customer.client.messages(sid).update({ status: 'canceled' });
    expect(await call('/message/delete', [...ids, waiting])).toMatchObject(done);
  });
});

it('a scheduled message that was canceled is not told as queued any more (decision 0015)', async () => {
  const { sid, id } = await schedule();
  const got = async () => (await call('/message/get', [id])).body['response'];
  expect(await got()).toMatchObject({ statusCode: 2 });
  await customer.client.messages(sid).update({ status: 'canceled' });
  expect(await got()).toMatchObject({ statusCode: 5 });

  await call('/message/delete', [id]);
  const told = await until(() => customer.eventsOf(line).find(({ payload }) => String(payload['id']) === id));
  expect(told).toMatchObject({ type: 'message/delete', payload: { deleted: true, statusCode: 5 } });
});
