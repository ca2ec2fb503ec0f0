/** What a new order is checked against: before its workflow is started, and as its first step. */
import { and, eq, exists, isNull, ne, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { NumberState, OrderStatus } from '../../domain/hosted-number-order.ts';
import type { Queryable } from '../client.ts';
import { perDatabase } from '../prepared.ts';
import { addresses } from '../schema/addresses.ts';
import { verificationDocuments } from '../schema/authorization-documents.ts';
import { hostedNumberOrders } from '../schema/hosted-number-orders.ts';
import { incomingPhoneNumbers } from '../schema/incoming-phone-numbers.ts';
import { visibleTo } from './accounts.ts';

const { placeholder } = sql;

export interface PlacementQuestion {
  readonly sid: string;
  readonly accountSid: string;
  readonly phoneNumber: string;
  readonly uniqueName: string | null;
  readonly addressSid: string | null;
  readonly verificationDocumentSid: string | null;
}

export interface PlacementFacts {
  /** This very order is stored already: the request is a repetition. */
  readonly stored: boolean;
  readonly numberTaken: boolean;
  readonly nameTaken: boolean;
  readonly addressKnown: boolean;
  readonly verificationDocumentKnown: boolean;
}

/** What stands in the way of a new order, in one query. The write behind it decides races. */
export async function checkPlacement(db: Queryable, question: PlacementQuestion): Promise<PlacementFacts> {
  const { sid, accountSid, phoneNumber, uniqueName, addressSid, verificationDocumentSid } = question;
  const [facts] = await placement(db, undefined).execute({
    sid,
    accountSid,
    phoneNumber,
    uniqueName,
    addressSid,
    verificationDocumentSid,
  });
  if (!facts) throw new Error('a select without a source gave no row');
  return facts;
}

/** Tells whether an order holds the number, in service or in retirement. Row 1 of the order table. */
export async function isNumberHeld(
  db: Queryable,
  phoneNumber: string,
  { exceptBy }: { readonly exceptBy?: string } = {},
): Promise<boolean> {
  const { sid } = hostedNumberOrders;
  const held = await db
    .select({ sid })
    .from(hostedNumberOrders)
    .where(and(isHolderOf(phoneNumber), exceptBy === undefined ? undefined : ne(sid, exceptBy)))
    .limit(1);
  return held.length > 0;
}

/** The order that holds a number, where the account may see it. */
export async function findNumberHolder(
  db: Queryable,
  accountSid: string,
  phoneNumber: string,
): Promise<{ sid: string; status: OrderStatus; numberState: NumberState } | undefined> {
  const { sid, status, incomingPhoneNumberSid } = hostedNumberOrders;
  const [row] = await db
    .select({ sid, status, numberState: incomingPhoneNumbers.state })
    .from(hostedNumberOrders)
    .innerJoin(incomingPhoneNumbers, eq(incomingPhoneNumbers.sid, incomingPhoneNumberSid))
    .where(and(isHolderOf(phoneNumber), visibleTo(db, hostedNumberOrders.accountSid, accountSid)));
  return row;
}

/** Condition for the order that holds a number; by its index `one_live_order_per_number` there is one at most. */
function isHolderOf(phoneNumber: string | Placeholder): SQL | undefined {
  return and(eq(hostedNumberOrders.phoneNumber, phoneNumber), eq(hostedNumberOrders.holdsNumber, true));
}

const placement = perDatabase((db) => {
  const orders = hostedNumberOrders;
  const other = ne(orders.sid, placeholder('sid'));
  const ofAccount = (column: AnyPgColumn): SQL => eq(column, placeholder('accountSid'));
  const order = (where: SQL | undefined): SQL<boolean> =>
    sql`${exists(db.select({ sid: orders.sid }).from(orders).where(where))}`;
  const unlessAbsent = (
    name: string,
    table: typeof addresses | typeof verificationDocuments,
  ): SQL<boolean> => {
    const row = and(eq(table.sid, placeholder(name)), ofAccount(table.accountSid));
    return sql`${placeholder(name)}::text is null or ${exists(db.select({ sid: table.sid }).from(table).where(row))}`;
  };
  return db
    .select({
      stored: order(eq(orders.sid, placeholder('sid'))),
      numberTaken: order(and(isHolderOf(placeholder('phoneNumber')), other)),
      nameTaken: order(
        and(
          ofAccount(orders.accountSid),
          eq(orders.uniqueName, placeholder('uniqueName')),
          isNull(orders.canceledAt),
          other,
        ),
      ),
      addressKnown: unlessAbsent('addressSid', addresses),
      verificationDocumentKnown: unlessAbsent('verificationDocumentSid', verificationDocuments),
    })
    .from(sql`(select 1) as nothing`)
    .prepare('placement');
});
