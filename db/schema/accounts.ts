import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { accountStatuses } from '../../domain/account.ts';
import { dates, position } from './columns.ts';

/** A customer. Sub-accounts name their owner. */
export const accounts = pgTable(
  'accounts',
  {
    sid: text().primaryKey(),
    position: position(),
    /** Account that owns this one; its own sid for a main account, as Twilio reports it. */
    ownerAccountSid: text().notNull(),
    friendlyName: text().notNull(),
    status: text({ enum: accountStatuses }).notNull().default('active'),
    /** Auth tokens, sealed with the service's key: callbacks are signed with them, so a hash would not do. */
    authTokenSealed: text().notNull(),
    secondaryAuthTokenSealed: text(),
    /** Where the account is told of a disabled endpoint. */
    email: text(),
    ...dates(),
  },
  (table) => [
    /** An account's sub-accounts: listed, and looked up for whoever asks for something of theirs. */
    index('accounts_by_owner').on(table.ownerAccountSid, table.position),
    /** The list of all accounts. */
    index('accounts_by_position').on(table.position),
  ],
);
