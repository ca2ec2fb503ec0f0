/** The timeline of an order or a document. */
import type { TimelineEntry } from '../../domain/ports.ts';
import type { Queryable } from '../client.ts';
import { timelineEntries } from '../schema/timeline-entries.ts';

/** Rows of entries as they are inserted. */
export function timelineRows(
  resourceSid: string,
  entries: readonly TimelineEntry[],
): (typeof timelineEntries.$inferInsert)[] {
  return entries.map((entry) => ({ ...entry, resourceSid, at: new Date(entry.at) }));
}

/** Adds entries; one that is there already, by its sequence, stays as it is. */
export async function appendTimeline(
  db: Queryable,
  resourceSid: string,
  entries: readonly TimelineEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await db.insert(timelineEntries).values(timelineRows(resourceSid, entries)).onConflictDoNothing();
}
