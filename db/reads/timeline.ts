/** The story of an order or a document. */
import { asc, eq } from 'drizzle-orm';
import type { Queryable } from '../client.ts';
import { timelineEntries } from '../schema/timeline-entries.ts';

export type TimelineRow = typeof timelineEntries.$inferSelect;

/** Oldest first. A life has tens of entries, not thousands. */
export function readTimeline(db: Queryable, resourceSid: string): Promise<TimelineRow[]> {
  return db
    .select()
    .from(timelineEntries)
    .where(eq(timelineEntries.resourceSid, resourceSid))
    .orderBy(asc(timelineEntries.sequence));
}
