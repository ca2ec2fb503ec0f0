import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { EventType } from '../../domain/events.ts';
import { dates, instant, position } from './columns.ts';

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
    /** The secret before the last rotation, still signed with until `previousSecretUntil`. */
    previousSecretSealed: text(),
    previousSecretUntil: instant(),
    headers: jsonb().$type<Readonly<Record<string, string>>>().notNull().default({}),
    /** Requests a second at most from each process that delivers; null for no limit. Overflow waits its turn. */
    maxPerSecond: integer(),
    /** First failure of the present unbroken run of failures; null after a success. */
    failingSince: instant(),
    dateDeleted: instant(),
    ...dates(),
  },
  (table) => [index('subscriptions_by_account').on(table.accountSid, table.position)],
);
