import * as fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import smpp, { type Pdu } from 'smpp';
import { beforeAll, describe, expect, it } from 'vitest';
import { readDelivery } from '../../gateways/smpp-delivery.ts';
import { carryOctets } from '../../gateways/smpp-protocol.ts';
import { plainId, readReceipt } from '../../gateways/smpp-receipt.ts';
import { decodeText, encodeText, joinPieces, splitHeader } from '../../gateways/smpp-text.ts';
import {
  isPassingStatus,
  refusal,
  submissionFields,
  type SubmissionStyle,
} from '../../gateways/smpp-submission.ts';
import type { OutgoingText } from '../../gateways/carrier.ts';
import { connectGateway, delivery, textToSend } from '../support/smpp.ts';

beforeAll(carryOctets);

describe('texts over SMPP (domain.md §5.3)', () => {
  it('writes GSM 03.38 where every character has a place there', () => {
    const [piece, ...rest] = encodeText('@£€{[~]}\\^|_Ç', 'gsm');
    expect(rest).toEqual([]);
    expect(piece?.dataCoding).toBe(0);
    expect(piece?.octets.toString('hex')).toBe('00011b651b281b3c1b3d1b3e1b291b2f1b141b401109');
  });

  it('writes UCS-2 for everything else, emoji whole', () => {
    expect(encodeText('ça 😀', 'gsm')).toEqual([
      { dataCoding: 8, octets: Buffer.from('00e7006100 20d83dde00'.replaceAll(' ', ''), 'hex') },
    ]);
  });

  it('writes Latin-1 where the SMSC means that by data coding 0, and UCS-2 for what Latin-1 lacks', () => {
    expect(encodeText('café @', 'latin1')).toEqual([
      { dataCoding: 0, octets: Buffer.from('café @', 'latin1') },
    ]);
    expect(encodeText('5 €', 'latin1')[0]?.dataCoding).toBe(8);
  });

  it('reads back what it wrote, in as many parts as are counted for the customer', () => {
    const character = fc.oneof(
      fc.constantFrom('a', 'Z', '€', '[', '\n', 'ç', '日', '😀', '👩‍👩‍👧', 'é'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((unit) => unit !== '\0'),
    );
    const body = fc.array(character, { maxLength: 400 }).map((characters) => characters.join(''));
    fc.assert(
      fc.property(body, fc.constantFrom('gsm' as const, 'latin1' as const), (body, alphabet) => {
        const pieces = encodeText(body, alphabet);
        expect(decodeText(joinPieces(pieces), alphabet)).toBe(body);
        if (alphabet === 'gsm') expect(pieces).toHaveLength(new SegmentedMessage(body).segmentsCount);
        const room = pieces[0]?.dataCoding === 8 ? [140, 134] : [160, 153];
        for (const { octets } of pieces)
          expect(octets.length).toBeLessThanOrEqual(Number(pieces.length === 1 ? room[0] : room[1]));
      }),
      { numRuns: 200 },
    );
  });

  it('cuts a character that is longer than a part', () => {
    const body = `x${'\u0301'.repeat(300)}`;
    const pieces = encodeText(body, 'gsm');
    expect(Math.max(...pieces.map(({ octets }) => octets.length))).toBeLessThanOrEqual(134);
    expect(decodeText(joinPieces(pieces), 'gsm')).toBe(body);
  });

  it.each([
    [0x00, 'gsm', '00', '@'],
    [0x00, 'latin1', '40', '@'],
    [0x01, 'gsm', '405f', '@_'],
    [0x03, 'gsm', 'e9', 'é'],
    [0x06, 'gsm', 'd0', 'а'],
    [0x08, 'gsm', 'd83dde0000000041', '😀A'],
    [0x18, 'gsm', '0041', 'A'],
    [0xf1, 'gsm', '00', '@'],
  ] as const)('reads data coding %i (%s): %s is %s', (dataCoding, alphabet, hex, text) => {
    expect(decodeText({ dataCoding, octets: Buffer.from(hex, 'hex') }, alphabet)).toBe(text);
  });

  it.each([0x02, 0x04, 0x14, 0xf5])('takes data coding %i for no text', (dataCoding) => {
    expect(decodeText({ dataCoding, octets: Buffer.from('00', 'hex') }, 'gsm')).toBeNull();
  });

  it('finds a part by 8-bit and by 16-bit reference, between other elements, and survives a header that lies', () => {
    const split = (hex: string) => splitHeader(Buffer.from(hex, 'hex'));
    expect(split('050003aa020161')).toEqual({
      part: { reference: 0xaa, total: 2, sequence: 1 },
      octets: Buffer.from('a'),
    });
    expect(split('0a2401010804abcd030262').part).toEqual({ reference: 0xabcd, total: 3, sequence: 2 });
    expect(split('ff61')).toEqual({ part: null, octets: Buffer.from('ff61', 'hex') });
    expect(split('050003aa020961').part).toBeNull();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (octets) => void splitHeader(Buffer.from(octets))),
    );
  });
});

describe('submissions (SMPP 3.4 §4.4)', () => {
  const style = { longTexts: 'parts', defaultAlphabet: 'gsm' } as const;
  const requestsFor = (text: OutgoingText, how: SubmissionStyle = style) => submissionFields(text, how) ?? [];

  it('asks for one receipt, on the last part, and marks all parts with one reference', () => {
    const text = textToSend({ body: 'x'.repeat(400) });
    const parts = requestsFor(text);
    expect(parts.map((part) => part['registered_delivery'])).toEqual([0, 0, 1]);
    const headers = parts.map((part) => (part['short_message'] as Buffer).subarray(0, 6));
    expect(new Set(headers.map((header) => header[3])).size).toBe(1);
    expect(headers.map((header) => [header[4], header[5]])).toEqual([
      [3, 1],
      [3, 2],
      [3, 3],
    ]);
    expect(requestsFor(text)).toEqual(parts);
  });

  it('sends a long text whole where that is configured', () => {
    const [whole, ...rest] = requestsFor(textToSend({ body: 'x'.repeat(400) }), {
      ...style,
      longTexts: 'payload',
    });
    expect(rest).toEqual([]);
    expect(whole?.['message_payload']).toHaveLength(400);
    expect(whole?.['short_message']).toBeUndefined();
  });

  it('gives addresses their type and the validity as a relative time', () => {
    const [fields] = requestsFor(textToSend({ to: '72404', validityPeriodSeconds: 90_061 }));
    expect(fields).toMatchObject({
      source_addr_ton: 1,
      source_addr: '14155550100',
      dest_addr_ton: 0,
      destination_addr: '72404',
      validity_period: '000001010101000R',
    });
  });

  it('sends media as links', () => {
    const [fields] = requestsFor(textToSend({ body: 'see', mediaUrls: ['https://x.example/a.png'] }));
    expect(String(fields?.['short_message'])).toBe('see\nhttps://x.example/a.png');
  });

  it('numbers up to 255 parts, and refuses for good a text that takes more', async () => {
    const longest = '日'.repeat(255 * 67);
    const last = requestsFor(textToSend({ body: longest })).at(-1);
    expect((last?.['short_message'] as Buffer | undefined)?.subarray(4, 6)).toEqual(Buffer.from([255, 255]));
    // Nobody listens there: the refusal is the gateway's own.
    const gateway = connectGateway('smpp://127.0.0.1:1', { responseTimeoutMs: 50 });
    await expect(gateway.submit(textToSend({ body: `${longest}日` }))).resolves.toEqual({
      kind: 'refused',
      errorCode: 30008,
      reason: 'The text and the links to its media take more than 255 parts',
    });
    await gateway.close();
  });

  it.each([
    [0x0b, 30005],
    [0xfe, 30003],
    [0x101, 30004],
    [0x0a, 30008],
    [0x4ff, 30008],
  ])('refuses for good on status %i with code %i', (status, errorCode) => {
    expect(isPassingStatus(status)).toBe(false);
    expect(refusal(status)).toMatchObject({ kind: 'refused', errorCode });
  });

  it.each([0x58, 0x14, 0x08, 0x64])('tries again on status %i', (status) => {
    expect(isPassingStatus(status)).toBe(true);
  });
});

describe('receipts (SMPP 3.4 appendix B)', () => {
  const receipt = (fields: Readonly<Record<string, unknown>>) =>
    readReceipt(readDelivery(roundTrip(new smpp.PDU('deliver_sm', delivery({ esm_class: 4, ...fields })))));
  const body = (text: string) => ({ short_message: Buffer.from(text) });

  it('reads id, state and error from the text', () => {
    const text =
      'id:0B4B6857 sub:001 dlvrd:001 submit date:2611210300 done date:2611210301 stat:DELIVRD err:000 text:hi';
    expect(receipt(body(text))).toMatchObject({ carrierId: 'b4b6857', state: 'delivered', errorCode: null });
  });

  it('names the same number in the other notation: jsmpp reports 189491287 for b4b6857', () => {
    const decimal = receipt(body('id:189491287 stat:DELIVRD'));
    expect(decimal?.otherIds).toContain(plainId('0B4B6857'));
    const hexadecimal = receipt(body('id:b4b6857 stat:DELIVRD'));
    expect(hexadecimal?.otherIds).toContain('189491287');
  });

  it('prefers the fields to the text', () => {
    const fields = {
      receipted_message_id: 'ff',
      message_state: 5,
      network_error_code: Buffer.from([3, 0, 1]),
    };
    expect(receipt(fields)).toMatchObject({ carrierId: 'ff', state: 'failed', errorCode: 30005 });
  });

  it.each([
    ['EXPIRED', 30003],
    ['REJECTD', 30007],
    ['UNDELIV', 30008],
  ])('%s failed with code %i', (state, errorCode) => {
    expect(receipt(body(`id:1 stat:${state} err:042`))).toMatchObject({ state: 'failed', errorCode });
  });

  it.each([
    'id:1 stat:ENROUTE',
    'id:1 stat:ACCEPTD',
    'stat:DELIVRD',
    'id:1',
    '',
  ])('%s tells no end', (text) => {
    expect(receipt(body(text))).toBeNull();
  });
});

/** As it arrives: through the octets of the wire. */
function roundTrip(pdu: Pdu): Pdu {
  const Parse = smpp.PDU as unknown as new (octets: Buffer) => Pdu;
  const octets = pdu.toBuffer();
  const parsed = new Parse(octets);
  return parsed;
}
