/**
 * Puts the parts of long texts together again. No part is acknowledged before its whole text is stored: until then the
 * SMSC keeps it, and a crash here loses nothing. The exception is a part like one that was stored: a repetition most likely.
 */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Delivery } from './smpp-delivery.ts';
import type { PartPosition } from './smpp-text.ts';

/** Parts in their order; some are missing when the deadline came first. */
export interface AssembledText {
  readonly parts: readonly Delivery[];
  /** Names the text for as long as its parts are remembered. */
  readonly nonce: string;
}

export interface AssemblerOptions {
  readonly store: (text: AssembledText) => Promise<void>;
  /**
   * How long the missing parts of a text are waited for; then it is stored without them, or tried again after as long.
   * For as long again it is remembered, so that repeated parts are acknowledged and not stored. Milliseconds.
   */
  readonly deadlineMs: number;
  /** How long a part that may be a repetition can still be replaced when the last part is there. Milliseconds. */
  readonly settleMs: number;
}

export interface Assembler {
  /** Resolves when the text of the part is stored, rejects when storing failed. Can take as long as the deadline. */
  accept(delivery: Delivery, part: PartPosition): Promise<void>;
  /** Rejects what still waits. */
  close(): void;
}

/** An unfinished text, or nothing but repetitions: parts of the text that was stored before it under its reference. */
interface Group {
  readonly key: string;
  readonly nonce: string;
  readonly total: number;
  readonly parts: Map<number, Delivery>;
  /** Numbers of the parts that may be repetitions. They belong to this text unless others come in their places. */
  readonly doubtful: Set<number>;
  readonly waiting: Set<{ resolve: () => void; reject: (err: unknown) => void }>;
  isStoring: boolean;
  overdue: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Unfinished texts that are kept in memory; beyond that the oldest goes, and comes again from the SMSC. */
const groupLimit = 10_000;

export function createAssembler({ store, deadlineMs, settleMs }: AssemblerOptions): Assembler {
  const groups = new Map<string, Group>();
  // The parts of the text that was stored last under each reference.
  const stored = new LRUCache<string, ReadonlyMap<number, Delivery>>({ max: groupLimit, ttl: deadlineMs });

  const forget = (group: Group): void => {
    clearTimeout(group.timer);
    if (groups.get(group.key) === group) groups.delete(group.key);
    for (const { reject } of group.waiting) reject(new Error('the text was given up'));
    group.waiting.clear();
  };

  const endAfter = (group: Group, timeMs: number): void => {
    clearTimeout(group.timer);
    group.timer = setTimeout(() => {
      if (!isText(group)) return forget(group);
      group.overdue = true;
      void storeGroup(group);
    }, timeMs).unref();
  };

  const begin = (key: string, total: number): Group => {
    const replaced = groups.get(key);
    if (replaced) forget(replaced);
    const group: Group = {
      key,
      nonce: randomUUID(),
      total,
      parts: new Map(),
      doubtful: new Set(),
      waiting: new Set(),
      isStoring: false,
      overdue: false,
      timer: undefined,
    };
    groups.set(key, group);
    const [oldest] = groups.values();
    if (groups.size > groupLimit && oldest) forget(oldest);
    return group;
  };

  const storeGroup = async (group: Group): Promise<void> => {
    if (group.isStoring) return;
    group.isStoring = true;
    const parts = [...group.parts].sort(([a], [b]) => a - b).map(([, delivery]) => delivery);
    try {
      await store({ parts, nonce: group.nonce });
      stored.set(group.key, group.parts);
      for (const { resolve } of group.waiting) resolve();
      group.waiting.clear();
      forget(group);
    } catch (err) {
      group.isStoring = false;
      // Its time was over, and no part need come again: the SMSC may have given up on them.
      if (group.overdue && groups.get(group.key) === group) endAfter(group, deadlineMs);
      for (const { reject } of group.waiting) reject(err);
      group.waiting.clear();
    }
  };

  /** Resolves when the text is stored that the group has become. */
  const storedWith = (group: Group, sequence: number): Promise<void> =>
    new Promise((resolve, reject) => {
      group.waiting.add({ resolve, reject });
      const isWhole = group.parts.size === group.total;
      if (group.overdue || (isWhole && group.doubtful.size === 0)) void storeGroup(group);
      // After the last part nothing more comes as a rule. Otherwise those that are in doubt count at the deadline.
      else if (isWhole && sequence === group.total) endAfter(group, settleMs);
    });

  return {
    accept: (delivery, { reference, total, sequence }) => {
      const key = JSON.stringify([delivery.from, delivery.to, reference, total]);
      const known = groups.get(key);
      const held = known?.parts.get(sequence);
      const mayRepeat = isSame(stored.get(key)?.get(sequence), delivery);
      // It bears the stored part's own identifier, or the new text has its part of that number already.
      if (mayRepeat && (delivery.receiptedMessageId !== null || (held && !isSame(held, delivery))))
        return Promise.resolve();

      const group = known && fits(known, sequence, delivery) ? known : begin(key, total);
      if (!isText(group)) endAfter(group, deadlineMs);
      group.parts.set(sequence, delivery);
      if (mayRepeat) group.doubtful.add(sequence);
      else group.doubtful.delete(sequence);
      return isText(group) ? storedWith(group, sequence) : Promise.resolve();
    },
    close: () => {
      for (const group of groups.values()) forget(group);
    },
  };
}

/** At least one part is new for sure. */
const isText = ({ parts, doubtful }: Group): boolean => parts.size > doubtful.size;

/** References come round again soon: another text under the same one shows by a part that differs. */
function fits(group: Group, sequence: number, delivery: Delivery): boolean {
  const held = group.parts.get(sequence);
  if (isSame(held, delivery)) return true;
  return !group.isStoring && (!held || group.doubtful.has(sequence));
}

/** Both have the same content and, where the SMSC gives one, the same identifier. */
function isSame(known: Delivery | undefined, delivery: Delivery): boolean {
  return (
    known !== undefined &&
    known.receiptedMessageId === delivery.receiptedMessageId &&
    known.dataCoding === delivery.dataCoding &&
    known.octets.equals(delivery.octets)
  );
}
