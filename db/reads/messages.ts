/** Messages, their media and the wishes of contacts. A message that was deleted is gone for its customer. */
import { and, asc, eq, exists, gte, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import type { Queryable } from '../client.ts';
import { isAnyOf } from '../lists.ts';
import { accounts } from '../schema/accounts.ts';
import { events } from '../schema/deliveries.ts';
import { incomingPhoneNumbers } from '../schema/incoming-phone-numbers.ts';
import { media, messages, optOuts } from '../schema/messages.ts';
import { keyset, toPage, type PageOf, type PageRequest } from './page.ts';

/** A message with the number of its media; the .txt of a long body does not count. */
export type MessageRow = typeof messages.$inferSelect & { readonly numMedia: number };
export type MediaRow = Omit<typeof media.$inferSelect, 'bytes'> & { readonly byteLength: number };

// Named in full: Drizzle leaves the table out of a column's name, which would be that of `media` in here.
const numMedia = sql<number>`(select count(*)::int from media
  where media.message_sid = messages.sid and not media.is_body)`;

export const messageSelection = { message: messages, numMedia };
export const toMessageRow = (row: {
  message: typeof messages.$inferSelect;
  numMedia: number;
}): MessageRow => ({
  ...row.message,
  numMedia: row.numMedia,
});

/** Any message by its sid, deleted ones included: for activities, which need no account. */
export async function loadMessage(db: Queryable, sid: string): Promise<MessageRow | undefined> {
  const [row] = await db.select(messageSelection).from(messages).where(eq(messages.sid, sid));
  return row && toMessageRow(row);
}

/** As `loadMessage`, and keeps others from changing it until the transaction ends. */
export async function lockMessage(tx: Queryable, sid: string): Promise<MessageRow | undefined> {
  const [row] = await tx.select(messageSelection).from(messages).where(eq(messages.sid, sid)).for('update');
  return row && toMessageRow(row);
}

export async function findMessage(
  db: Queryable,
  accountSid: string,
  sid: string,
): Promise<MessageRow | undefined> {
  const own = and(eq(messages.sid, sid), eq(messages.accountSid, accountSid), isNull(messages.dateDeleted));
  const [row] = await db.select(messageSelection).from(messages).where(own);
  return row && toMessageRow(row);
}

/** The messages of a line by the numbers that webhooks call `id`, as many as there are, in any order. */
export async function findMessagesById(
  db: Queryable,
  { accountSid, line }: { readonly accountSid: string; readonly line: string },
  ids: readonly number[],
): Promise<MessageRow[]> {
  const rows = await db
    .select(messageSelection)
    .from(messages)
    .where(
      and(
        isAnyOf(messages.id, ids),
        eq(messages.accountSid, accountSid),
        eq(messages.line, line),
        isNull(messages.dateDeleted),
      ),
    );
  return rows.map(toMessageRow);
}

export interface MessageFilter {
  readonly to?: string | null | undefined;
  readonly from?: string | null | undefined;
  /** From this moment on. */
  readonly sentFrom?: Date | undefined;
  /** Before this moment. */
  readonly sentBefore?: Date | undefined;
}

export async function listMessages(
  db: Queryable,
  accountSid: string,
  filter: MessageFilter,
  request: PageRequest,
): Promise<PageOf<MessageRow>> {
  const { where, orderBy, limit, offset } = keyset(messages.id, request);
  const rows = await db
    .select(messageSelection)
    .from(messages)
    .where(
      and(
        eq(messages.accountSid, accountSid),
        isNull(messages.dateDeleted),
        filter.to ? party(filter.to, 'to') : undefined,
        filter.from ? party(filter.from, 'from') : undefined,
        filter.sentFrom ? gte(messages.dateSent, filter.sentFrom) : undefined,
        filter.sentBefore ? lt(messages.dateSent, filter.sentBefore) : undefined,
        where,
      ),
    )
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset);
  return toPage(rows.map(toMessageRow), request, (row) => row.id);
}

/** Sender and recipient are the line or the contact, by direction. */
function party(number: string, role: 'to' | 'from'): SQL | undefined {
  const inbound = eq(messages.direction, 'inbound');
  const outbound = or(eq(messages.direction, 'outbound-api'), eq(messages.direction, 'outbound-reply'));
  const [asLine, asContact] = role === 'to' ? [inbound, outbound] : [outbound, inbound];
  return or(and(asLine, eq(messages.line, number)), and(asContact, eq(messages.contact, number)));
}

export async function isOptedOut(db: Queryable, line: string, contact: string): Promise<boolean> {
  const [row] = await db
    .select({ optedOut: optOuts.optedOut })
    .from(optOuts)
    .where(and(eq(optOuts.line, line), eq(optOuts.contact, contact)));
  return row?.optedOut ?? false;
}

const mediaColumns = {
  sid: media.sid,
  position: media.position,
  accountSid: media.accountSid,
  messageSid: media.messageSid,
  fileName: media.fileName,
  contentType: media.contentType,
  url: media.url,
  isBody: media.isBody,
  dateCreated: media.dateCreated,
  dateUpdated: media.dateUpdated,
  byteLength: sql<number>`octet_length(${media.bytes})`,
};

/** What one message leads to, in its order; with the .txt of a long body where `withBody` says so. */
export async function mediaOf(
  db: Queryable,
  messageSid: string,
  { withBody }: { readonly withBody: boolean },
): Promise<readonly MediaRow[]> {
  const shown = withBody ? undefined : eq(media.isBody, false);
  return db
    .select(mediaColumns)
    .from(media)
    .where(and(eq(media.messageSid, messageSid), shown))
    .orderBy(asc(media.position));
}

export interface MediaFilter {
  readonly createdFrom?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

export async function listMedia(
  db: Queryable,
  messageSid: string,
  filter: MediaFilter,
  request: PageRequest,
): Promise<PageOf<MediaRow>> {
  const { where, orderBy, limit, offset } = keyset(media.position, request);
  const rows = await db
    .select(mediaColumns)
    .from(media)
    .where(
      and(
        eq(media.messageSid, messageSid),
        eq(media.isBody, false),
        filter.createdFrom ? gte(media.dateCreated, filter.createdFrom) : undefined,
        filter.createdBefore ? lt(media.dateCreated, filter.createdBefore) : undefined,
        where,
      ),
    )
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset);
  return toPage(rows, request, (row) => row.position);
}

/** One of an account's media, with its bytes. */
export async function findMedia(
  db: Queryable,
  accountSid: string,
  sid: string,
): Promise<typeof media.$inferSelect | undefined> {
  const [row] = await db
    .select()
    .from(media)
    .where(and(eq(media.sid, sid), eq(media.accountSid, accountSid)));
  return row;
}

/** The same, of a message of this line only. */
export async function findMediaOfLine(
  db: Queryable,
  { accountSid, line }: { readonly accountSid: string; readonly line: string },
  sid: string,
): Promise<typeof media.$inferSelect | undefined> {
  const [row] = await db
    .select({ media })
    .from(media)
    .innerJoin(messages, eq(messages.sid, media.messageSid))
    .where(and(eq(media.sid, sid), eq(messages.accountSid, accountSid), eq(messages.line, line)));
  return row?.media;
}

/** Everything a call to a customer's SmsUrl is made from. */
export type ReplyContext = NonNullable<Awaited<ReturnType<typeof loadReplyContext>>>;

export async function loadReplyContext(db: Queryable, messageSid: string) {
  const [row] = await db
    .select({
      message: messages,
      number: incomingPhoneNumbers,
      authTokenSealed: accounts.authTokenSealed,
      /** Whether the contact opted out or in again by this very message. */
      changedOptOut: sql<boolean>`${exists(optOutEventOf(db))}`,
    })
    .from(messages)
    .innerJoin(accounts, eq(accounts.sid, messages.accountSid))
    .leftJoin(
      incomingPhoneNumbers,
      and(
        eq(incomingPhoneNumbers.phoneNumber, messages.line),
        eq(incomingPhoneNumbers.accountSid, messages.accountSid),
        eq(incomingPhoneNumbers.state, 'in-use'),
      ),
    )
    .where(eq(messages.sid, messageSid));
  return row;
}

const optOutEventOf = (db: Queryable) =>
  db
    .select({ one: sql`1` })
    .from(events)
    .where(and(eq(events.resourceSid, messages.sid), eq(events.kind, 'optout/change')));
