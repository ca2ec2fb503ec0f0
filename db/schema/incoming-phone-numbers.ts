import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { numberStates } from '../../domain/hosted-number-order.ts';
import { dates, instant, position } from './columns.ts';

/** A hosted number. Made with its order; its settings may be changed by the customer at any time before retirement. */
export const incomingPhoneNumbers = pgTable(
  'incoming_phone_numbers',
  {
    sid: text().primaryKey(),
    position: position(),
    accountSid: text().notNull(),
    orderSid: text().notNull(),
    phoneNumber: text().notNull(),
    friendlyName: text().notNull(),
    state: text({ enum: numberStates }).notNull(),
    smsUrl: text(),
    smsMethod: text().notNull().default('POST'),
    smsFallbackUrl: text(),
    smsFallbackMethod: text().notNull().default('POST'),
    smsApplicationSid: text(),
    statusCallback: text(),
    statusCallbackMethod: text().notNull().default('POST'),
    addressSid: text(),
    /** Voice and emergency fields, stored and returned as given: voice stays with the old carrier. */
    otherSettings: jsonb().$type<Readonly<Record<string, string>>>().notNull().default({}),
    /** When the customer released it; retirement ends 3 days later. */
    releasedAt: instant(),
    ...dates(),
  },
  (table) => [
    /** The list of every account's numbers. */
    index('numbers_by_position').on(table.position),
    index('numbers_by_account').on(table.accountSid, table.position),
    /** Every inbound and outbound message looks its line up here. */
    index('numbers_by_number').on(table.phoneNumber),
    index('numbers_by_order').on(table.orderSid),
  ],
);
