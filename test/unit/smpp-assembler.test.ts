/** Parts of long texts that wait for each other, in time (decision 0019). */
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AssembledText, createAssembler } from '../../gateways/smpp-assembler.ts';
import type { Delivery } from '../../gateways/smpp-delivery.ts';

const deadlineMs = 60_000;
const settleMs = 2_000;
const position = { reference: 7, total: 2, sequence: 1 };
const part: Delivery = {
  kind: 'text',
  from: '+14155550199',
  to: '+14155550100',
  dataCoding: 0,
  octets: Buffer.from('one '),
  part: position,
  receiptedMessageId: null,
  messageState: null,
  networkErrorCode: null,
};

/** A store that fails as long as `down`. */
function assembling() {
  const storage = { down: true, tries: 0, texts: [] as AssembledText[] };
  const store = async (text: AssembledText): Promise<void> => {
    storage.tries += 1;
    if (storage.down) throw new Error('database down');
    storage.texts.push(text);
  };
  return { storage, assembler: createAssembler({ store, deadlineMs, settleMs }) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a text whose missing parts never come', () => {
  it('is stored once that works again, though the SMSC sends none of its parts again', async () => {
    const { storage, assembler } = assembling();
    const accepted = expect(assembler.accept(part, position)).rejects.toThrow('database down');
    await vi.advanceTimersByTimeAsync(deadlineMs);
    await accepted;
    await vi.advanceTimersByTimeAsync(deadlineMs);
    storage.down = false;
    await vi.advanceTimersByTimeAsync(deadlineMs);
    expect(storage.texts).toMatchObject([{ parts: [part] }]);
    expect(storage.tries).toBe(3);
  });

  it('is tried once in each such time, however often a part comes again meanwhile', async () => {
    const { storage, assembler } = assembling();
    const comesAgain = () => assembler.accept(part, position).catch(() => null);
    void comesAgain();
    await vi.advanceTimersByTimeAsync(deadlineMs);
    for (let times = 0; times < 5; times++) await comesAgain();
    expect(vi.getTimerCount()).toBe(1);
    expect(storage.tries).toBe(6);
    await vi.advanceTimersByTimeAsync(deadlineMs);
    expect(storage.tries).toBe(7);
  });

  it('is not tried again after the end of the gateway', async () => {
    const { storage, assembler } = assembling();
    assembler.accept(part, position).catch(() => null);
    vi.advanceTimersByTime(deadlineMs);
    assembler.close();
    await vi.advanceTimersByTimeAsync(deadlineMs);
    expect(vi.getTimerCount()).toBe(0);
    expect(storage.tries).toBe(1);
  });
});

describe('a part like one that was stored under the same reference', () => {
  const [hello, bye, other] = [part, numbered(2, 'bye'), numbered(2, 'other')];

  /** With the text `hello bye` stored. */
  async function afterOne() {
    const { storage, assembler } = assembling();
    storage.down = false;
    const bring = (delivery: Delivery) => assembler.accept(delivery, delivery.part ?? position);
    await Promise.all([bring(hello), bring(bye)]);
    const bodies = () =>
      storage.texts.map(({ parts }) => parts.map(({ octets }) => octets.toString()).join(''));
    expect(bodies()).toEqual(['one bye']);
    return { bring, bodies };
  }

  it.each([
    ['one of them', [bye, bye]],
    ['each of them', [bye, hello]],
  ])('is acknowledged at once, and forgotten when nothing else comes in time: %s', async (_which, again) => {
    const { bring, bodies } = await afterOne();
    for (const delivery of again) await bring(delivery);
    await vi.advanceTimersByTimeAsync(deadlineMs);
    expect(bodies()).toEqual(['one bye']);
    const alone = bring(numbered(1, 'alone'));
    await vi.advanceTimersByTimeAsync(deadlineMs);
    await alone;
    expect(bodies()).toEqual(['one bye', 'alone']);
  });

  it('belongs to the next text though all of them were brought again before it', async () => {
    const { bring, bodies } = await afterOne();
    for (const delivery of [bye, hello]) await bring(delivery);
    const stored = Promise.all([bring(hello), bring(other)]);
    await vi.advanceTimersByTimeAsync(settleMs);
    await stored;
    expect(bodies()).toEqual(['one bye', 'one other']);
  });

  it('belongs to the text whose other parts come later, even when that takes long', async () => {
    const { bring, bodies } = await afterOne();
    await bring(hello);
    await vi.advanceTimersByTimeAsync(deadlineMs - 1);
    const stored = bring(other);
    await vi.advanceTimersByTimeAsync(settleMs);
    await stored;
    expect(bodies()).toEqual(['one bye', 'one other']);
  });

  it('belongs to that text also when the others came in no order, once nothing can come any more', async () => {
    const { bring, bodies } = await afterOne();
    await bring(bye);
    const stored = bring(numbered(1, 'new '));
    await vi.advanceTimersByTimeAsync(deadlineMs);
    await stored;
    expect(bodies()).toEqual(['one bye', 'new bye']);
  });

  it('leaves the next text whole, whichever come again and whichever parts the two have in common', async () => {
    const numbers = [1, 2, 3, 4];
    const inAnyOrder = fc.shuffledSubarray(numbers, { minLength: numbers.length });
    const next = fc.asyncProperty(
      fc.shuffledSubarray(numbers),
      fc.subarray(numbers, { maxLength: numbers.length - 1 }),
      inAnyOrder,
      async (again, common, order) => {
        const { storage, assembler } = assembling();
        storage.down = false;
        const bring = (text: string, sequence: number) => {
          const delivery = numbered(sequence, `${text}${sequence}`);
          return assembler.accept(delivery, { ...position, total: numbers.length, sequence });
        };
        await Promise.all(numbers.map((sequence) => bring('a', sequence)));
        for (const sequence of again) await bring('a', sequence);
        const textOf = (sequence: number) => (common.includes(sequence) ? 'a' : 'b');
        const stored = Promise.all(order.map((sequence) => bring(textOf(sequence), sequence)));
        await vi.advanceTimersByTimeAsync(deadlineMs);
        await stored;
        const [, second] = storage.texts;
        expect(storage.texts).toHaveLength(2);
        expect(second?.parts.map(({ octets }) => octets.toString())).toEqual(
          numbers.map((sequence) => `${textOf(sequence)}${sequence}`),
        );
      },
    );
    await fc.assert(next);
  });

  it.each([
    ['before the others', [2], [1, 2]],
    ['between them', [], [1, -2, 2]],
    ['between them, the last one first', [], [2, -1, 1]],
    ['when its place is taken', [], [1, -1, 2]],
  ])('gives way to one that differs: a repetition that comes %s', async (_when, before, text) => {
    const { bring, bodies } = await afterOne();
    for (const sequence of before) await bring(sequence === 1 ? hello : bye);
    const fresh = (sequence: number) => numbered(sequence, `new${sequence} `);
    const again = (sequence: number) => (sequence === 1 ? hello : bye);
    // Each is brought while those before it wait.
    await Promise.all(text.map((sequence) => bring(sequence > 0 ? fresh(sequence) : again(-sequence))));
    await vi.advanceTimersByTimeAsync(2 * deadlineMs);
    expect(bodies()).toEqual(['one bye', 'new1 new2 ']);
  });
});

function numbered(sequence: number, text: string): Delivery {
  return { ...part, octets: Buffer.from(text), part: { ...position, sequence } };
}
