import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { deliveryStates } from '../../domain/delivery.ts';
import { deliveryKinds } from '../../domain/events.ts';
import { instant, position } from './columns.ts';

/** Something that happened and has to be told (EV sid). The payload is kept as the exact text that is sent. */
export const events = pgTable(
  'events',
  {
    sid: text().primaryKey(),
    position: position(),
    accountSid: text().notNull(),
    kind: text({ enum: deliveryKinds }).notNull(),
    /** Message or order the event is about; events of one resource keep their order. */
    resourceSid: text().notNull(),
    /** From 1 within the resource. */
    sequence: integer().notNull(),
    /** The hosted number it happened on. */
    line: text().notNull(),
    payload: text().notNull(),
    dateCreated: instant().notNull(),
  },
  (table) => [index('events_by_resource').on(table.resourceSid, table.sequence)],
);

/** The last place given among the events of a line. */
export const lineSequences = pgTable(
  'line_sequences',
  {
    accountSid: text().notNull(),
    line: text().notNull(),
    last: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountSid, table.line] })],
);

/** One event on its way to one endpoint (DL sid); its workflow has the same id. */
export const deliveries = pgTable(
  'deliveries',
  {
    sid: text().primaryKey(),
    position: position(),
    accountSid: text().notNull(),
    eventSid: text().notNull(),
    kind: text({ enum: deliveryKinds }).notNull(),
    /** Null for callbacks, whose address is their own. */
    subscriptionSid: text(),
    /** Address of a callback; null for subscribed events, which go where the subscription points at the time. */
    url: text(),
    method: text({ enum: ['POST', 'PUT', 'GET'] }).notNull(),
    /** Deliveries with the same key arrive one after another, by `sequence`. */
    orderKey: text().notNull(),
    sequence: integer().notNull(),
    /** Place among the events of the line, from 1 without gaps; null for callbacks and test events. */
    lineSequence: bigint({ mode: 'number' }),
    state: text({ enum: deliveryStates }).notNull(),
    attemptCount: integer().notNull().default(0),
    lastHttpStatus: integer(),
    lastError: text(),
    firstAttemptAt: instant(),
    nextAttemptAt: instant(),
    finishedAt: instant(),
    /** The delivery this one replays, if it does. */
    replayOf: text(),
    /** The replay that made it (RP sid), if one did. */
    replaySid: text(),
    dateCreated: instant().notNull(),
  },
  (table) => [
    index('deliveries_by_subscription').on(table.subscriptionSid, table.position),
    index('deliveries_by_event').on(table.eventSid),
    /** A delivery looks for earlier unfinished ones of its key; a finished one for those it held back. */
    index('deliveries_by_order_key').on(table.orderKey, table.sequence),
    index('deliveries_by_account').on(table.accountSid, table.position),
    /** A delivery shows the last that replays it. */
    index('deliveries_by_replay').on(table.replayOf),
    /** A replay starts what it has made, page by page. */
    index('deliveries_of_replay').on(table.replaySid, table.position).where(sql`replay_sid is not null`),
  ],
);

/** One HTTP request of a delivery. */
export const deliveryAttempts = pgTable(
  'delivery_attempts',
  {
    deliverySid: text().notNull(),
    /** From 1. */
    number: integer().notNull(),
    at: instant().notNull(),
    durationMs: integer().notNull(),
    url: text().notNull(),
    httpStatus: integer(),
    /** Why there was no proper answer, in our own words; null when there was one. */
    error: text(),
    /** First bytes of the answer's body, as text. */
    responseHead: text(),
    /** Until when the answer asked to be left alone (Retry-After); null when it asked for nothing. */
    retryAfter: instant(),
  },
  (table) => [primaryKey({ columns: [table.deliverySid, table.number] })],
);
