import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { documentStatuses } from '../../domain/authorization-document.ts';
import { bytea, dates, instant, position } from './columns.ts';

/** Read model of an authorization document (LOA). Its workflow (id = sid) owns the state. */
export const authorizationDocuments = pgTable(
  'authorization_documents',
  {
    sid: text().primaryKey(),
    position: position(),
    accountSid: text().notNull(),
    addressSid: text(),
    status: text({ enum: documentStatuses }).notNull(),
    email: text().notNull(),
    ccEmails: jsonb().$type<readonly string[]>().notNull().default([]),
    contactTitle: text(),
    contactPhoneNumber: text(),
    failureReason: text(),
    /** Which mailing of the letter is the live one; a link of an earlier mailing is void. From 1. */
    mailing: integer().notNull().default(1),
    expiresAt: instant(),
    signedAt: instant(),
    signerName: text(),
    revision: integer().notNull(),
    ...dates(),
  },
  (table) => [index('documents_by_account').on(table.accountSid, table.position)],
);

/** Orders of a document. An order that left stays here, inactive, for the record. */
export const documentOrders = pgTable(
  'document_orders',
  {
    documentSid: text().notNull(),
    orderSid: text().notNull(),
    active: boolean().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.documentSid, table.orderSid] }),
    index('document_orders_by_order').on(table.orderSid),
  ],
);

/** The letter as mailed and as signed, byte for byte. */
export const documentFiles = pgTable(
  'document_files',
  {
    documentSid: text().notNull(),
    kind: text({ enum: ['letter', 'signed'] }).notNull(),
    mailing: integer().notNull(),
    bytes: bytea().notNull(),
    byteLength: integer().notNull(),
    /** Lower-case hexadecimal SHA-256 of `bytes`. */
    sha256: text().notNull(),
    dateCreated: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.documentSid, table.kind, table.mailing] }),
    /** The page that tells whether a file is one of ours. */
    index('document_files_by_hash').on(table.sha256),
  ],
);

/** Phone bills and other proofs a customer hands in (RI sids). */
export const verificationDocuments = pgTable('verification_documents', {
  sid: text().primaryKey(),
  accountSid: text().notNull(),
  fileName: text().notNull(),
  mimeType: text().notNull(),
  bytes: bytea().notNull(),
  sha256: text().notNull(),
  dateCreated: instant().notNull(),
});
