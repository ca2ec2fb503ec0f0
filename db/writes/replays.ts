/** Deliveries that send an event again, as new rows: what was tried before stays on record. Key: replay and delivery. */
import { and, asc, eq, exists, gt, gte, lt, ne, not, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { EventType } from '../../domain/events.ts';
import type { DeliveryStart, ReplayPage } from '../../domain/ports.ts';
import { derivedSid } from '../../security/derived-sid.ts';
import type { Queryable } from '../client.ts';
import { isAnyOf } from '../lists.ts';
import { deliveries, events } from '../schema/deliveries.ts';
import { subscriptions } from '../schema/subscriptions.ts';
import { callbackEndpoint, derivedDeliverySid } from './events.ts';

/** Deliveries of one page. */
const pageSize = 200;

const later = alias(deliveries, 'later');

export interface ReplayedPage {
  readonly starts: readonly DeliveryStart[];
  /** Position the next page goes on from; `null` at the end. */
  readonly next: number | null;
}

/**
 * Makes the replays of a page and answers them all, those an earlier try made included. Of an event that was sent
 * again before only the last delivery counts, so that one run sends each event once.
 */
export async function replayDeliveries(db: Queryable, page: ReplayPage, at: Date): Promise<ReplayedPage> {
  const originals = await db
    .select({ delivery: deliveries, subscriptionUrl: subscriptions.url })
    .from(deliveries)
    .leftJoin(subscriptions, eq(subscriptions.sid, deliveries.subscriptionSid))
    .where(and(eq(deliveries.accountSid, page.accountSid), selected(db, page)))
    .orderBy(asc(deliveries.position))
    .limit(pageSize);
  const made = originals.map(({ delivery, subscriptionUrl }) => ({
    original: delivery,
    sid: derivedSid('delivery', page.replaySid, delivery.sid),
    url: subscriptionUrl ?? delivery.url ?? '',
  }));
  if (made.length > 0)
    await db
      .insert(deliveries)
      .values(made.map(({ original, sid }) => replayOf(original, { sid, replaySid: page.replaySid, at })))
      .onConflictDoNothing();
  const last = originals.length === pageSize ? originals.at(-1) : undefined;
  return {
    starts: made.map(({ original, sid, url }) => startOf(original, sid, url)),
    next: last?.delivery.position ?? null,
  };
}

type DeliveryRow = typeof deliveries.$inferSelect;

function selected(db: Queryable, page: ReplayPage): SQL | undefined {
  const { selection, subscriptionSid, replaySid, after, until } = page;
  if (selection.kind !== 'since')
    return selection.kind === 'one' ? eq(deliveries.sid, selection.deliverySid) : sql`false`;
  const sentAgain = db
    .select({ one: sql`1` })
    .from(later)
    .where(
      and(
        eq(later.eventSid, deliveries.eventSid),
        eq(later.subscriptionSid, deliveries.subscriptionSid),
        gt(later.position, deliveries.position),
        // What this run made when it tried this page before does not count.
        ne(later.sid, derivedDeliverySid(sql`${replaySid}::text`, sql`${deliveries.sid}`)),
      ),
    );
  return and(
    subscriptionSid === null ? sql`false` : eq(deliveries.subscriptionSid, subscriptionSid),
    gt(deliveries.position, after),
    gte(deliveries.dateCreated, new Date(selection.since)),
    lt(deliveries.dateCreated, new Date(until)),
    isAnyOf(deliveries.state, selection.states),
    not(exists(sentAgain)),
  );
}

/** Events of one message keep their order within a replay, and wait for nothing outside it. */
function replayOf(
  original: DeliveryRow,
  { sid, replaySid, at }: { readonly sid: string; readonly replaySid: string; readonly at: Date },
): typeof deliveries.$inferInsert {
  const { accountSid, eventSid, kind, subscriptionSid, url, method, sequence, lineSequence } = original;
  return {
    sid,
    accountSid,
    eventSid,
    kind,
    subscriptionSid,
    url,
    method,
    sequence,
    lineSequence,
    orderKey: `${replaySid}/${original.orderKey.replace(/^RP\w+\//, '')}`,
    state: 'pending',
    replayOf: original.sid,
    dateCreated: at,
  };
}

function startOf(
  { accountSid, kind, subscriptionSid, sequence }: DeliveryRow,
  deliverySid: string,
  url: string,
): DeliveryStart {
  const endpoint = callbackEndpoint(accountSid, url);
  return {
    deliverySid,
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
