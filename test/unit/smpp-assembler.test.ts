/** Parts of long texts that wait for each other, in time (decision 0019). */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AssembledText, createAssembler } from '../../gateways/smpp-assembler.ts';
import type { Delivery } from '../../gateways/smpp-delivery.ts';

const deadlineMs = 60_000;
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
  return { storage, assembler: createAssembler({ store, deadlineMs }) };
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
