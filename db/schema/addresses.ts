import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core';
import { dates, position } from './columns.ts';

/** A postal address: where a number's service is, and who owns it. Source: domain.md §2.3. */
export const addresses = pgTable(
  'addresses',
  {
    sid: text().primaryKey(),
    position: position(),
    accountSid: text().notNull(),
    customerName: text().notNull(),
    friendlyName: text().notNull().default(''),
    street: text().notNull(),
    streetSecondary: text(),
    city: text().notNull(),
    region: text().notNull(),
    postalCode: text().notNull(),
    isoCountry: text().notNull(),
    emergencyEnabled: boolean().notNull().default(false),
    ...dates(),
  },
  (table) => [index('addresses_by_account').on(table.accountSid, table.position)],
);
