/** Deliveries that send an event again, as new rows: what was tried before stays on record. Key: replay and delivery. */
import { and, asc, eq, exists, gt, gte, lt, lte, not, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { EventType } from '../../domain/events.ts';
import type { DeliveryStart, ReplayPage } from '../../domain/ports.ts';
import { derivedSid } from '../../security/derived-sid.ts';
import type { Queryable } from '../client.ts';
import { isAnyOf } from '../lists.ts';
import { deliveries, events } from '../schema/deliveries.ts';
import { subscriptions } from '../schema/subscriptions.ts';
import { callbackEndpoint, derivedDeliverySid } from './events.ts';

/** Deliveries that are made in one statement, and that are started in one page. */
const madeAtOnce = 5_000;
const pageSize = 200;

const later = alias(deliveries, 'later');

export interface ReplayedPage {
  readonly starts: readonly DeliveryStart[];
  /** Position the next page goes on from; `null` at the end. */
  readonly next: number | null;
}

/**
 * Answers a page of a replay's deliveries, to be started. All of them are made before the first page, so that whichever
 * starts sees the earlier ones of its message, and waits for them. Doing it again makes nothing twice.
 */
export async function replayDeliveries(db: Queryable, page: ReplayPage, at: Date): Promise<ReplayedPage> {
  if (!(await wasStarted(db, page))) await recordReplays(db, page, at);
  const rows = await db
    .select({ delivery: deliveries, subscriptionUrl: subscriptions.url })
    .from(deliveries)
    .leftJoin(subscriptions, eq(subscriptions.sid, deliveries.subscriptionSid))
    .where(and(eq(deliveries.replaySid, page.replaySid), gt(deliveries.position, page.after)))
    .orderBy(asc(deliveries.position))
    .limit(pageSize);
  const last = rows.length === pageSize ? rows.at(-1) : undefined;
  return {
    starts: rows.map(({ delivery, subscriptionUrl }) => startOf(delivery, subscriptionUrl)),
    next: last?.delivery.position ?? null,
  };
}

/** Whether the pages before this one were of deliveries that this replay made: then all are made. */
async function wasStarted(db: Queryable, { replaySid, after }: ReplayPage): Promise<boolean> {
  const made = await db
    .select({ sid: deliveries.sid })
    .from(deliveries)
    .where(and(eq(deliveries.replaySid, replaySid), lte(deliveries.position, after)))
    .limit(1);
  return made.length > 0;
}

/** Makes them oldest first, so many in a statement that it ends in time. */
async function recordReplays(db: Queryable, page: ReplayPage, at: Date): Promise<void> {
  for (let after: number | null = 0; after !== null; ) after = await recordSome(db, page, { after, at });
}

/**
 * A replay is a new delivery of the same event to the same endpoint; it keeps its place in the order. Answers the
 * position up to which there is nothing left to do, `null` where that is everything.
 */
async function recordSome(
  db: Queryable,
  page: ReplayPage,
  { after, at }: { readonly after: number; readonly at: Date },
): Promise<number | null> {
  const { replaySid } = page;
  const [read] = await db.execute<{ readonly count: number; readonly last: string | null }>(sql`
    with originals as (
      select * from ${deliveries} where ${selected(db, page)} and ${gt(deliveries.position, after)}
      order by ${deliveries.position} limit ${madeAtOnce}
    ), made as (
      insert into deliveries (sid, account_sid, event_sid, kind, subscription_sid, url, method, order_key, sequence,
        line_sequence, state, replay_of, replay_sid, date_created)
      select ${derivedDeliverySid(sql`${replaySid}::text`, sql`sid`)}, account_sid, event_sid, kind, subscription_sid,
        url, method, order_key, sequence, line_sequence, 'pending', sid, ${replaySid}, ${at.toISOString()}::timestamptz
      from originals order by position
      on conflict (sid) do nothing
    )
    select count(*)::int as count, max(position) as last from originals`);
  return read?.count === madeAtOnce ? Number(read.last) : null;
}

/** Of an event that was sent again before only the last delivery counts, so that one replay sends each event once. */
function selected(
  db: Queryable,
  { accountSid, subscriptionSid, selection, until }: ReplayPage,
): SQL | undefined {
  const own = eq(deliveries.accountSid, accountSid);
  if (selection.kind === 'one') return and(own, eq(deliveries.sid, selection.deliverySid));
  if (selection.kind === 'test' || subscriptionSid === null) return sql`false`;
  const sentAgain = db
    .select({ one: sql`1` })
    .from(later)
    .where(
      and(
        eq(later.eventSid, deliveries.eventSid),
        eq(later.subscriptionSid, deliveries.subscriptionSid),
        gt(later.position, deliveries.position),
      ),
    );
  return and(
    own,
    eq(deliveries.subscriptionSid, subscriptionSid),
    gte(deliveries.dateCreated, new Date(selection.since)),
    lt(deliveries.dateCreated, new Date(until)),
    isAnyOf(deliveries.state, selection.states),
    not(exists(sentAgain)),
  );
}

function startOf(
  { sid, accountSid, kind, subscriptionSid, sequence, url }: typeof deliveries.$inferSelect,
  subscriptionUrl: string | null,
): DeliveryStart {
  const endpoint = callbackEndpoint(accountSid, subscriptionUrl ?? url ?? '');
  return {
    deliverySid: sid,
    accountSid,
    kind,
    sequence,
    endpointHost: endpoint.endpointHost,
    endpointKey: subscriptionSid ?? endpoint.endpointKey,
  };
}

export interface TestEvent {
  readonly replaySid: string;
  readonly accountSid: string;
  readonly subscriptionSid: string;
  readonly kind: EventType;
  readonly payload: string;
  readonly at: Date;
}

/** Stores a test event for one subscription, whatever it subscribed to; `null` where there is no such subscription. */
export async function recordTestEvent(db: Queryable, test: TestEvent): Promise<DeliveryStart | null> {
  const { replaySid, accountSid, subscriptionSid, kind, payload, at } = test;
  const [subscription] = await db
    .select({ url: subscriptions.url, method: subscriptions.method, phoneNumber: subscriptions.phoneNumber })
    .from(subscriptions)
    .where(and(eq(subscriptions.sid, subscriptionSid), eq(subscriptions.accountSid, accountSid)));
  if (!subscription) return null;
  const { url, method, phoneNumber } = subscription;
  const sid = derivedSid('event', 'test', replaySid);
  const deliverySid = derivedSid('delivery', sid, subscriptionSid);
  const common = { accountSid, kind, sequence: 1, dateCreated: at };
  await db.transaction(async (tx) => {
    await tx
      .insert(events)
      .values({ ...common, sid, resourceSid: replaySid, line: phoneNumber ?? '', payload })
      .onConflictDoNothing();
    await tx
      .insert(deliveries)
      .values({
        ...common,
        sid: deliverySid,
        eventSid: sid,
        subscriptionSid,
        method,
        orderKey: replaySid,
        state: 'pending',
      })
      .onConflictDoNothing();
  });
  const endpointHost = new URL(url).host;
  return { deliverySid, accountSid, kind, endpointHost, endpointKey: subscriptionSid, sequence: 1 };
}
