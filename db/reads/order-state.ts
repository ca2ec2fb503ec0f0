/** What the order table looks at, of an order, its number and its calls together. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { OrderState } from '../../domain/order-facts.ts';
import type { Queryable } from '../client.ts';
import { isAnyOf } from '../lists.ts';
import { hostedNumberOrders } from '../schema/hosted-number-orders.ts';
import { incomingPhoneNumbers } from '../schema/incoming-phone-numbers.ts';
import { verificationAttempts } from '../schema/verification-attempts.ts';

/** Columns of an `OrderState`, for a query of orders that joins their numbers. */
export function orderStateColumns(db: Queryable) {
  return {
    status: hostedNumberOrders.status,
    verificationAttempts: hostedNumberOrders.verificationAttempts,
    callLive: hasOpenCall(db),
    billUnderReview: hostedNumberOrders.billUnderReview,
    ownershipVerified: hostedNumberOrders.ownershipVerified,
    signingDocumentSid: hostedNumberOrders.signingDocumentSid,
    documentSigned: hostedNumberOrders.documentSigned,
    numberState: incomingPhoneNumbers.state,
    canceledAt: hostedNumberOrders.canceledAt,
  };
}

/** Joins an order with its number, which is made in the same statement and never deleted. */
export const itsNumber = eq(incomingPhoneNumbers.sid, hostedNumberOrders.incomingPhoneNumberSid);

function hasOpenCall(db: Queryable): SQL<boolean> {
  const open = db
    .select({ callNumber: verificationAttempts.callNumber })
    .from(verificationAttempts)
    .where(
      and(eq(verificationAttempts.orderSid, hostedNumberOrders.sid), isNull(verificationAttempts.outcome)),
    );
  return sql<boolean>`exists (${open})`;
}

/** An order's state, and what else its customer gave with its number. */
export interface OrderSurroundings extends OrderState {
  readonly otherSettings: Readonly<Record<string, string>>;
}

/** Of each of these orders, by sid. */
export async function readSurroundings(
  db: Queryable,
  orderSids: readonly string[],
): Promise<ReadonlyMap<string, OrderSurroundings>> {
  if (orderSids.length === 0) return new Map();
  const rows = await db
    .select({
      sid: hostedNumberOrders.sid,
      ...orderStateColumns(db),
      otherSettings: incomingPhoneNumbers.otherSettings,
    })
    .from(hostedNumberOrders)
    .innerJoin(incomingPhoneNumbers, itsNumber)
    .where(isAnyOf(hostedNumberOrders.sid, orderSids));
  return new Map(rows.map((row) => [row.sid, row]));
}
