/** Handsets as the pages show them: every number that texts came to or from, with its conversation. */
import type { CarrierStore } from './carrier-store.ts';

export interface HandsetSummary {
  readonly number: string;
  readonly lastText: string;
  /** ISO 8601. */
  readonly lastAt: string;
}

export interface ConversationText {
  readonly sid: string;
  readonly direction: 'received' | 'sent';
  /** The other end: a hosted number. */
  readonly other: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
  /** ISO 8601. */
  readonly at: string;
  /** For sent texts that the service has not taken: what it said. */
  readonly trouble: string | null;
}

/** Texts of a conversation that are shown. */
const shownTexts = 50;

/** Latest first. */
export function listHandsets(store: CarrierStore): HandsetSummary[] {
  const latest = new Map<string, HandsetSummary>();
  const note = (number: string, lastText: string, lastAt: string): void => {
    const known = latest.get(number);
    if (!known || known.lastAt <= lastAt) latest.set(number, { number, lastText, lastAt });
  };
  for (const { sid } of store.behaviours.all()) note(sid, '', '');
  for (const { from, body, sentAt } of store.incoming.all()) note(from, body, sentAt);
  for (const { to, body, arrivedAt } of store.outgoing.all()) if (arrivedAt) note(to, body, arrivedAt);
  return [...latest.values()].sort((a, b) => b.lastAt.localeCompare(a.lastAt));
}

/** Oldest first. */
export function conversationOf(store: CarrierStore, number: string): ConversationText[] {
  const received = store.outgoing.all().flatMap(({ sid, from, to, body, mediaUrls, arrivedAt }) => {
    if (to !== number || arrivedAt === null) return [];
    return [
      { sid, direction: 'received' as const, other: from, body, mediaUrls, at: arrivedAt, trouble: null },
    ];
  });
  const sent = store.incoming.all().flatMap(({ sid, from, to, body, mediaUrls, sentAt, state, answer }) => {
    if (from !== number) return [];
    const trouble = state === 'taken' ? null : (answer ?? 'under way');
    return [{ sid, direction: 'sent' as const, other: to, body, mediaUrls, at: sentAt, trouble }];
  });
  return [...received, ...sent].sort((a, b) => a.at.localeCompare(b.at)).slice(-shownTexts);
}
