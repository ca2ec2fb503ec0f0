/** Column groups that several tables share. */
import { bigint, timestamp } from 'drizzle-orm/pg-core';

/** Creation and last change. Set by the writer, so that a retried write repeats the same instant. */
export const dates = () => ({
  dateCreated: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
  dateUpdated: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
});

export const instant = () => timestamp({ withTimezone: true, mode: 'date' });

/** Order of insertion: what lists are sorted by and what page tokens point at. */
export const position = () => bigint({ mode: 'number' }).generatedAlwaysAsIdentity();
