import { boolean, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** Keys of POST requests, for a day each. What a request made is found by its sid, which is derived from these. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** The account whose key it is; `admin` or `carrier` for the service's own tokens. */
    accountSid: text().notNull(),
    /** Path of the request and its Idempotency-Key. */
    key: text().notNull(),
    /** SHA-256 of the parameters: the same key with another request is refused. */
    requestHash: text().notNull(),
    /** Part of the sids that are derived from the key; new when the key is used anew. Empty in rows older than seeds. */
    seed: text().notNull().default(''),
    /** Set together with the change that the request asks of this database itself: it is made once. */
    done: boolean().notNull().default(false),
    dateCreated: instant().notNull(),
  },
  (table) => [uniqueIndex('idempotency_key').on(table.accountSid, table.key)],
);
