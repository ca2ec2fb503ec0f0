import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { EventType } from '../../domain/events.ts';
import { dates, instant, position } from './columns.ts';

/** A secret that was rotated away: sealed, and until when receivers may still know it alone. ISO 8601. */
export interface PreviousSecret {
  readonly sealed: string;
  readonly until: string;
}

/** A customer's endpoint and the events it wants (WH sid). */
export const subscriptions = pgTable(
  'subscriptions',
  {
    sid: text().primaryKey(),
    position: position(),
    accountSid: text().notNull(),
    url: text().notNull(),
    method: text({ enum: ['POST', 'PUT', 'GET'] })
      .notNull()
      .default('POST'),
    events: jsonb().$type<readonly EventType[]>().notNull(),
    /** Only events of this line; null for every line of the account. */
    phoneNumber: text(),
    enabled: boolean().notNull().default(true),
    disabledReason: text(),
    /** Delivery whose attempt switched the endpoint off; null when its owner did. */
    disabledBy: text(),
    friendlyName: text(),
    /** Standard Webhooks secret `whsec_…`, sealed. */
    secretSealed: text().notNull(),
    /** The secrets before, newest first: each is signed with as well until its time is over. */
    previousSecrets: jsonb().$type<readonly PreviousSecret[]>().notNull().default([]),
    headers: jsonb().$type<Readonly<Record<string, string>>>().notNull().default({}),
    /** Requests a second at most from each process that delivers; null for no limit. Overflow waits its turn. */
    maxPerSecond: integer(),
    /** First failure of the present run of failures, which a success ends, and a long time without any; null without one. */
    failingSince: instant(),
    /** Last failure of that run, to the hour. */
    lastFailureAt: instant(),
    dateDeleted: instant(),
    ...dates(),
  },
  (table) => [index('subscriptions_by_account').on(table.accountSid, table.position)],
);
