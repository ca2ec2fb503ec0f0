/** Between the service and the handsets: what the carrier takes on, when it arrives, and what it brings back. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createOutbox } from './carrier-outbox.ts';
import type { CarrierStore, IncomingRow, OutgoingRow } from './carrier-store.ts';
import { answerMs, type Behaviour, behaviourOf, refusalsFirst, travelMs } from './handset-behaviour.ts';

interface TextToCarry {
  /** The carrier's id for it; made here where there is none. */
  readonly sid?: string;
  readonly via: 'http' | 'smpp';
  readonly key: string | null;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
  readonly statusCallback: string | null;
  readonly wantsReceipt: boolean;
}

interface TextToBring {
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
}

/** What the service said to something the carrier brought. */
export interface ServiceAnswer {
  readonly taken: boolean;
  /** It never will: the number is not one of its own. */
  readonly bounced: boolean;
  readonly words: string;
}

export type Verdict = 'taken' | 'refused' | 'throttled';

export interface CarrierNetwork {
  behaviourOf(number: string): Behaviour;
  /** Whether the carrier takes a text for this handset now. Takes its time for slow ones. */
  judge(text: { readonly from: string; readonly to: string; readonly body: string }): Promise<Verdict>;
  /** Takes a text on. The same key again is the same text. */
  carry(text: TextToCarry): OutgoingRow;
  /** A handset sends a text; resolves after the first try to bring it to the service. */
  send(text: TextToBring): Promise<IncomingRow>;
  /** Goes on with what was under way when the carrier last stopped. */
  resume(): void;
  stop(): void;
}

export interface NetworkOptions {
  readonly store: CarrierStore;
  readonly routeTestNumber: string;
  readonly bringText: (text: IncomingRow) => Promise<ServiceAnswer>;
  readonly bringReceipt: (text: OutgoingRow) => Promise<boolean>;
}

/** Texts, and receipts, on their way to the service at a time. */
const concurrency = 50;

export function createNetwork({
  store,
  routeTestNumber,
  bringText,
  bringReceipt,
}: NetworkOptions): CarrierNetwork {
  const sidByKey = new Map<string, string>();
  for (const { key, sid } of store.outgoing.all()) if (key !== null) sidByKey.set(key, sid);
  const refusals = new Map<string, number>();
  const travelling = new Set<NodeJS.Timeout>();

  const receipts = createOutbox({
    concurrency,
    attempt: async (sid) => {
      const text = store.outgoing.get(sid);
      if (!text || !(await bringReceipt(text))) return text === undefined;
      store.outgoing.put({ ...text, receipt: 'taken' });
      return true;
    },
  });
  const texts = createOutbox({
    concurrency,
    attempt: async (sid) => {
      const text = store.incoming.get(sid);
      if (!text) return true;
      const { taken, bounced, words } = await bringText(text);
      const state = taken ? 'taken' : bounced ? 'bounced' : 'waiting';
      store.incoming.put({ ...text, state, attempts: text.attempts + 1, answer: words });
      return state !== 'waiting';
    },
  });

  const network: CarrierNetwork = {
    behaviourOf: (number) => behaviourOf(number, store.behaviours.get(number)?.behaviour),
    judge: async ({ from, to, body }) => {
      const behaviour = network.behaviourOf(to);
      await pause(answerMs(behaviour));
      if (behaviour === 'refused') return 'refused';
      const text = JSON.stringify([from, to, body]);
      const refused = refusals.get(text) ?? 0;
      if (refused >= refusalsFirst(behaviour)) return 'taken';
      refusals.set(text, refused + 1);
      return 'throttled';
    },
    carry: (text) => {
      const known = text.key === null ? undefined : store.outgoing.get(sidByKey.get(text.key) ?? '');
      if (known) return known;
      const row: OutgoingRow = {
        ...text,
        sid: text.sid ?? newSid(text.mediaUrls.length > 0 ? 'MM' : 'SM'),
        acceptedAt: new Date().toISOString(),
        state: 'queued',
        arrivedAt: null,
        receipt: 'none',
      };
      store.outgoing.put(row);
      if (row.key !== null) sidByKey.set(row.key, row.sid);
      travel(row);
      return row;
    },
    send: async (text) => {
      const row: IncomingRow = {
        ...text,
        sid: newSid(text.mediaUrls.length > 0 ? 'MM' : 'SM'),
        sentAt: new Date().toISOString(),
        state: 'waiting',
        attempts: 0,
        answer: null,
      };
      store.incoming.put(row);
      await texts.push(row.sid);
      return store.incoming.get(row.sid) ?? row;
    },
    resume: () => {
      for (const row of store.outgoing.all()) {
        if (row.state === 'queued') travel(row);
        if (row.receipt === 'due') void receipts.push(row.sid);
      }
      for (const { sid, state } of store.incoming.all()) if (state === 'waiting') void texts.push(sid);
    },
    stop: () => {
      receipts.stop();
      texts.stop();
      for (const timer of travelling) clearTimeout(timer);
    },
  };

  const travel = (row: OutgoingRow): void => {
    const timer = setTimeout(
      () => {
        travelling.delete(timer);
        arrive(row);
      },
      travelMs(network.behaviourOf(row.to)),
    );
    travelling.add(timer);
  };

  const arrive = (row: OutgoingRow): void => {
    const behaviour = network.behaviourOf(row.to);
    const arrived = behaviour !== 'undelivered';
    const receiptDue = row.wantsReceipt && behaviour !== 'no-receipt';
    if (arrived && row.to === routeTestNumber && row.body.startsWith('route-test '))
      void network.send({ from: row.to, to: row.from, body: row.body, mediaUrls: [] });
    store.outgoing.put({
      ...row,
      state: arrived ? 'delivered' : 'undelivered',
      arrivedAt: arrived ? new Date().toISOString() : null,
      receipt: receiptDue ? 'due' : 'none',
    });
    if (receiptDue) void receipts.push(row.sid);
  };

  return network;
}

const newSid = (prefix: 'SM' | 'MM'): string => prefix + randomBytes(16).toString('hex');
