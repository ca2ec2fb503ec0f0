/** What happened, and one delivery for everybody who wants to hear of it. Insert or ignore, by derived identifiers. */
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { eventTypes, type DeliveryKind, type EventType } from '../../domain/events.ts';
import { withoutText } from '../../domain/message-payload.ts';
import type { DeliveryStart } from '../../domain/ports.ts';
import { derivedSid } from '../../security/derived-sid.ts';
import type { Queryable } from '../client.ts';
import type { DeliveryToAttempt } from '../reads/deliveries.ts';
import { deliveries, deliveryAttempts, events } from '../schema/deliveries.ts';
import type { PreviousSecret } from '../schema/subscriptions.ts';

export interface NewEvent<Kind extends DeliveryKind = EventType> {
  readonly accountSid: string;
  readonly kind: Kind;
  /** Message or order the event is about. */
  readonly resourceSid: string;
  /** From 1 within the resource. Given under a lock of the resource, so that lower ones are committed by then. */
  readonly sequence: number;
  /** The hosted number, E.164. */
  readonly line: string;
  /** The exact text that is sent: JSON for events, an encoded form for callbacks. */
  readonly payload: string;
  readonly at: Date;
}

/** The same event always has the same sid; it is what receivers know a repeated one by. */
function eventSidOf(event: Pick<NewEvent<DeliveryKind>, 'kind' | 'resourceSid' | 'sequence'>): string {
  return derivedSid('event', event.kind, event.resourceSid, String(event.sequence));
}

export interface RecordedDelivery {
  readonly start: DeliveryStart;
  /** What its first attempt needs, so that nothing has to be read again; `null`: another call stored the delivery. */
  readonly target: DeliveryToAttempt | null;
}

/**
 * Stores an event with a delivery for every subscription that wants it, in one statement, and answers the deliveries
 * to start. While an endpoint is switched off its deliveries are stored as `disabled`, to be replayed, and not started.
 * The same event again changes nothing and answers those that are still pending. Key: kind, resource and sequence.
 */
export async function recordEvent(db: Queryable, event: NewEvent): Promise<RecordedDelivery[]> {
  const { accountSid, kind, resourceSid, sequence, line, payload } = event;
  const sid = eventSidOf(event);
  const at = event.at.toISOString();
  // The place on the line is counted only when the event is new, so that a repeated one leaves no gap.
  const made = await db.execute<Made>(sql`
    with event as (
      insert into events (sid, account_sid, kind, resource_sid, sequence, line, payload, date_created)
      values (${sid}, ${accountSid}, ${kind}, ${resourceSid}, ${sequence}, ${line}, ${payload}, ${at})
      on conflict (sid) do nothing
      returning sid
    ), place as (
      insert into line_sequences (account_sid, line, last)
      select ${accountSid}, ${line}, 1 from event
      on conflict (account_sid, line) do update set last = line_sequences.last + 1
      returning last
    ), made as (
      insert into deliveries (sid, account_sid, event_sid, kind, subscription_sid, method, order_key, sequence,
        line_sequence, state, date_created)
      select ${derivedDeliverySid(sql`event.sid`, sql`s.sid`)},
        s.account_sid, event.sid, ${kind}, s.sid, s.method, s.sid || '/' || ${resourceSid}::text, ${sequence}::int,
        place.last, case when s.enabled then 'pending' else 'disabled' end, ${at}::timestamptz
      from event, place, subscriptions s
      where s.account_sid = ${accountSid} and s.date_deleted is null and s.events ? ${kind}
        and (s.phone_number is null or s.phone_number = ${line})
      returning sid, subscription_sid, line_sequence, state
    )
    select made.sid, made.line_sequence, s.sid as subscription_sid, s.url, s.method, s.headers, s.max_per_second,
      s.secret_sealed, s.previous_secrets
    from event
    left join made on made.state = 'pending'
    left join subscriptions s on s.sid = made.subscription_sid`);
  // Without a row the event was there before, perhaps since a moment that the statement above could not see.
  const told = { accountSid, kind, sequence, sid };
  if (made.length === 0) return pendingDeliveries(db, told);
  return made.flatMap((row) => (row.sid === null ? [] : [recorded(row, told, payload)]));
}

/** A row of the statement above: a delivery and its endpoint, or nothing where nobody wants the event now. */
type Made = {
  readonly [column: string]: unknown;
} & (
  | (DeliveryToStart & {
      /** bigint */
      readonly line_sequence: string;
      readonly method: 'POST' | 'GET';
      readonly headers: Readonly<Record<string, string>>;
      readonly max_per_second: number | null;
      readonly secret_sealed: string;
      readonly previous_secrets: readonly PreviousSecret[];
    })
  | { readonly sid: null }
);

type Told = Pick<NewEvent, 'accountSid' | 'kind' | 'sequence'> & { readonly sid: string };

function recorded(row: Extract<Made, { sid: string }>, event: Told, payload: string): RecordedDelivery {
  const { accountSid, kind } = event;
  const { url, method } = row;
  const lineSequence = Number(row.line_sequence);
  return {
    start: startOf(event, row),
    target: {
      delivery: { sid: row.sid, accountSid, kind, url: null, method, lineSequence, state: 'pending' },
      event: { sid: event.sid, payload },
      subscription: {
        sid: row.subscription_sid,
        url,
        method,
        enabled: true,
        disabledBy: null,
        secretSealed: row.secret_sealed,
        previousSecrets: row.previous_secrets,
        headers: row.headers,
        maxPerSecond: row.max_per_second,
        dateDeleted: null,
      },
      authTokenSealed: null,
      attempt: null,
    },
  };
}

/** A delivery and its endpoint, as statements answer them. */
type DeliveryToStart = { readonly sid: string; readonly subscription_sid: string; readonly url: string };

function startOf({ accountSid, kind, sequence }: Told, delivery: DeliveryToStart): DeliveryStart {
  const { sid: deliverySid, subscription_sid: endpointKey, url } = delivery;
  return { deliverySid, accountSid, kind, endpointHost: new URL(url).host, endpointKey, sequence };
}

/** `derivedSid('delivery', first, second)` in SQL, for statements that find out the parts. A test holds both together. */
export function derivedDeliverySid(first: SQL, second: SQL): SQL {
  const parts = sql`convert_to('["' || ${first} || '","' || ${second} || '"]', 'UTF8')`;
  return sql`'DL' || left(encode(sha256(${parts}), 'hex'), 32)`;
}

/** Deliveries of an event that are still pending; none where there is no such event. */
export function pendingDeliveriesOf(
  db: Queryable,
  event: Pick<NewEvent, 'accountSid' | 'kind' | 'resourceSid' | 'sequence'>,
): Promise<RecordedDelivery[]> {
  const { accountSid, kind, sequence } = event;
  return pendingDeliveries(db, { accountSid, kind, sequence, sid: eventSidOf(event) });
}

async function pendingDeliveries(db: Queryable, event: Told): Promise<RecordedDelivery[]> {
  const rows = await db.execute<DeliveryToStart>(sql`
    select d.sid, d.subscription_sid, s.url
    from deliveries d join subscriptions s on s.sid = d.subscription_sid
    where d.event_sid = ${event.sid} and d.state = 'pending' and d.replay_of is null
    order by d.position`);
  return rows.map((row) => ({ start: startOf(event, row), target: null }));
}

export interface NewCallback extends NewEvent<'order/status' | 'message/status'> {
  /** The customer's own address for this order or message. */
  readonly url: string;
  readonly method: 'POST' | 'GET';
}

/**
 * Stores a callback in Twilio's form shape, and answers the delivery to start. Callbacks of one resource arrive one
 * after another. The same callback again changes nothing. Key: kind, resource and sequence.
 */
export async function recordCallback(db: Queryable, callback: NewCallback): Promise<DeliveryStart> {
  const { accountSid, kind, resourceSid, sequence, line, payload, url, method, at } = callback;
  const eventSid = eventSidOf(callback);
  const deliverySid = derivedSid('delivery', eventSid);
  await db.transaction(async (tx) => {
    await tx
      .insert(events)
      .values({ sid: eventSid, accountSid, kind, resourceSid, sequence, line, payload, dateCreated: at })
      .onConflictDoNothing();
    await tx
      .insert(deliveries)
      .values({
        sid: deliverySid,
        accountSid,
        eventSid,
        kind,
        url,
        method,
        orderKey: resourceSid,
        sequence,
        state: 'pending',
        dateCreated: at,
      })
      .onConflictDoNothing();
  });
  return { deliverySid, accountSid, kind, ...callbackEndpoint(accountSid, url), sequence };
}

/**
 * Host and fairness key of a callback's address. The key holds the account: one customer's flood of callbacks to a host
 * that many share must not make the others wait. Temporal takes 64 bytes.
 */
export function callbackEndpoint(
  accountSid: string,
  url: string,
): Pick<DeliveryStart, 'endpointHost' | 'endpointKey'> {
  const { host } = new URL(url);
  return { endpointHost: host, endpointKey: `${accountSid}/${host}`.slice(0, 64) };
}

/**
 * Takes a message's text out of what was told of it, so that no delivery that is shown, retried, replayed or still on
 * its way carries it; and drops what endpoints answered, who may have repeated it. Status callbacks hold no text.
 * Belongs into the transaction that takes the text out of the message, under the message's lock.
 */
export async function forgetText(tx: Queryable, messageSid: string): Promise<void> {
  const told = await tx
    .select({ sid: events.sid, payload: events.payload })
    .from(events)
    .where(and(eq(events.resourceSid, messageSid), inArray(events.kind, [...eventTypes])));
  for (const { sid, payload } of told) {
    await tx
      .update(events)
      .set({ payload: withoutText(payload) })
      .where(eq(events.sid, sid));
    const ofEvent = tx.select({ sid: deliveries.sid }).from(deliveries).where(eq(deliveries.eventSid, sid));
    await tx
      .update(deliveryAttempts)
      .set({ responseHead: null })
      .where(inArray(deliveryAttempts.deliverySid, ofEvent));
  }
}
