import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { actors } from '../../domain/timeline.ts';
import { instant } from './columns.ts';

/** What happened to an order or document: when, who, what, why. Written with the revision it belongs to. */
export const timelineEntries = pgTable(
  'timeline_entries',
  {
    resourceSid: text().notNull(),
    sequence: integer().notNull(),
    at: instant().notNull(),
    actor: text({ enum: actors }).notNull(),
    what: text().notNull(),
    why: text(),
    /** Status of the order after the entry. */
    status: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.resourceSid, table.sequence] })],
);
