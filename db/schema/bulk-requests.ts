import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bulkKinds, type BulkOutcome, bulkStatuses } from '../../domain/bulk-request.ts';
import type { OrderRequest } from '../../domain/ports.ts';
import { dates, instant, position } from './columns.ts';

/** What every order of a bulk request has in common with a single one; the rest follows from item and request. */
export type BulkOrderDetails = Omit<
  OrderRequest,
  'sid' | 'accountSid' | 'incomingPhoneNumberSid' | 'phoneNumber'
> & {
  readonly contactTitle: string | null;
  readonly contactPhoneNumber: string | null;
};

/** A request about many numbers (BH or EC sid); its workflow has the same id. */
export const bulkRequests = pgTable(
  'bulk_requests',
  {
    sid: text().primaryKey(),
    position: position(),
    accountSid: text().notNull(),
    kind: text({ enum: bulkKinds }).notNull(),
    status: text({ enum: bulkStatuses }).notNull(),
    friendlyName: text(),
    notificationEmail: text(),
    totalCount: integer().notNull(),
    dateCompleted: instant(),
    ...dates(),
  },
  (table) => [index('bulk_requests_by_account').on(table.accountSid, table.position)],
);

/** One number of a bulk request. */
export const bulkItems = pgTable(
  'bulk_items',
  {
    requestSid: text().notNull(),
    /** Place in the request, from 1. */
    number: integer().notNull(),
    /** Account the number is to be hosted under. */
    accountSid: text().notNull(),
    /** As it was sent. */
    phoneNumber: text().notNull(),
    /** The order to place; null for a check, and where the order was refused at once. */
    details: jsonb().$type<BulkOrderDetails>(),
    /** Sid the order has or will have; null for a check. */
    orderSid: text(),
    /** Null until the number's turn has come. */
    outcome: jsonb().$type<BulkOutcome>(),
  },
  (table) => [
    primaryKey({ columns: [table.requestSid, table.number] }),
    /** What is left to do. */
    index('bulk_items_waiting').on(table.requestSid, table.number).where(sql`${table.outcome} is null`),
  ],
);
