/** Deliveries and their attempts: what one attempt needs, what people look at, and who waits for whom. */
import { and, asc, desc, eq, gt, gte, isNull, lt, lte, min, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { DeliveryState } from '../../domain/delivery.ts';
import type { DeliveryKind } from '../../domain/events.ts';
import type { Queryable } from '../client.ts';
import { accounts } from '../schema/accounts.ts';
import { deliveries, deliveryAttempts, events } from '../schema/deliveries.ts';
import { subscriptions } from '../schema/subscriptions.ts';
import { isAnyOf } from '../lists.ts';
import { perDatabase } from '../prepared.ts';
import { keyset, toPage, type PageOf, type PageRequest } from './page.ts';

const { placeholder } = sql;

export type DeliveryRow = typeof deliveries.$inferSelect;
export type DeliveryAttemptRow = typeof deliveryAttempts.$inferSelect;

/** Everything an attempt needs, in one query; `attempt` is there when that attempt was made already. */
export type DeliveryToAttempt = NonNullable<Awaited<ReturnType<typeof findDeliveryToAttempt>>>;

export async function findDeliveryToAttempt(
  db: Queryable,
  { deliverySid, attemptNumber }: { readonly deliverySid: string; readonly attemptNumber: number },
) {
  const [row] = await deliveryToAttempt(db, undefined).execute({ deliverySid, attemptNumber });
  return row;
}

const deliveryToAttempt = perDatabase((db) =>
  db
    .select({
      delivery: {
        sid: deliveries.sid,
        accountSid: deliveries.accountSid,
        kind: deliveries.kind,
        url: deliveries.url,
        method: deliveries.method,
        lineSequence: deliveries.lineSequence,
        state: deliveries.state,
      },
      event: { sid: events.sid, payload: events.payload },
      subscription: {
        sid: subscriptions.sid,
        url: subscriptions.url,
        method: subscriptions.method,
        enabled: subscriptions.enabled,
        disabledBy: subscriptions.disabledBy,
        secretSealed: subscriptions.secretSealed,
        previousSecrets: subscriptions.previousSecrets,
        headers: subscriptions.headers,
        maxPerSecond: subscriptions.maxPerSecond,
        dateDeleted: subscriptions.dateDeleted,
      },
      authTokenSealed: accounts.authTokenSealed,
      attempt: {
        httpStatus: deliveryAttempts.httpStatus,
        error: deliveryAttempts.error,
        retryAfter: deliveryAttempts.retryAfter,
      },
    })
    .from(deliveries)
    .innerJoin(events, eq(events.sid, deliveries.eventSid))
    .leftJoin(subscriptions, eq(subscriptions.sid, deliveries.subscriptionSid))
    .leftJoin(accounts, eq(accounts.sid, deliveries.accountSid))
    .leftJoin(
      deliveryAttempts,
      and(
        eq(deliveryAttempts.deliverySid, deliveries.sid),
        eq(deliveryAttempts.number, placeholder('attemptNumber')),
      ),
    )
    .where(eq(deliveries.sid, placeholder('deliverySid')))
    .prepare('delivery_to_attempt'),
);

export interface DeliveryFilter {
  readonly accountSid: string;
  /** Only of this subscription; `null` for callbacks, which have none; absent for all. */
  readonly subscriptionSid?: string | null | undefined;
  readonly states?: readonly DeliveryState[] | undefined;
  readonly kinds?: readonly DeliveryKind[] | undefined;
  readonly since?: Date | null | undefined;
}

/** Deliveries of an account, newest first. */
export async function listDeliveries(
  db: Queryable,
  filter: DeliveryFilter,
  request: PageRequest,
): Promise<PageOf<DeliveryRow>> {
  const { where, orderBy, limit, offset } = keyset(deliveries.position, request);
  const rows = await db
    .select()
    .from(deliveries)
    .where(and(matches(filter), where))
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset);
  return toPage(rows, request, (row) => row.position);
}

function matches({ accountSid, subscriptionSid, states, kinds, since }: DeliveryFilter): SQL | undefined {
  return and(
    eq(deliveries.accountSid, accountSid),
    subscriptionSid === undefined
      ? undefined
      : subscriptionSid === null
        ? isNull(deliveries.subscriptionSid)
        : eq(deliveries.subscriptionSid, subscriptionSid),
    states?.length ? isAnyOf(deliveries.state, states) : undefined,
    kinds?.length ? isAnyOf(deliveries.kind, kinds) : undefined,
    since ? gte(deliveries.dateCreated, since) : undefined,
  );
}

export interface DeliveryDetails {
  readonly delivery: DeliveryRow;
  readonly payload: string;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttemptRow[];
  /** The last delivery that replays this one, if any does. */
  readonly replay: { readonly sid: string; readonly state: DeliveryState } | null;
}

/** One moment of a delivery: read piece by piece, an attempt made meanwhile would contradict the delivery's own count. */
export function findDelivery(
  db: Queryable,
  key: { readonly accountSid: string; readonly sid: string },
): Promise<DeliveryDetails | undefined> {
  const oneMoment = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const;
  return db.transaction((tx) => readDelivery(tx, key), oneMoment);
}

async function readDelivery(
  db: Queryable,
  { accountSid, sid }: { readonly accountSid: string; readonly sid: string },
): Promise<DeliveryDetails | undefined> {
  const [row] = await db
    .select({ delivery: deliveries, payload: events.payload })
    .from(deliveries)
    .innerJoin(events, eq(events.sid, deliveries.eventSid))
    .where(and(eq(deliveries.sid, sid), eq(deliveries.accountSid, accountSid)));
  if (!row) return undefined;
  const attempts = await db
    .select()
    .from(deliveryAttempts)
    .where(eq(deliveryAttempts.deliverySid, sid))
    .orderBy(asc(deliveryAttempts.number));
  const [replay] = await db
    .select({ sid: deliveries.sid, state: deliveries.state })
    .from(deliveries)
    .where(eq(deliveries.replayOf, sid))
    .orderBy(desc(deliveries.position))
    .limit(1);
  return { ...row, attempts, replay: replay ?? null };
}

/** For who waits until a delivery has ended: it asks often, so it asks for nothing else. */
export async function isPending(db: Queryable, sid: string): Promise<boolean> {
  const [row] = await db.select({ state: deliveries.state }).from(deliveries).where(eq(deliveries.sid, sid));
  return row?.state === 'pending';
}

/*
 * Order. A delivery that starts asks whether an earlier one of its key is pending, and waits if so; a delivery that
 * ends wakes the next pending one. No wake-up can be lost: a row is committed before its workflow starts, lower
 * sequences before higher ones (see NewEvent.sequence), and the end is committed before `nextInOrder` looks. Either the
 * successor asks after that commit and sees the end, or it asks before, and then its own row was there before the look.
 */

const other = alias(deliveries, 'other');

/** Tells whether an earlier delivery of the same order key is pending. */
export async function hasPendingPredecessor(db: Queryable, deliverySid: string): Promise<boolean> {
  const found = await pendingPredecessor(db, undefined).execute({ deliverySid });
  return found.length > 0;
}

/**
 * The next pending deliveries of the same order key: several where an event is sent more than once at a time. Call it
 * after the end of this one is committed.
 */
export async function nextInOrder(db: Queryable, deliverySid: string): Promise<readonly string[]> {
  const found = await pendingSuccessors(db, undefined).execute({ deliverySid });
  return found.map(({ sid }) => sid);
}

const isPendingBeside = and(eq(deliveries.sid, placeholder('deliverySid')), eq(other.state, 'pending'));

const pendingPredecessor = perDatabase((db) =>
  db
    .select({ sid: other.sid })
    .from(deliveries)
    .innerJoin(other, and(eq(other.orderKey, deliveries.orderKey), lt(other.sequence, deliveries.sequence)))
    .where(isPendingBeside)
    .limit(1)
    .prepare('pending_predecessor'),
);

const next = alias(deliveries, 'next');

const pendingSuccessors = perDatabase((db) => {
  const nextSequence = db
    .select({ sequence: min(next.sequence) })
    .from(next)
    .where(
      and(
        eq(next.orderKey, deliveries.orderKey),
        gt(next.sequence, deliveries.sequence),
        eq(next.state, 'pending'),
      ),
    );
  return db
    .select({ sid: other.sid })
    .from(deliveries)
    .innerJoin(other, and(eq(other.orderKey, deliveries.orderKey), eq(other.sequence, nextSequence)))
    .where(isPendingBeside)
    .prepare('pending_successors');
});

const first = alias(deliveries, 'first');

/** Of the deliveries that have to end before this one, and itself, the first that is pending; `null` where all ended. */
export async function firstPendingInOrder(db: Queryable, deliverySid: string): Promise<string | null> {
  const [row] = await db
    .select({ sid: first.sid })
    .from(deliveries)
    .innerJoin(first, and(eq(first.orderKey, deliveries.orderKey), lte(first.sequence, deliveries.sequence)))
    .where(and(eq(deliveries.sid, deliverySid), eq(first.state, 'pending')))
    .orderBy(asc(first.sequence))
    .limit(1);
  return row?.sid ?? null;
}
