/** Kinds and groups of columns that several tables share. */
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

export const instant = () => timestamp({ withTimezone: true, mode: 'date' });

/** Creation and last change. Set by the writer, so that a retried write repeats the same instant. */
export const dates = () => ({ dateCreated: instant().notNull(), dateUpdated: instant().notNull() });

/** Order of insertion: what lists are sorted by and what page tokens point at. */
export const position = () => bigint({ mode: 'number' }).generatedAlwaysAsIdentity();

/** Bytes of a file, which drizzle has no column for. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
