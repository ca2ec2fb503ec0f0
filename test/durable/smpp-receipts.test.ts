/** Receipts that come before the SMSC has told the identifier they name: over real binds, into a real database. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import type { Pdu } from 'smpp';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import {
  createCarrierInbox,
  createCarrierListener,
  type CarrierInboxDeps,
} from '../../activities/carrier-inbox.ts';
import { createMessageActivities, type MessageDeps } from '../../activities/messages.ts';
import type { Db } from '../../db/client.ts';
import { insertOutbound } from '../../db/writes/messages.ts';
import type { OutgoingMessage } from '../../domain/message.ts';
import type { CarrierGateway } from '../../gateways/carrier.ts';
import { newSid } from '../../security/derived-sid.ts';
import { openOrderRecords, type OrderRecords } from '../support/order-records.ts';
import { opened } from '../support/opened.ts';
import { outgoingMessage } from '../support/outgoing-message.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { accept, connectGateway, delivery, startScriptedSmsc } from '../support/smpp.ts';
import { until } from '../support/until.ts';

const ok = 0x00;
const tryAgain = 0x64;
/** For an answer that comes late: it is sent back after half of this. Long enough for the bind. */
const responseTimeoutMs = 3_000;
/** Longer than a receipt waits that may be anybody's, and than one that may be for a text without identifier. */
const [longMs, tooLongMs] = [3_000, 80_000];

const now = Date.now.bind(Date);

let records: OrderRecords;
beforeAll(async () => {
  records = await openOrderRecords();
});
afterAll(() => records?.close());

/** A message on its way, over a bind whose SMSC holds its answer back, and another bind for what the SMSC brings. */
async function underWay() {
  const answers: (() => void)[] = [];
  const answer = (): void => answers.pop()?.();
  const smsc = opened(
    await startScriptedSmsc((pdu: Pdu, session) => {
      if (pdu.command !== 'submit_sm') return accept(pdu);
      answers.push(() => session.send(pdu.response({ message_id: 'b4b6857' })));
      return null;
    }),
  );
  const sender = opened(connectGateway(smsc.url));
  await smsc.session();

  const told: string[] = [];
  const workflow = { getHandle: (sid: string) => ({ signal: async () => void told.push(sid) }) };
  const searching = countingLooks(records.db);
  // Only what a receipt needs; anything else would throw.
  const deps = { db: searching.db, temporal: { workflow } } as unknown as CarrierInboxDeps;
  const listener = createCarrierListener(createCarrierInbox(deps), pino({ level: 'silent' }));
  opened(connectGateway(smsc.url, { responseTimeoutMs, listener }));
  await until(() => smsc.received.filter(({ command }) => command === 'bind_transceiver').length === 2);

  const [line, contact, sid] = [await records.newLine(), newPhoneNumber(), newSid('message')];
  await send({ sid, from: line, to: contact }, sender);
  await until(() => answers.length === 1);
  // The gateway does not end before what it has submitted is answered.
  opened({ close: async () => answer() });
  return {
    sid,
    told,
    looks: searching.looks,
    answer,
    bringReceipt: (id: string, from = contact) =>
      smsc.request(
        'deliver_sm',
        delivery({
          source_addr: from.slice(1),
          destination_addr: line.slice(1),
          esm_class: 4,
          short_message: Buffer.from(`id:${id} stat:DELIVRD err:000`),
        }),
      ),
  };
}

/** Resolves when the message is stored and about to be submitted. */
async function send(
  parties: Pick<OutgoingMessage, 'sid' | 'from' | 'to'>,
  carrier: CarrierGateway,
): Promise<void> {
  const message = outgoingMessage({ ...parties, accountSid: records.accountSid });
  await insertOutbound(records.db, message, { numSegments: 1, at: new Date() });
  // Only what submitting uses; anything else would throw.
  const deps = { db: records.db, gateways: { carrier } } as unknown as MessageDeps;
  const activities = createMessageActivities(deps);
  const submitted = new MockActivityEnvironment().run(() =>
    activities.submitMessage({ messageSid: message.sid }),
  );
  submitted.catch(() => null);
}

function countingLooks(db: Db): { readonly db: Db; readonly looks: () => number } {
  let looks = 0;
  const counting = new Proxy(db, {
    get: (real, name) => {
      if (name === 'select') looks += 1;
      return Reflect.get(real, name) as unknown;
    },
  });
  return { db: counting, looks: () => looks };
}

/** Sets the clock on, for those who look at it; timers run as before. */
function setClockOn(ms: number): void {
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ms);
  onTestFinished(() => void vi.restoreAllMocks());
}

it('a receipt long before the answer that tells its identifier is sent back, and told when that has come', async () => {
  const { sid, told, looks, answer, bringReceipt } = await underWay();
  const brought = bringReceipt('0189491287');
  await until(() => looks() > 0);
  setClockOn(longMs);
  await expect(brought).resolves.toBe(tryAgain);
  expect(told).toEqual([]);
  answer();
  // Though the SMSC does not bring it again.
  await until(() => told.length > 0);
  expect(told).toEqual([sid]);
  await expect(bringReceipt('0189491287')).resolves.toBe(ok);
});

it('a receipt that comes again while its message is looked for is looked for once', async () => {
  const { sid, told, looks, answer, bringReceipt } = await underWay();
  const first = bringReceipt('b4b6857');
  const second = bringReceipt('b4b6857');
  await until(() => looks() > 0);
  answer();
  await expect(Promise.all([first, second])).resolves.toEqual([ok, ok]);
  expect(told).toEqual([sid]);
});

it('a receipt for no message of ours is not sent back for ever, though a text to its contact stays unanswered', async () => {
  const { told, looks, bringReceipt } = await underWay();
  const brought = bringReceipt('f00');
  await until(() => looks() > 0);
  setClockOn(longMs);
  await expect(brought).resolves.toBe(tryAgain);
  setClockOn(tooLongMs);
  await until(async () => (await bringReceipt('f00')) === ok);
  expect(told).toEqual([]);
});

it('a receipt for no message of ours is not sent back where no text to its contact is unanswered', async () => {
  const { told, looks, bringReceipt } = await underWay();
  const brought = bringReceipt('f00', newPhoneNumber());
  await until(() => looks() > 0);
  setClockOn(longMs);
  await expect(brought).resolves.toBe(ok);
  expect(told).toEqual([]);
});
