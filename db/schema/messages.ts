import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { messageDirections, messageStatuses } from '../../domain/message.ts';
import { bytea, dates, instant, position } from './columns.ts';

/** A text message that came in or goes out on a hosted number. */
export const messages = pgTable(
  'messages',
  {
    sid: text().primaryKey(),
    /** The number the webhooks call `id`: at most 2^53 − 1, so that every JSON reader keeps it whole. */
    id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity({ startWith: 1_000_000_000_000 }),
    accountSid: text().notNull(),
    direction: text({ enum: messageDirections }).notNull(),
    /** The hosted number. */
    line: text().notNull(),
    /** The other party. */
    contact: text().notNull(),
    body: text().notNull(),
    numSegments: integer().notNull(),
    /** Twilio's word for where the message stands. */
    status: text({ enum: messageStatuses }).notNull(),
    /** Code of service.md §3.4; null before the first one. */
    statusCode: integer(),
    errorCode: integer(),
    /** The carrier's own identifier; inbound messages are de-duplicated on it. */
    carrierId: text(),
    statusCallback: text(),
    inReplyTo: text(),
    sendAt: instant(),
    validityPeriod: integer(),
    revision: integer().notNull().default(0),
    dateSent: instant(),
    dateDelivered: instant(),
    dateRead: instant(),
    /** Removed by the customer: kept, without text and media, so that a late receipt or repeated text finds it. */
    dateDeleted: instant(),
    ...dates(),
  },
  (table) => [
    uniqueIndex('messages_by_id').on(table.id),
    /** Of texts that come in only: an SMSC may give the ids of those it takes again, as its counter comes round. */
    uniqueIndex('inbound_message_once')
      .on(table.line, table.carrierId)
      .where(sql`${table.direction} = 'inbound'`),
    index('messages_by_account').on(table.accountSid, table.id),
    index('messages_by_line').on(table.line, table.id),
    /** A receipt names a message by the carrier's identifier only. */
    index('messages_by_carrier_id').on(table.carrierId),
  ],
);

/** Media and the text of bodies over the limit. The sid is `ME…`; `storageKey` of the Zipwhip calls. */
export const media = pgTable(
  'media',
  {
    sid: text().primaryKey(),
    position: position(),
    accountSid: text().notNull(),
    messageSid: text().notNull(),
    fileName: text().notNull(),
    contentType: text().notNull(),
    bytes: bytea().notNull(),
    /** Where the sender keeps it; `bytes` is empty then. Null for what is kept here. */
    url: text(),
    /** True for the .txt that stands in for a body over the limit. */
    isBody: boolean().notNull().default(false),
    ...dates(),
  },
  (table) => [index('media_by_message').on(table.messageSid)],
);

/** Contacts that do not want messages from a line. One row per pair; `optedOut` tells where it stands. */
export const optOuts = pgTable(
  'opt_outs',
  {
    line: text().notNull(),
    contact: text().notNull(),
    optedOut: boolean().notNull(),
    messageSid: text().notNull(),
    changedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.line, table.contact] })],
);
