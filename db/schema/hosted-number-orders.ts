import { type Column, sql, type SQL } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { orderStatuses, verificationTypes } from '../../domain/hosted-number-order.ts';
import { dates, instant, position } from './columns.ts';

/**
 * Condition for orders that wait for an administrator: in action-required, or with a phone bill to review in a status in
 * which a review is possible. Its words are in the index that serves it, so they are no parameters: PostgreSQL would not
 * see in a statement it has prepared that the index holds what is asked for.
 */
export function awaitsAdministrator(order: {
  readonly status: Column;
  readonly billUnderReview: Column;
  readonly canceledAt: Column;
}): SQL {
  return sql`(${order.status} = 'action-required'
    or (${order.billUnderReview} and ${order.status} in ('pending-verification', 'pending-loa')))
    and ${order.canceledAt} is null`;
}

/** Read model of an order. Its workflow (id = sid) owns the state; activities copy it here, revision by revision. */
export const hostedNumberOrders = pgTable(
  'hosted_number_orders',
  {
    sid: text().primaryKey(),
    position: position(),
    accountSid: text().notNull(),
    incomingPhoneNumberSid: text().notNull(),
    addressSid: text(),
    signingDocumentSid: text(),
    phoneNumber: text().notNull(),
    friendlyName: text(),
    uniqueName: text(),
    status: text({ enum: orderStatuses }).notNull(),
    failureReason: text(),
    verificationAttempts: integer().notNull().default(0),
    email: text(),
    ccEmails: jsonb().$type<readonly string[]>().notNull().default([]),
    verificationType: text({ enum: verificationTypes }).notNull(),
    verificationDocumentSid: text(),
    extension: text(),
    /** Seconds between the request and the call. 0 to 60. */
    callDelay: integer().notNull().default(0),
    verificationCallSids: jsonb().$type<readonly string[]>().notNull().default([]),
    ownershipVerified: boolean().notNull().default(false),
    documentSigned: boolean().notNull().default(false),
    /** A phone bill waits for an administrator's review. */
    billUnderReview: boolean().notNull().default(false),
    statusCallbackUrl: text(),
    statusCallbackMethod: text({ enum: ['POST', 'GET'] })
      .notNull()
      .default('POST'),
    /** Grows with every change in the workflow; a late write with a lower one changes nothing. */
    revision: integer().notNull(),
    /** True while this order holds the number: until it failed, was canceled, or the number is retired. */
    holdsNumber: boolean().notNull(),
    canceledAt: instant(),
    ...dates(),
  },
  (table) => [
    /** One live order per number in the whole service. Row 1 of the order table (22110). */
    uniqueIndex('one_live_order_per_number').on(table.phoneNumber).where(sql`${table.holdsNumber}`),
    uniqueIndex('order_unique_name')
      .on(table.accountSid, table.uniqueName)
      .where(sql`${table.canceledAt} is null`),
    /** Lists of every account's orders. */
    index('orders_by_position').on(table.position),
    /** An administrator's work list, which an open page asks for every few seconds. */
    index('orders_waiting').on(table.position).where(awaitsAdministrator(table)),
    index('orders_by_account').on(table.accountSid, table.position),
    index('orders_by_account_status').on(table.accountSid, table.status, table.position),
    index('orders_by_account_number').on(table.accountSid, table.phoneNumber),
  ],
);
