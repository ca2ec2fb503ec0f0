/**
 * Messages, written by activities and by the way in for the carrier. Every write may be repeated: identifiers are
 * derived from what is stored, and a state goes on only from the revision before it.
 */
import { and, eq, lt, sql } from 'drizzle-orm';
import type { OutgoingMessage } from '../../domain/message.ts';
import type { MessageProgress } from '../../domain/ports.ts';
import type { Queryable } from '../client.ts';
import { media, messages, optOuts } from '../schema/messages.ts';
import { forgetText } from './events.ts';

export interface NewInbound {
  /** Derived from line and carrier id, so that the same text again is the same message. */
  readonly sid: string;
  readonly line: string;
  readonly contact: string;
  readonly body: string;
  readonly numSegments: number;
  readonly statusCode: number;
  readonly carrierId: string;
  readonly at: Date;
}

/** The line a text came in on, and the message's number unless it was stored before. */
export interface InboundInsertion {
  readonly accountSid: string;
  /** `null`: the same text came before. */
  readonly id: number | null;
  /** The number has an SmsUrl of its own. */
  readonly hasSmsUrl: boolean;
}

/**
 * Finds the line and stores the message, in one statement; `null` where no number of ours has this line. A number that
 * was released still receives until it is retired; one that is not completed does not, lest texts of its earlier
 * host's customer reach somebody who has proved nothing yet. Key: the message's sid.
 */
export async function insertInbound(db: Queryable, text: NewInbound): Promise<InboundInsertion | null> {
  const at = text.at.toISOString();
  const [row] = await db.execute<{ account_sid: string; id: string | null; has_sms_url: boolean }>(sql`
    with line as (
      select account_sid, sms_url is not null and sms_application_sid is null as has_sms_url
      from incoming_phone_numbers
      where phone_number = ${text.line} and state in ('in-use', 'retiring')
      order by position desc limit 1
    ), stored as (
      insert into messages (sid, account_sid, direction, line, contact, body, num_segments, status, status_code,
        carrier_id, date_sent, date_created, date_updated)
      select ${text.sid}, account_sid, 'inbound', ${text.line}, ${text.contact}, ${text.body},
        ${text.numSegments}::int, 'received', ${text.statusCode}::int, ${text.carrierId},
        ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
      from line
      on conflict do nothing
      returning id
    )
    select line.account_sid, line.has_sms_url, stored.id from line left join stored on true`);
  if (!row) return null;
  return {
    accountSid: row.account_sid,
    id: row.id === null ? null : Number(row.id),
    hasSmsUrl: row.has_sms_url,
  };
}

export interface OptOutRecord {
  readonly line: string;
  readonly contact: string;
  readonly optedOut: boolean;
  readonly messageSid: string;
  readonly at: Date;
}

/**
 * Keeps a contact's wish; answers whether that is a change. A contact without a row has not opted out. Once for each
 * message, in the transaction that stores it.
 */
export async function writeOptOut(db: Queryable, wish: OptOutRecord): Promise<boolean> {
  const { line, contact, optedOut, messageSid, at } = wish;
  const pair = and(eq(optOuts.line, line), eq(optOuts.contact, contact));
  const state = { optedOut, messageSid, changedAt: at };
  const otherWish = eq(optOuts.optedOut, !optedOut);
  const changed = optedOut
    ? await db
        .insert(optOuts)
        .values({ line, contact, ...state })
        .onConflictDoUpdate({ target: [optOuts.line, optOuts.contact], set: state, setWhere: otherWish })
        .returning({ line: optOuts.line })
    : await db.update(optOuts).set(state).where(and(pair, otherWish)).returning({ line: optOuts.line });
  return changed.length > 0;
}

export interface OutboundInsertion {
  /** The line is the account's and in service. */
  readonly maySend: boolean;
  readonly optedOut: boolean;
  /** `null` where it may not be sent, or was stored before. */
  readonly id: number | null;
}

/** Checks line and recipient and stores the message, in one statement. Key: the message's sid. */
export async function insertOutbound(
  db: Queryable,
  message: OutgoingMessage,
  facts: { readonly numSegments: number; readonly at: Date },
): Promise<OutboundInsertion> {
  const at = facts.at.toISOString();
  const scheduled = message.sendAt !== null;
  const [row] = await db.execute<{ may_send: boolean; opted_out: boolean; id: string | null }>(sql`
    with may as (
      select
        exists (select 1 from incoming_phone_numbers where account_sid = ${message.accountSid}
          and phone_number = ${message.from} and state = 'in-use') as send,
        exists (select 1 from opt_outs where line = ${message.from} and contact = ${message.to}
          and opted_out) as not_receive
    ), stored as (
      insert into messages (sid, account_sid, direction, line, contact, body, num_segments, status, status_code,
        status_callback, in_reply_to, send_at, validity_period, revision, date_created, date_updated)
      select ${message.sid}, ${message.accountSid}, ${message.direction}, ${message.from}, ${message.to},
        ${message.body}, ${facts.numSegments}::int, ${scheduled ? 'scheduled' : 'queued'},
        ${scheduled ? null : 2}::int, ${message.statusCallback}, ${message.inReplyTo},
        ${message.sendAt}::timestamptz, ${message.validityPeriodSeconds}::int, 1,
        ${at}::timestamptz, ${at}::timestamptz
      from may where send and not not_receive
      on conflict do nothing
      returning id
    )
    select may.send as may_send, may.not_receive as opted_out, stored.id from may left join stored on true`);
  return {
    maySend: row?.may_send ?? false,
    optedOut: row?.opted_out ?? false,
    id: row?.id == null ? null : Number(row.id),
  };
}

/** Copies a state of an outgoing message unless a later one is there. Key: sid and revision. */
export async function writeProgress(db: Queryable, progress: MessageProgress): Promise<void> {
  const at = new Date(progress.at);
  const { status, statusCode, errorCode, revision, reported } = progress;
  const delivered = reported === 4 || reported === 6 || status === 'delivered';
  await db
    .update(messages)
    .set({
      status,
      statusCode,
      revision,
      dateUpdated: at,
      ...(errorCode === null ? {} : { errorCode }),
      ...(status === 'sent' ? { dateSent: sql`coalesce(${messages.dateSent}, ${progress.at})` } : {}),
      ...(delivered ? { dateDelivered: sql`coalesce(${messages.dateDelivered}, ${progress.at})` } : {}),
    })
    .where(and(eq(messages.sid, progress.messageSid), lt(messages.revision, revision)));
}

export async function writeCarrierId(db: Queryable, sid: string, carrierId: string): Promise<void> {
  await db.update(messages).set({ carrierId }).where(eq(messages.sid, sid));
}

/** Why no reply came of an inbound message: what was wrong with the answer of its SmsUrl. */
export async function writeReplyError(db: Queryable, sid: string, errorCode: number): Promise<void> {
  await db.update(messages).set({ errorCode }).where(eq(messages.sid, sid));
}

/** Marks an inbound message as read, once. */
export async function writeRead(db: Queryable, sid: string, at: Date): Promise<void> {
  await db
    .update(messages)
    .set({ dateRead: sql`coalesce(${messages.dateRead}, ${at.toISOString()})`, dateUpdated: at })
    .where(eq(messages.sid, sid));
}

/** Takes text and media out of a message that stays, and out of what was told of it. Needs a transaction. */
export async function writeRedaction(tx: Queryable, sid: string, at: Date): Promise<void> {
  await tx.update(messages).set({ body: '', dateUpdated: at }).where(eq(messages.sid, sid));
  await forgetContent(tx, sid);
}

/**
 * Removes a message: its row stays, without text and media, so that a late receipt or repeated text finds it. Needs a
 * transaction.
 */
export async function writeDeletion(tx: Queryable, sid: string, at: Date): Promise<void> {
  await tx
    .update(messages)
    .set({
      body: '',
      dateDeleted: sql`coalesce(${messages.dateDeleted}, ${at.toISOString()})`,
      dateUpdated: at,
    })
    .where(eq(messages.sid, sid));
  await forgetContent(tx, sid);
}

async function forgetContent(tx: Queryable, sid: string): Promise<void> {
  await tx.delete(media).where(eq(media.messageSid, sid));
  await forgetText(tx, sid);
}
