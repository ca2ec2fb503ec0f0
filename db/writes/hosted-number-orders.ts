/** Orders and their numbers, written by activities only. Each write may be repeated. */
import { and, eq, lt, sql } from 'drizzle-orm';
import type { NumberState, OrderStatus } from '../../domain/hosted-number-order.ts';
import type { OrderRequest, OrderSnapshot, TimelineEntry } from '../../domain/ports.ts';
import type { Db } from '../client.ts';
import { violatedUniqueness } from '../errors.ts';
import { hostedNumberOrders } from '../schema/hosted-number-orders.ts';
import { incomingPhoneNumbers } from '../schema/incoming-phone-numbers.ts';
import { timelineEntries } from '../schema/timeline-entries.ts';
import { appendTimeline, timelineRows } from './timeline.ts';
import { voidCodes } from './verification-attempts.ts';

export interface NewOrder {
  readonly request: OrderRequest;
  readonly status: OrderStatus;
  readonly failureReason: string | null;
  readonly ownershipVerified: boolean;
  readonly documentSigned: boolean;
  readonly numberState: NumberState;
  readonly holdsNumber: boolean;
  readonly at: Date;
  /** At least one entry. */
  readonly timeline: readonly TimelineEntry[];
}

/** `number-taken`, `name-taken`: nothing was stored. `exists`: a write before this one stored the order. */
export type OrderInsertion =
  | { readonly kind: 'stored' | 'number-taken' | 'name-taken' }
  | { readonly kind: 'exists'; readonly status: OrderStatus; readonly failureReason: string | null };

/** Stores order, number and first timeline entries in one statement: all or none. Key: the order's sid. */
export async function insertOrder(db: Db, order: NewOrder): Promise<OrderInsertion> {
  const { sid } = order.request;
  const number = db.$with('number').as(
    db.insert(incomingPhoneNumbers).values(numberRow(order)).onConflictDoNothing({
      target: incomingPhoneNumbers.sid,
    }),
  );
  const timeline = db
    .$with('timeline')
    .as(db.insert(timelineEntries).values(timelineRows(sid, order.timeline)).onConflictDoNothing());
  try {
    const stored = await db
      .with(number, timeline)
      .insert(hostedNumberOrders)
      .values(orderRow(order))
      .onConflictDoNothing({ target: hostedNumberOrders.sid })
      .returning({ sid: hostedNumberOrders.sid });
    return stored.length > 0 ? { kind: 'stored' } : await existingOrder(db, sid);
  } catch (err) {
    const index = violatedUniqueness(err);
    if (index === 'one_live_order_per_number') return { kind: 'number-taken' };
    if (index === 'order_unique_name') return { kind: 'name-taken' };
    throw err;
  }
}

/** Copies a state of the order to the read model, unless a later one is there. Key: sid and revision. */
export async function writeOrderSnapshot(db: Db, snapshot: OrderSnapshot): Promise<void> {
  await db.transaction(async (tx) => {
    const { sid, numberState, canceled, timeline, updatedAt, releasedAt, ...columns } = snapshot;
    const dateUpdated = new Date(updatedAt);
    const written = await tx
      .update(hostedNumberOrders)
      .set({
        ...columns,
        dateUpdated,
        canceledAt: canceled ? sql`coalesce(${hostedNumberOrders.canceledAt}, ${updatedAt})` : null,
      })
      .where(and(eq(hostedNumberOrders.sid, sid), lt(hostedNumberOrders.revision, snapshot.revision)))
      .returning({ sid: hostedNumberOrders.sid });
    if (written.length > 0) {
      await tx
        .update(incomingPhoneNumbers)
        .set({
          state: numberState,
          releasedAt: releasedAt === null ? null : new Date(releasedAt),
          dateUpdated,
        })
        .where(eq(incomingPhoneNumbers.orderSid, sid));
      if (snapshot.ownershipVerified || !snapshot.holdsNumber) await voidCodes(tx, sid);
    }
    await appendTimeline(tx, sid, timeline);
  });
}

/** Gives an order a name that no other uncanceled order of its account has. Tells whether it could. */
export async function writeUniqueName(db: Db, orderSid: string, uniqueName: string | null): Promise<boolean> {
  try {
    await db.update(hostedNumberOrders).set({ uniqueName }).where(eq(hostedNumberOrders.sid, orderSid));
    return true;
  } catch (err) {
    if (violatedUniqueness(err) === 'order_unique_name') return false;
    throw err;
  }
}

async function existingOrder(db: Db, sid: string): Promise<OrderInsertion> {
  const [order] = await db
    .select({ status: hostedNumberOrders.status, failureReason: hostedNumberOrders.failureReason })
    .from(hostedNumberOrders)
    .where(eq(hostedNumberOrders.sid, sid));
  if (!order) throw new Error(`order ${sid} was neither stored nor found`);
  return { kind: 'exists', ...order };
}

function orderRow(order: NewOrder): typeof hostedNumberOrders.$inferInsert {
  const { request, at } = order;
  return {
    sid: request.sid,
    accountSid: request.accountSid,
    incomingPhoneNumberSid: request.incomingPhoneNumberSid,
    addressSid: request.addressSid,
    phoneNumber: request.phoneNumber,
    friendlyName: request.friendlyName,
    uniqueName: request.uniqueName,
    status: order.status,
    failureReason: order.failureReason,
    email: request.email,
    ccEmails: request.ccEmails,
    verificationType: request.verificationType,
    verificationDocumentSid: request.verificationDocumentSid,
    ownershipVerified: order.ownershipVerified,
    documentSigned: order.documentSigned,
    statusCallbackUrl: request.statusCallbackUrl,
    statusCallbackMethod: request.statusCallbackMethod,
    revision: 1,
    holdsNumber: order.holdsNumber,
    dateCreated: at,
    dateUpdated: at,
  };
}

/** The number is there from the order's first moment, so that its settings can be made early. */
function numberRow({ request, numberState, at }: NewOrder): typeof incomingPhoneNumbers.$inferInsert {
  return {
    sid: request.incomingPhoneNumberSid,
    accountSid: request.accountSid,
    orderSid: request.sid,
    phoneNumber: request.phoneNumber,
    friendlyName: request.friendlyName ?? request.phoneNumber,
    state: numberState,
    smsUrl: request.smsUrl,
    smsMethod: request.smsMethod,
    smsFallbackUrl: request.smsFallbackUrl,
    smsFallbackMethod: request.smsFallbackMethod,
    smsApplicationSid: request.smsApplicationSid,
    statusCallback: request.statusCallbackUrl,
    statusCallbackMethod: request.statusCallbackMethod,
    addressSid: request.addressSid,
    dateCreated: at,
    dateUpdated: at,
  };
}
