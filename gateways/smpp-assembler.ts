/**
 * Puts the parts of long texts together again. No part is acknowledged before its whole text is stored: until then the
 * SMSC keeps it, and a crash here loses nothing.
 */
import { randomUUID } from 'node:crypto';
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
}

export interface Assembler {
  /** Resolves when the text of the part is stored, rejects when storing failed. Can take as long as the deadline. */
  accept(delivery: Delivery, part: PartPosition): Promise<void>;
  /** Rejects what still waits. */
  close(): void;
}

interface Group {
  readonly key: string;
  readonly nonce: string;
  readonly total: number;
  readonly parts: Map<number, Delivery>;
  readonly waiting: Set<{ resolve: () => void; reject: (err: unknown) => void }>;
  state: 'collecting' | 'storing' | 'stored';
  overdue: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Unfinished texts that are kept in memory; beyond that the oldest goes, and comes again from the SMSC. */
const groupLimit = 10_000;

export function createAssembler({ store, deadlineMs }: AssemblerOptions): Assembler {
  const groups = new Map<string, Group>();

  const forget = (group: Group): void => {
    clearTimeout(group.timer);
    if (groups.get(group.key) === group) groups.delete(group.key);
    for (const { reject } of group.waiting) reject(new Error('the text was given up'));
    group.waiting.clear();
  };

  const storeInTime = (group: Group): void => {
    clearTimeout(group.timer);
    group.timer = setTimeout(() => {
      group.overdue = true;
      void storeGroup(group);
    }, deadlineMs).unref();
  };

  const begin = (key: string, total: number): Group => {
    const group: Group = {
      key,
      nonce: randomUUID(),
      total,
      parts: new Map(),
      waiting: new Set(),
      state: 'collecting',
      overdue: false,
      timer: undefined,
    };
    storeInTime(group);
    const replaced = groups.get(key);
    if (replaced) forget(replaced);
    groups.set(key, group);
    const [oldest] = groups.values();
    if (groups.size > groupLimit && oldest) forget(oldest);
    return group;
  };

  const storeGroup = async (group: Group): Promise<void> => {
    if (group.state !== 'collecting') return;
    group.state = 'storing';
    const parts = [...group.parts].sort(([a], [b]) => a - b).map(([, delivery]) => delivery);
    try {
      await store({ parts, nonce: group.nonce });
      group.state = 'stored';
      clearTimeout(group.timer);
      group.timer = setTimeout(forget, deadlineMs, group).unref();
      for (const { resolve } of group.waiting) resolve();
    } catch (err) {
      group.state = 'collecting';
      // Its time was over, and no part need come again: the SMSC may have given up on them.
      if (group.overdue && groups.get(group.key) === group) storeInTime(group);
      for (const { reject } of group.waiting) reject(err);
    }
    group.waiting.clear();
  };

  return {
    accept: (delivery, { reference, total, sequence }) => {
      const key = JSON.stringify([delivery.from, delivery.to, reference, total]);
      const known = groups.get(key);
      const group = known && belongs(known, sequence, delivery) ? known : begin(key, total);
      if (group.state === 'stored') return Promise.resolve();
      group.parts.set(sequence, delivery);
      return new Promise((resolve, reject) => {
        group.waiting.add({ resolve, reject });
        if (group.overdue || group.parts.size === group.total) void storeGroup(group);
      });
    },
    close: () => {
      for (const group of groups.values()) forget(group);
    },
  };
}

/** References come round again soon: another text under the same one shows by a part that differs. */
function belongs(group: Group, sequence: number, delivery: Delivery): boolean {
  const held = group.parts.get(sequence);
  return held ? held.octets.equals(delivery.octets) : group.state === 'collecting';
}
