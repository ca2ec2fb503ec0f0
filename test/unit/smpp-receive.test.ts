import { describe, expect, it } from 'vitest';
import { opened } from '../support/opened.ts';
import { connectGateway, delivery, part, startScriptedSmsc, textToSend } from '../support/smpp.ts';
import { until } from '../support/until.ts';

const ok = 0x00;
const tryAgain = 0x64;
const neverAgain = 0x65;

/** For an answer that comes late: it is sent back after half of this. Long enough for the bind. */
const responseTimeoutMs = 3_000;

async function connected(options: Parameters<typeof connectGateway>[1] = {}) {
  const smsc = opened(await startScriptedSmsc());
  const gateway = opened(connectGateway(smsc.url, options));
  const bring = (fields: Readonly<Record<string, unknown>>) => smsc.request('deliver_sm', fields);
  return { smsc, gateway, bring };
}

const text = (body: string, fields: Readonly<Record<string, unknown>> = {}) =>
  delivery({ short_message: Buffer.from(body, 'latin1'), ...fields });

describe('texts that the SMSC brings (issue 4, carrier gateway)', () => {
  it('acknowledges a text when the listener has it, and not before', async () => {
    let release = (): void => undefined;
    const stored = new Promise<void>((resolve) => (release = resolve));
    const { smsc, gateway, bring } = await connected({ onText: () => stored });
    const answered = bring(text('hello'));
    const other = gateway.submit(textToSend());
    await other;
    expect(smsc.received.some(({ command }) => command === 'deliver_sm_resp')).toBe(false);
    release();
    await expect(answered).resolves.toBe(ok);
    expect(gateway.texts).toMatchObject([{ from: '+14155550199', to: '+14155550100', body: 'hello' }]);
  });

  it('sends a text back when the listener fails, and names its repetition the same', async () => {
    const ids: string[] = [];
    const { gateway, bring } = await connected({
      onText: async ({ carrierId }) => {
        if (ids.push(carrierId) === 1) throw new Error('database down');
      },
    });
    await expect(bring(text('hello'))).resolves.toBe(tryAgain);
    await expect(bring(text('hello'))).resolves.toBe(ok);
    expect(ids[1]).toBe(ids[0]);
    expect(gateway.texts).toHaveLength(1);
  });

  it('sends a text back when the listener takes too long, and names its repetition the same', async () => {
    const ids: string[] = [];
    const { bring } = await connected({
      responseTimeoutMs,
      onText: ({ carrierId }) =>
        ids.push(carrierId) === 1 ? new Promise(() => undefined) : Promise.resolve(),
    });
    await expect(bring(text('hello'))).resolves.toBe(tryAgain);
    await expect(bring(text('hello'))).resolves.toBe(ok);
    expect(ids[1]).toBe(ids[0]);
  });

  it('names a text the same when the connection ended before its acknowledgement left', async () => {
    const ids: string[] = [];
    let release = (): void => undefined;
    const stored = new Promise<void>((resolve) => (release = resolve));
    const { smsc, bring } = await connected({
      onText: async ({ carrierId }) => {
        ids.push(carrierId);
        await stored;
      },
    });
    const lost = bring(text('hello'));
    await until(() => ids.length === 1);
    (await smsc.session()).destroy();
    await expect(lost).resolves.toBeNull();
    release();
    await until(() => smsc.connectionCount() === 2);
    await until(() => smsc.received.filter(({ command }) => command === 'bind_transceiver').length === 2);
    await expect(bring(text('hello'))).resolves.toBe(ok);
    expect(ids[1]).toBe(ids[0]);
  });

  it('keeps apart two texts that read the same', async () => {
    const { gateway, bring } = await connected();
    await expect(Promise.all([bring(text('ok')), bring(text('ok'))])).resolves.toEqual([ok, ok]);
    await expect(bring(text('ok'))).resolves.toBe(ok);
    expect(new Set(gateway.texts.map(({ carrierId }) => carrierId)).size).toBe(3);
  });

  it('names a text by the SMSC’s own identifier where there is one, across processes too', async () => {
    const identified = text('ok', { receipted_message_id: 'mo-17' });
    const [one, two] = [await connected(), await connected()];
    await one.bring(identified);
    await two.bring(identified);
    await two.bring(text('ok', { receipted_message_id: 'mo-18' }));
    const [first, second, third] = [...one.gateway.texts, ...two.gateway.texts];
    expect(second?.carrierId).toBe(first?.carrierId);
    expect(third?.carrierId).not.toBe(first?.carrierId);
  });

  it('reads UCS-2, message_payload, data_sm, and numbers without their country', async () => {
    const { smsc, gateway, bring } = await connected();
    const ucs2 = Buffer.from('né 😀', 'utf16le').swap16();
    await bring(delivery({ data_coding: 8, short_message: ucs2 }));
    await bring(delivery({ message_payload: Buffer.from('p'.repeat(300)) }));
    await smsc.request('data_sm', delivery({ message_payload: Buffer.from('d') }));
    await bring(text('n', { source_addr_ton: 2, source_addr: '4155550199', dest_addr_ton: 0 }));
    await bring(text('s', { source_addr_ton: 6, source_addr: '72404' }));
    expect(gateway.texts.map(({ body }) => body)).toEqual(['né 😀', 'p'.repeat(300), 'd', 'n', 's']);
    expect(gateway.texts.map(({ from }) => from).slice(3)).toEqual(['+14155550199', '72404']);
  });

  it('refuses for ever what is no text, and what has no addresses', async () => {
    const { gateway, bring } = await connected();
    await expect(bring(text('\u0001', { data_coding: 4 }))).resolves.toBe(neverAgain);
    await expect(bring(text('x', { source_addr: '' }))).resolves.toBe(neverAgain);
    expect(gateway.texts).toEqual([]);
  });

  it('answers enquire_link, and unknown commands with generic_nack', async () => {
    const { smsc } = await connected();
    await expect(smsc.request('enquire_link', {})).resolves.toBe(ok);
    (await smsc.session()).socket.write(Buffer.from('00000010000001ff000000000000002a', 'hex'));
    const nack = await until(() => smsc.received.find(({ command }) => command === 'generic_nack'));
    expect(nack).toMatchObject({ command_status: 0x03, sequence_number: 0x2a });
  });
});

describe('long texts that the SMSC brings in parts', () => {
  it('joins the parts in their order, whatever order they come in, and acknowledges all of them', async () => {
    const { gateway, bring } = await connected();
    const answers = await Promise.all([
      bring(part(7, 3, 2, 'two ')),
      bring(part(7, 3, 3, 'three')),
      bring(part(7, 3, 1, 'one ')),
    ]);
    expect(answers).toEqual([ok, ok, ok]);
    expect(gateway.texts.map(({ body }) => body)).toEqual(['one two three']);
  });

  it('joins parts that are marked by fields instead of a header', async () => {
    const { gateway, bring } = await connected();
    const sar = (sequence: number, body: string) =>
      bring(text(body, { sar_msg_ref_num: 300, sar_total_segments: 2, sar_segment_seqnum: sequence }));
    await expect(Promise.all([sar(1, 'one '), sar(2, 'two')])).resolves.toEqual([ok, ok]);
    expect(gateway.texts.map(({ body }) => body)).toEqual(['one two']);
  });

  it('joins octets before it reads them: a character may be cut in two', async () => {
    const { gateway, bring } = await connected();
    const octets = Buffer.from('a😀', 'utf16le').swap16();
    const piece = (sequence: number, data: Buffer) =>
      bring(
        delivery({
          data_coding: 8,
          esm_class: 0x40,
          short_message: Buffer.concat([Buffer.from([5, 0, 3, 9, 2, sequence]), data]),
        }),
      );
    await Promise.all([piece(1, octets.subarray(0, 4)), piece(2, octets.subarray(4))]);
    expect(gateway.texts.map(({ body }) => body)).toEqual(['a😀']);
  });

  it('serves an SMSC that sends one part at a time: each is sent back until the whole text is stored', async () => {
    const { gateway, bring } = await connected({ responseTimeoutMs });
    await expect(bring(part(7, 2, 1, 'one '))).resolves.toBe(tryAgain);
    await expect(bring(part(7, 2, 2, 'two'))).resolves.toBe(ok);
    await expect(bring(part(7, 2, 1, 'one '))).resolves.toBe(ok);
    expect(gateway.texts.map(({ body }) => body)).toEqual(['one two']);
  });

  it('acknowledges no part while the text cannot be stored, and stores it once under one name', async () => {
    const ids: string[] = [];
    const { gateway, bring } = await connected({
      onText: async ({ carrierId }) => {
        if (ids.push(carrierId) === 1) throw new Error('database down');
      },
    });
    const parts = [part(7, 2, 1, 'one '), part(7, 2, 2, 'two')];
    await expect(Promise.all(parts.map(bring))).resolves.toEqual([tryAgain, tryAgain]);
    await expect(Promise.all(parts.map(bring))).resolves.toEqual([ok, ok]);
    expect(gateway.texts).toHaveLength(1);
    expect(ids[1]).toBe(ids[0]);
  });

  it('takes a reference that comes round again for another text', async () => {
    const { gateway, bring } = await connected();
    await Promise.all([bring(part(7, 2, 1, 'a')), bring(part(7, 2, 2, 'b'))]);
    await Promise.all([bring(part(7, 2, 1, 'c')), bring(part(7, 2, 2, 'd'))]);
    expect(gateway.texts.map(({ body }) => body)).toEqual(['ab', 'cd']);
  });

  it.each([
    ['begin alike', ['Dear customer, ', 'one'], ['Dear customer, ', 'two']],
    ['end alike', ['one', ', yours'], ['two', ', yours']],
    ['have the middle in common', ['a', 'Dear', 'b'], ['c', 'Dear', 'd']],
  ])('keeps two texts whole that come under one reference and %s', async (_how, ...texts) => {
    const { gateway, bring } = await connected({ responseTimeoutMs });
    for (const pieces of texts) {
      const parts = pieces.map((piece, index) => part(7, pieces.length, index + 1, piece));
      await expect(Promise.all(parts.map(bring))).resolves.toEqual(pieces.map(() => ok));
    }
    expect(gateway.texts.map(({ body }) => body)).toEqual(texts.map((pieces) => pieces.join('')));
    expect(new Set(gateway.texts.map(({ carrierId }) => carrierId)).size).toBe(2);
  });

  it('does so for an SMSC that sends one part at a time, too', async () => {
    const { gateway, bring } = await connected({ responseTimeoutMs });
    const bringInTurn = async (first: string, second: string) => {
      const parts = [part(7, 2, 1, first), part(7, 2, 2, second)];
      const sentBack: typeof parts = [];
      for (const piece of parts) if ((await bring(piece)) !== ok) sentBack.push(piece);
      for (const piece of sentBack) await expect(bring(piece)).resolves.toBe(ok);
    };
    await bringInTurn('Dear, ', 'one');
    await bringInTurn('Dear, ', 'two');
    await bringInTurn('None ', 'of them');
    expect(gateway.texts.map(({ body }) => body)).toEqual(['Dear, one', 'Dear, two', 'None of them']);
  });

  it('knows a part whose acknowledgement was lost, and spoils no other text with it', async () => {
    const { smsc, gateway, bring } = await connected();
    await Promise.all([bring(part(7, 2, 1, 'a')), bring(part(7, 2, 2, 'b'))]);
    (await smsc.session()).destroy();
    await until(() => smsc.received.filter(({ command }) => command === 'bind_transceiver').length === 2);
    await expect(bring(part(7, 2, 2, 'b'))).resolves.toBe(ok);
    await Promise.all([bring(part(7, 2, 1, 'c')), bring(part(7, 2, 2, 'd'))]);
    expect(gateway.texts.map(({ body }) => body)).toEqual(['ab', 'cd']);
  });

  it('tells texts apart by the SMSC’s own identifiers where there are any, though they read the same', async () => {
    const { gateway, bring } = await connected();
    const pieces = (id: string) =>
      [part(7, 2, 1, 'Dear, '), part(7, 2, 2, 'one')].map((piece) => ({
        ...piece,
        receipted_message_id: id,
      }));
    for (const id of ['mo-17', 'mo-18', 'mo-17', 'mo-18'])
      await expect(Promise.all(pieces(id).map(bring))).resolves.toEqual([ok, ok]);
    const ids = gateway.texts.map(({ carrierId }) => carrierId);
    expect(new Set(ids).size).toBe(2);
    expect(ids[2]).toBe(ids[0]);
  });

  it('stores what there is when the rest does not come in time', async () => {
    const { gateway, bring } = await connected({ reassemblyMs: 2_000 });
    await expect(Promise.all([bring(part(7, 3, 3, 'three')), bring(part(7, 3, 1, 'one '))])).resolves.toEqual(
      [ok, ok],
    );
    expect(gateway.texts.map(({ body }) => body)).toEqual(['one three']);
  });

  it('sends back at once, when it is closed, the parts that wait for others', async () => {
    const { smsc, gateway, bring } = await connected();
    await smsc.session();
    const answered = bring(part(7, 2, 1, 'one '));
    await bring(text('behind it'));
    await gateway.close();
    await expect(answered).resolves.toBe(tryAgain);
    expect(smsc.received.at(-1)).toMatchObject({ command: 'unbind' });
  });
});

describe('receipts that the SMSC brings', () => {
  const receipt = (body: string) => text(body, { esm_class: 4 });

  it('hands over final ones, and acknowledges those that tell no end', async () => {
    const { gateway, bring } = await connected();
    await expect(bring(receipt('id:0AF1 stat:DELIVRD err:000'))).resolves.toBe(ok);
    await expect(bring(receipt('id:0AF1 stat:ENROUTE err:000'))).resolves.toBe(ok);
    expect(gateway.receipts).toMatchObject([{ carrierId: 'af1', state: 'delivered' }]);
    expect(gateway.texts).toEqual([]);
  });

  it('sends a receipt back when the listener fails', async () => {
    let down = true;
    const { bring } = await connected({
      listener: {
        onText: () => Promise.resolve(),
        onReceipt: () => (down ? Promise.reject(new Error('database down')) : Promise.resolve()),
      },
    });
    await expect(bring(receipt('id:1 stat:DELIVRD'))).resolves.toBe(tryAgain);
    down = false;
    await expect(bring(receipt('id:1 stat:DELIVRD'))).resolves.toBe(ok);
  });
});
