/** What is kept of messages: whose line they may leave by, and which one a carrier's identifier means. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCarrierInbox, type CarrierInboxDeps } from '../../activities/carrier-inbox.ts';
import { createMessageActivities, type MessageDeps } from '../../activities/messages.ts';
import { readConfig } from '../../config.ts';
import { listByCarrierId, listUnanswered } from '../../db/reads/messages-by-carrier-id.ts';
import { insertInbound, insertOutbound, writeCarrierId } from '../../db/writes/messages.ts';
import type { OutgoingMessage } from '../../domain/message.ts';
import { newSid } from '../../security/derived-sid.ts';
import { openOrderRecords, type OrderRecords } from '../support/order-records.ts';
import { outgoingMessage } from '../support/outgoing-message.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { until } from '../support/until.ts';

let records: OrderRecords;
beforeAll(async () => {
  records = await openOrderRecords();
});
afterAll(() => records?.close());

const outgoing = (from: string): OutgoingMessage => outgoingMessage({ accountSid: records.accountSid, from });

async function send(from: string): Promise<string> {
  const message = outgoing(from);
  const { id } = await insertOutbound(records.db, message, { numSegments: 1, at: new Date() });
  expect(id).not.toBeNull();
  return message.sid;
}

describe('a text that goes out', () => {
  it('is not stored where the line is another account’s, whoever asked', async () => {
    const message = { ...outgoing(await records.newLine()), accountSid: newSid('account') };
    const inserted = await insertOutbound(records.db, message, { numSegments: 1, at: new Date() });
    expect(inserted).toMatchObject({ maySend: false, id: null });
  });

  it('goes on when the first task of its workflow is carried out again, and is not sent by another run', async () => {
    // Only what placing and recording use; anything else would throw.
    const deps = { db: records.db, settings: readConfig({}) } as unknown as MessageDeps;
    const activities = createMessageActivities(deps);
    const message = outgoing(await records.newLine());
    const began = new Date();
    const place = (at: Date) => activities.placeMessage({ message, at: at.toISOString() });
    expect(await place(began)).toMatchObject({ kind: 'placed' });
    await activities.recordMessage({
      messageSid: message.sid,
      revision: 2,
      status: 'sending',
      statusCode: 2,
      reported: null,
      statusChanged: true,
      errorCode: null,
      at: began.toISOString(),
    });
    expect(await place(began)).toMatchObject({ kind: 'placed' });
    expect(await place(new Date(began.getTime() + 1))).toEqual({ kind: 'refused', code: 20409 });
  });
});

describe('a receipt', () => {
  it('that comes before its submission is stored waits for it', async () => {
    const told: string[] = [];
    const workflow = { getHandle: (sid: string) => ({ signal: async () => void told.push(sid) }) };
    let looks = 0;
    const db = new Proxy(records.db, {
      get: (real, name) => {
        if (name === 'select') looks += 1;
        return Reflect.get(real, name) as unknown;
      },
    });
    // Only what a receipt needs; anything else would throw.
    const deps = { db, temporal: { workflow } } as unknown as CarrierInboxDeps;
    const sid = await send(await records.newLine());
    const receipt = { carrierId: 'early', state: 'delivered', errorCode: null } as const;
    // It waits for a short time only, and no time passes.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    onTestFinished(() => clock.mockRestore());
    const received = createCarrierInbox(deps).receiveReceipt(receipt);
    // Who looks a second time has found nothing the first time.
    await Promise.race([received, until(() => looks > 1)]);
    await writeCarrierId(records.db, sid, 'early');
    expect(await received).toBe('told');
    expect(told).toEqual([sid]);
  });
});

describe('a receipt whose number is another text’s in the other notation', () => {
  it('waits for its own, though the other one is still open', async () => {
    const told: string[] = [];
    const workflow = { getHandle: (sid: string) => ({ signal: async () => void told.push(sid) }) };
    const deps = { db: records.db, temporal: { workflow } } as unknown as CarrierInboxDeps;
    const line = await records.newLine();
    const [other, own] = [await send(line), outgoing(line)];
    await insertOutbound(records.db, own, { numSegments: 1, at: new Date() });
    await writeCarrierId(records.db, other, '1001');
    const receipt = { carrierId: '4097', otherIds: ['1001'], state: 'delivered', errorCode: null } as const;
    const inbox = createCarrierInbox(deps);
    const received = inbox.receiveReceipt({ ...receipt, parties: [own.to, line] });
    setTimeout(() => void writeCarrierId(records.db, own.sid, '4097'), 300);
    expect(await received).toBe('told');
    expect(told).toEqual([own.sid]);
    // To the contact it names, without what a call within the country does not need.
    const { contact } = (await listByCarrierId(records.db, ['1001']))[0] ?? { contact: '' };
    const parties = [contact.replace('+1', '0'), line];
    await inbox.receiveReceipt({ ...receipt, carrierId: '4098', parties });
    expect(told).toEqual([own.sid, other]);
  });
});

describe('a text on its way', () => {
  it('may have a receipt under an identifier that is not known yet, until the carrier has told it', async () => {
    const message = outgoing(await records.newLine());
    const { from, to, sid } = message;
    expect(await listUnanswered(records.db, [to, from])).toEqual([]);
    await insertOutbound(records.db, message, { numSegments: 1, at: new Date() });
    expect(await listUnanswered(records.db, [to, from])).toEqual([to]);
    expect(await listUnanswered(records.db, [to, await records.newLine()])).toEqual([]);
    await writeCarrierId(records.db, sid, '5a');
    expect(await listUnanswered(records.db, [to, from])).toEqual([]);
  });
});

describe('an identifier that the carrier gives again', () => {
  it('is kept with each text of the line that went out, and a receipt is for the newest', async () => {
    const line = await records.newLine();
    const [first, second] = [await send(line), await send(line)];
    for (const sid of [first, second]) await writeCarrierId(records.db, sid, '2a');
    expect((await listByCarrierId(records.db, ['2a', '42']))[0]).toMatchObject({ sid: second });
    // The older row is written last, so that it is not found merely by where it lies.
    await writeCarrierId(records.db, first, '2a');
    expect((await listByCarrierId(records.db, ['2a', '42']))[0]).toMatchObject({ sid: second });
  });

  it('does not make a text that came in another one', async () => {
    const line = await records.newLine();
    await writeCarrierId(records.db, await send(line), '77');
    const text = {
      line,
      contact: newPhoneNumber(),
      body: 'Hello',
      numSegments: 1,
      statusCode: 4,
      carrierId: '77',
      at: new Date(),
    };
    const bring = () => insertInbound(records.db, { sid: newSid('message'), ...text });
    expect((await bring())?.id).toEqual(expect.any(Number));
    expect(await bring()).toMatchObject({ id: null });
  });
});
