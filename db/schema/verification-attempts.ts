import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { attemptOutcomes } from '../../domain/verification.ts';
import { instant } from './columns.ts';

/** One verification call of an order, with its code. The code lives here only: never in a workflow's history. */
export const verificationAttempts = pgTable(
  'verification_attempts',
  {
    orderSid: text().notNull(),
    /** Counts every call of the order, also across an administrator's reset. From 1. */
    callNumber: integer().notNull(),
    /** Six digits; null once it was used, or a newer call made it void. */
    code: text(),
    callSid: text(),
    outcome: text({ enum: attemptOutcomes }),
    startedAt: instant().notNull(),
    /** When the provider first asked what to say: somebody took the call. */
    answeredAt: instant(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.orderSid, table.callNumber] }),
    /** A call is fetched by the provider's name for it. */
    index('attempts_by_call').on(table.callSid),
    /** The few that are on: every list of orders looks for theirs, and would look at all calls there ever were. */
    index('attempts_open').on(table.orderSid).where(sql`${table.outcome} is null`),
  ],
);
