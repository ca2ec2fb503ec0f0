/** Bulk requests as the API shows them, and what is left of them to do. */
import { and, asc, count, eq, isNull } from 'drizzle-orm';
import type { BulkKind } from '../../domain/bulk-request.ts';
import type { OrderStatus } from '../../domain/hosted-number-order.ts';
import type { Queryable } from '../client.ts';
import { bulkItems, bulkRequests } from '../schema/bulk-requests.ts';
import { hostedNumberOrders } from '../schema/hosted-number-orders.ts';
import { visibleTo } from './accounts.ts';

export type BulkRequestRow = typeof bulkRequests.$inferSelect;
export type BulkItemRow = typeof bulkItems.$inferSelect;

/** A number of a request with where its order stands; `null` while there is no order, or it was canceled. */
export interface BulkResultRow extends BulkItemRow {
  readonly orderStatus: OrderStatus | null;
  readonly failureReason: string | null;
  readonly incomingPhoneNumberSid: string | null;
}

/** A request of the account or one of its sub-accounts. */
export async function findBulkRequest(
  db: Queryable,
  question: { readonly accountSid: string; readonly sid: string; readonly kind: BulkKind },
): Promise<BulkRequestRow | undefined> {
  const [row] = await db
    .select()
    .from(bulkRequests)
    .where(
      and(
        eq(bulkRequests.sid, question.sid),
        eq(bulkRequests.kind, question.kind),
        visibleTo(db, bulkRequests.accountSid, question.accountSid),
      ),
    );
  return row;
}

/** Any account's request, for its workflow. */
export async function findAnyBulkRequest(db: Queryable, sid: string): Promise<BulkRequestRow | undefined> {
  const [row] = await db.select().from(bulkRequests).where(eq(bulkRequests.sid, sid));
  return row;
}

/** All numbers of a request in the order they were sent. */
export function readBulkResults(db: Queryable, requestSid: string): Promise<BulkResultRow[]> {
  return db
    .select({
      requestSid: bulkItems.requestSid,
      number: bulkItems.number,
      accountSid: bulkItems.accountSid,
      phoneNumber: bulkItems.phoneNumber,
      details: bulkItems.details,
      orderSid: bulkItems.orderSid,
      outcome: bulkItems.outcome,
      orderStatus: hostedNumberOrders.status,
      failureReason: hostedNumberOrders.failureReason,
      incomingPhoneNumberSid: hostedNumberOrders.incomingPhoneNumberSid,
    })
    .from(bulkItems)
    .leftJoin(
      hostedNumberOrders,
      and(eq(hostedNumberOrders.sid, bulkItems.orderSid), isNull(hostedNumberOrders.canceledAt)),
    )
    .where(eq(bulkItems.requestSid, requestSid))
    .orderBy(asc(bulkItems.number));
}

/** The next numbers whose turn has not come. */
export function listWaitingBulkItems(
  db: Queryable,
  requestSid: string,
  size: number,
): Promise<BulkItemRow[]> {
  return db.select().from(bulkItems).where(waiting(requestSid)).orderBy(asc(bulkItems.number)).limit(size);
}

export async function countWaitingBulkItems(db: Queryable, requestSid: string): Promise<number> {
  const [row] = await db.select({ count: count() }).from(bulkItems).where(waiting(requestSid));
  return row?.count ?? 0;
}

const waiting = (requestSid: string) => and(eq(bulkItems.requestSid, requestSid), isNull(bulkItems.outcome));
