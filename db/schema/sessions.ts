import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/**
 * A session that is open: of a line that logged in by the Zipwhip calls, or of somebody in the console, whose `line` is
 * `console` and whose `account_sid` is `admin` for an administrator. The key is stored as a hash.
 */
export const sessions = pgTable(
  'sessions',
  {
    keyHash: text().primaryKey(),
    accountSid: text().notNull(),
    line: text().notNull(),
    details: jsonb().$type<Readonly<Record<string, string>>>().notNull().default({}),
    dateCreated: instant().notNull(),
    /** From then on it is as good as unknown, and its row may go. */
    expiresAt: instant().notNull(),
  },
  (table) => [index('sessions_by_end').on(table.expiresAt)],
);
