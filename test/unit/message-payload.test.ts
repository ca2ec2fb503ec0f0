/** The bodies of message and opt-out webhooks (service.md §2.4, §2.5, §6.1). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cutToBytes,
  fingerprint,
  messagePayload,
  optOutPayload,
  utf8Length,
  withoutText,
  type MessageView,
} from '../../domain/message-payload.ts';

const settings = { bodyLimitBytes: 700, messageTransport: 5, messageStatus: 1003, outgoingMessageType: 'ZO' };
const created = new Date('2026-11-20T10:11:12.345Z');
const inbound: MessageView = {
  id: 1_000_000_000_001,
  direction: 'inbound',
  line: '+14155550100',
  contact: '+14155550199',
  body: 'hello',
  hasMedia: false,
  statusCode: 4,
  dateCreated: created,
  sendAt: null,
  dateDelivered: null,
  dateRead: null,
  dateDeleted: null,
};

describe('a message webhook', () => {
  it('has every field of the specification, in its order there', () => {
    expect(Object.keys(messagePayload(inbound, settings))).toEqual(
      (
        'body bodySize address finalSource finalDestination messageType fingerprint id cc bcc visible read contactId ' +
        'scheduledDate deviceId dateDeleted messageTransport dateDelivered hasAttachment dateCreated deleted dateRead ' +
        'statusCode messageStatus'
      ).split(' '),
    );
  });

  it('tells an inbound text', () => {
    expect(messagePayload(inbound, settings)).toMatchObject({
      body: 'hello',
      bodySize: 5,
      address: 'ptn:/+14155550199',
      finalSource: '+14155550199',
      finalDestination: '+14155550100',
      messageType: 'MO',
      id: 1_000_000_000_001,
      visible: true,
      read: false,
      deleted: false,
      hasAttachment: false,
      dateCreated: '2026-11-20T10:11:12.345Z',
      statusCode: 4,
    });
  });

  it('names the other party of an outgoing text as its address', () => {
    const outgoing = messagePayload({ ...inbound, direction: 'outbound-api', statusCode: 2 }, settings);
    expect(outgoing).toMatchObject({
      address: 'ptn:/+14155550199',
      finalSource: '+14155550100',
      finalDestination: '+14155550199',
      messageType: 'ZO',
    });
  });

  it('carries the state after the change', () => {
    const gone = messagePayload({ ...inbound, dateRead: created, dateDeleted: created }, settings);
    expect(gone).toMatchObject({ read: true, deleted: true });
    expect([gone.dateRead, gone.dateDeleted]).toEqual([created.toISOString(), created.toISOString()]);
  });

  it.each([
    ['scheduled', 2],
    ['canceled', 5],
  ] as const)('of a %s message, which has no code yet, says %i', (status, statusCode) => {
    const scheduled = { ...inbound, direction: 'outbound-api', sendAt: created, statusCode: null } as const;
    expect(messagePayload({ ...scheduled, status }, settings)).toMatchObject({ statusCode });
    expect(messagePayload({ ...scheduled, status, statusCode: 4 }, settings).statusCode).toBe(4);
  });

  it('keeps every id whole in any JSON reader', () => {
    const payload = messagePayload({ ...inbound, contact: '+999999999999999' }, settings);
    for (const id of [payload.id, payload.contactId, payload.deviceId])
      expect(Number.isSafeInteger(id)).toBe(true);
    expect(JSON.parse(JSON.stringify(payload))).toEqual(payload);
  });

  it('has one fingerprint per conversation, for both directions', () => {
    const { line, contact } = inbound;
    const there = messagePayload(inbound, settings).fingerprint;
    expect(messagePayload({ ...inbound, direction: 'outbound-api' }, settings).fingerprint).toBe(there);
    expect(there).toMatch(/^\d+$/);
    expect(fingerprint(contact, line)).not.toBe(there);
  });
});

describe('the ids of a party that is no number (decision 0017)', () => {
  const idsOf = (contact: string): readonly [contactId: number, fingerprint: string] => {
    const payload = messagePayload({ ...inbound, contact }, settings);
    return [payload.contactId, payload.fingerprint];
  };

  it.each([
    ['BANK', 1183620491941030],
    ['AMAZON', 1083962512093025],
    ['BANK24', 1262950762578770],
    ['Café 😀', 1060738551168889],
  ])('%s has ids of its own, the same for ever', (name, id) => {
    expect(idsOf(name)).toEqual([id, `14155550100${id}`]);
  });

  it.each([
    ['+14155550199', 14155550199, '14155550100000014155550199'],
    ['24', 24, '14155550100000000000000024'],
    ['+1 (415) 555-0199', 14155550199, '14155550100000014155550199'],
    ['+999999999999999', 999999999999999, '14155550100999999999999999'],
  ])('%s is a number and keeps its digits', (number, id, fingerprint) => {
    expect(idsOf(number)).toEqual([id, fingerprint]);
  });

  it('differ from name to name and from every number, and every JSON reader keeps them whole', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 32 }).map((text) => `x${text}`);
    fc.assert(
      fc.property(name, name, (one, other) => {
        const [id, fingerprint] = idsOf(one);
        expect(id).toBeGreaterThanOrEqual(10 ** 15);
        expect(Number.isSafeInteger(id)).toBe(true);
        expect(fingerprint).toMatch(/^\d+$/);
        expect(idsOf(other)[0] === id).toBe(one === other);
      }),
    );
  });

  it.each([
    ['Aa', 'BB'],
    ['BANK', 'KNAB'],
    ['BANK', 'BANK '],
    ['BANK24', '24'],
    ['...', ''],
  ])('%j and %j are two parties', (one, other) => {
    expect(idsOf(one)).not.toEqual(idsOf(other));
  });
});

describe('the size limit of the body (700 bytes)', () => {
  it.each([
    ['700 letters stay', 'a'.repeat(700), false, 700],
    ['701 letters become an attachment', 'a'.repeat(701), true, 700],
    ['350 accents are 700 bytes', 'é'.repeat(350), false, 700],
    ['351 accents become an attachment, cut at a character', `a${'é'.repeat(350)}`, true, 699],
    ['175 emoji are 700 bytes', '😀'.repeat(175), false, 700],
    ['an emoji is never cut in two', `aaa${'😀'.repeat(175)}`, true, 699],
  ])('%s', (_, body, hasAttachment, bodySize) => {
    const payload = messagePayload({ ...inbound, body }, settings);
    expect([payload.hasAttachment, payload.bodySize]).toEqual([hasAttachment, bodySize]);
    expect(body.startsWith(payload.body)).toBe(true);
    expect(Buffer.byteLength(payload.body)).toBe(bodySize);
  });

  it('counts as UTF-8 does, and cuts to the longest beginning that fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 40 }), (text, limit) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text));
        const cut = cutToBytes(text, limit);
        const next = Array.from(text.slice(cut.length))[0] ?? '';
        expect(text.startsWith(cut)).toBe(true);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(limit);
        expect(next === '' || Buffer.byteLength(cut + next) > limit).toBe(true);
      }),
    );
  });
});

it('an opt-out webhook has the fields of the specification, its date with an offset', () => {
  const { id, line, contact } = inbound;
  expect(optOutPayload({ id, line, contact, body: ' Stop ', type: 'STOP', at: created })).toEqual({
    messageBody: ' Stop ',
    line: '+14155550100',
    contact: '+14155550199',
    messageId: '1000000000001',
    type: 'STOP',
    eventDate: '2026-11-20T10:11:12.345+00:00',
  });
});

describe('a payload whose message was redacted or removed since', () => {
  it('keeps every field in its place, and has no text and nothing to fetch', () => {
    const told = messagePayload({ ...inbound, body: 'x'.repeat(701), hasMedia: true }, settings);
    expect(told).toMatchObject({ bodySize: 700, hasAttachment: true });
    const left = { ...told, body: '', bodySize: 0, hasAttachment: false };
    expect(withoutText(JSON.stringify(told))).toBe(JSON.stringify(left));
  });

  it('of an opt-out keeps who left and when', () => {
    const change = { ...inbound, body: 'Unsubscribe', type: 'STOP', at: created } as const;
    const told = optOutPayload(change);
    expect(withoutText(JSON.stringify(told))).toBe(JSON.stringify({ ...told, messageBody: '' }));
  });
});
