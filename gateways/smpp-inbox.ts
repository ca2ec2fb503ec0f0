/** What the SMSC brings: texts and receipts go to the listener, and are acknowledged once it has them. */
import { createHash, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { CarrierListener } from './carrier.ts';
import { type AssembledText, createAssembler } from './smpp-assembler.ts';
import type { DeliveryAnswer } from './smpp-connection.ts';
import type { Delivery } from './smpp-delivery.ts';
import { commandStatus } from './smpp-protocol.ts';
import { readReceipt } from './smpp-receipt.ts';
import { type DefaultAlphabet, decodeText, joinPieces } from './smpp-text.ts';

export interface InboxOptions {
  readonly listener: CarrierListener;
  readonly defaultAlphabet: DefaultAlphabet;
  /** After that long without success the SMSC is told to come again. Shorter than its own patience. Milliseconds. */
  readonly answerWithinMs: number;
  /** How long the missing parts of a text are waited for. Milliseconds. */
  readonly reassemblyMs: number;
  readonly log: Pick<Logger, 'warn'>;
}

export interface Inbox {
  take(delivery: Delivery): Promise<DeliveryAnswer>;
  /** Sends back to the SMSC the parts that wait for others. */
  close(): void;
}

/** Deliveries in work at a time; an SMSC that sends more without waiting is told to come again. */
const inWorkLimit = 1000;
/** Texts whose acknowledgement did not arrive, remembered by their content. */
const unsettledLimit = 10_000;

export function createInbox(options: InboxOptions): Inbox {
  const { listener, defaultAlphabet, answerWithinMs, log } = options;
  let inWork = 0;
  const unsettled = createUnsettled();

  const storeText = (parts: readonly Delivery[], carrierId: string): Promise<void> => {
    const [first] = parts;
    if (!first) return Promise.resolve();
    const body = decodeParts(parts, defaultAlphabet);
    return listener.onText({ carrierId, from: first.from, to: first.to, body, mediaUrls: [] });
  };
  const assembler = createAssembler({
    deadlineMs: options.reassemblyMs,
    // So that the part that waits for it is still answered in time.
    settleMs: answerWithinMs / 2,
    store: ({ parts, nonce }: AssembledText) => storeText(parts, ownId(parts) ?? nonce),
  });

  const statusOf = async (task: Promise<void>): Promise<number> => {
    try {
      await within(task, answerWithinMs);
      return commandStatus.ok;
    } catch (err) {
      log.warn(
        { reason: err instanceof Error ? err.name : 'unknown' },
        'A delivery of the carrier has to wait',
      );
      return commandStatus.tryAgain;
    }
  };

  const takeText = async (delivery: Delivery): Promise<DeliveryAnswer> => {
    const addressed = delivery.from !== '' && delivery.to !== '';
    if (!addressed || decodeText(delivery, defaultAlphabet) === null) {
      log.warn({ dataCoding: delivery.dataCoding }, 'The carrier brought something that is no text');
      return { status: commandStatus.neverAgain };
    }
    if (delivery.part) return { status: await statusOf(assembler.accept(delivery, delivery.part)) };
    const content = fingerprint([delivery]);
    const carrierId = ownId([delivery]) ?? unsettled.claim(content) ?? randomUUID();
    const status = await statusOf(storeText([delivery], carrierId));
    const sent = (left: boolean): void => {
      if (!left || status !== commandStatus.ok) unsettled.keep(content, carrierId);
    };
    return { status, sent };
  };

  /** The listener looks on for the message of a receipt that is sent back: not every SMSC brings it again. */
  const takeReceipt = async (delivery: Delivery): Promise<DeliveryAnswer> => {
    const receipt = readReceipt(delivery);
    return { status: receipt ? await statusOf(listener.onReceipt(receipt)) : commandStatus.ok };
  };

  return {
    take: async (delivery) => {
      if (inWork >= inWorkLimit) return { status: commandStatus.tryAgain };
      inWork += 1;
      try {
        return await (delivery.kind === 'receipt' ? takeReceipt(delivery) : takeText(delivery));
      } finally {
        inWork -= 1;
      }
    },
    close: () => assembler.close(),
  };
}

/**
 * SMPP gives a text no identifier of its own. Where the SMSC adds one, id and content name the text for ever. Where it
 * does not, a text is new, unless one like it was not acknowledged: then it is taken for the repetition of that one.
 */
function ownId(parts: readonly Delivery[]): string | null {
  return parts.every((part) => part.receiptedMessageId !== null) ? fingerprint(parts) : null;
}

function fingerprint(parts: readonly Delivery[]): string {
  const hash = createHash('sha256');
  for (const { receiptedMessageId, from, to, dataCoding, octets } of parts)
    hash.update(JSON.stringify([receiptedMessageId, from, to, dataCoding, octets.toString('base64')]));
  return hash.digest('hex').slice(0, 32);
}

interface Unsettled {
  keep(content: string, carrierId: string): void;
  claim(content: string): string | undefined;
}

function createUnsettled(): Unsettled {
  const ids = new LRUCache<string, readonly string[]>({ max: unsettledLimit });
  return {
    keep: (content, carrierId) => {
      ids.set(content, [...(ids.get(content) ?? []), carrierId]);
    },
    claim: (content) => {
      const [first, ...rest] = ids.get(content) ?? [];
      if (rest.length > 0) ids.set(content, rest);
      else ids.delete(content);
      return first;
    },
  };
}

/** Octets are joined before they are read: a sender may cut anywhere, in the middle of a character too. */
function decodeParts(parts: readonly Delivery[], defaultAlphabet: DefaultAlphabet): string {
  const [first] = parts;
  const alike = parts.every(({ dataCoding }) => dataCoding === first?.dataCoding);
  const pieces = alike ? [joinPieces(parts)] : parts;
  return pieces.map((piece) => decodeText(piece, defaultAlphabet) ?? '').join('');
}

/** Rejects when `task` takes longer. The task itself goes on. */
async function within(task: Promise<void>, timeMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it took too long')), timeMs);
  });
  try {
    await Promise.race([task, late]);
  } finally {
    clearTimeout(timer);
  }
}
