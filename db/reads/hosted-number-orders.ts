/** Orders as the API and the console show them. A canceled order is gone; its timeline stays. */
import { and, asc, eq, inArray, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { OrderStatus } from '../../domain/hosted-number-order.ts';
import type { Queryable } from '../client.ts';
import { addresses } from '../schema/addresses.ts';
import { hostedNumberOrders } from '../schema/hosted-number-orders.ts';
import { incomingPhoneNumbers } from '../schema/incoming-phone-numbers.ts';
import { verificationAttempts, verificationDocuments } from '../tables.ts';
import { visibleTo } from './accounts.ts';
import { keyset, toPage, type PageOf, type PageRequest } from './page.ts';

/** An order with the code of its live verification call, `null` while there is none. */
export type OrderRow = typeof hostedNumberOrders.$inferSelect & { readonly verificationCode: string | null };

/** An order as an operator sees it: with the state of its number. */
export type OperatorOrder = OrderRow & { readonly numberState: string | null };

/** An order of the account or its sub-accounts by sid, or one of its own by unique name. */
export async function findOrder(
  db: Queryable,
  accountSid: string,
  name: string,
): Promise<OrderRow | undefined> {
  const bySid = and(
    eq(hostedNumberOrders.sid, name),
    visibleTo(db, hostedNumberOrders.accountSid, accountSid),
  );
  const byName = and(eq(hostedNumberOrders.uniqueName, name), eq(hostedNumberOrders.accountSid, accountSid));
  const rows = await selectOrders(db)
    .where(and(/^HR[0-9a-f]{32}$/i.test(name) ? bySid : byName, isNull(hostedNumberOrders.canceledAt)))
    .limit(1);
  return rows.map(withCode)[0];
}

/** Any account's order, for operators and for callbacks that know its sid. */
export async function findAnyOrder(db: Queryable, sid: string): Promise<OperatorOrder | undefined> {
  const [row] = await db
    .select({
      order: hostedNumberOrders,
      code: verificationAttempts.code,
      numberState: incomingPhoneNumbers.state,
    })
    .from(hostedNumberOrders)
    .leftJoin(verificationAttempts, liveAttempt())
    .leftJoin(incomingPhoneNumbers, eq(incomingPhoneNumbers.sid, hostedNumberOrders.incomingPhoneNumberSid))
    .where(eq(hostedNumberOrders.sid, sid));
  return row && { ...withCode(row), numberState: row.numberState };
}

export interface OrderFilter {
  readonly status?: OrderStatus | null | undefined;
  readonly phoneNumber?: string | null | undefined;
  readonly incomingPhoneNumberSid?: string | null | undefined;
  readonly friendlyName?: string | null | undefined;
  readonly uniqueName?: string | null | undefined;
  readonly signingDocumentSid?: string | null | undefined;
}

/** Orders of one account, newest first; of every account where none is named (operators only). */
export async function listOrders(
  db: Queryable,
  accountSid: string | null,
  filter: OrderFilter,
  request: PageRequest,
): Promise<PageOf<OrderRow>> {
  const { where, orderBy, limit, offset } = keyset(hostedNumberOrders.position, request);
  const rows = await selectOrders(db)
    .where(
      and(
        accountSid === null ? undefined : eq(hostedNumberOrders.accountSid, accountSid),
        isNull(hostedNumberOrders.canceledAt),
        filtered(filter),
        where,
      ),
    )
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset);
  return toPage(rows.map(withCode), request, (row) => row.position);
}

/** Orders that wait for an administrator: in action-required, or with a phone bill to review. */
export async function listWaitingOrders(db: Queryable, request: PageRequest): Promise<PageOf<OrderRow>> {
  const { where, orderBy, limit, offset } = keyset(hostedNumberOrders.position, request);
  const billWaits = and(
    inArray(hostedNumberOrders.status, ['pending-verification', 'pending-loa']),
    eq(hostedNumberOrders.verificationType, 'phone-bill'),
    isNotNull(hostedNumberOrders.verificationDocumentSid),
    eq(hostedNumberOrders.ownershipVerified, false),
  );
  const rows = await selectOrders(db)
    .where(
      and(
        or(eq(hostedNumberOrders.status, 'action-required'), billWaits),
        isNull(hostedNumberOrders.canceledAt),
        where,
      ),
    )
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset);
  return toPage(rows.map(withCode), request, (row) => row.position);
}

/** Sid and account of every one of these orders that the account may see. */
export function findOrderOwners(
  db: Queryable,
  accountSid: string,
  sids: readonly string[],
): Promise<{ sid: string; accountSid: string; addressSid: string | null }[]> {
  return db
    .select({
      sid: hostedNumberOrders.sid,
      accountSid: hostedNumberOrders.accountSid,
      addressSid: hostedNumberOrders.addressSid,
    })
    .from(hostedNumberOrders)
    .where(
      and(
        inArray(hostedNumberOrders.sid, [...sids]),
        visibleTo(db, hostedNumberOrders.accountSid, accountSid),
        isNull(hostedNumberOrders.canceledAt),
      ),
    )
    .orderBy(asc(hostedNumberOrders.position));
}

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
  const orders = hostedNumberOrders;
  const [facts] = await db.execute<{ [Name in keyof PlacementFacts]: boolean }>(sql`select
    exists (select 1 from ${orders} where ${orders.sid} = ${sid}) as "stored",
    exists (select 1 from ${orders} where ${orders.phoneNumber} = ${phoneNumber} and ${orders.holdsNumber}
      and ${orders.sid} <> ${sid}) as "numberTaken",
    ${
      uniqueName === null
        ? sql`false`
        : sql`exists (select 1 from ${orders} where ${orders.accountSid} = ${accountSid}
          and ${orders.uniqueName} = ${uniqueName} and ${orders.canceledAt} is null and ${orders.sid} <> ${sid})`
    } as "nameTaken",
    ${
      addressSid === null
        ? sql`true`
        : sql`exists (select 1 from ${addresses} where ${addresses.sid} = ${addressSid}
          and ${addresses.accountSid} = ${accountSid})`
    } as "addressKnown",
    ${
      verificationDocumentSid === null
        ? sql`true`
        : sql`exists (select 1 from ${verificationDocuments}
          where ${verificationDocuments.sid} = ${verificationDocumentSid}
          and ${verificationDocuments.accountSid} = ${accountSid})`
    } as "verificationDocumentKnown"`);
  if (!facts) throw new Error('a select without a source gave no row');
  return facts;
}

function filtered(filter: OrderFilter): SQL | undefined {
  const { status, phoneNumber, incomingPhoneNumberSid, friendlyName, uniqueName, signingDocumentSid } =
    filter;
  return and(
    status ? eq(hostedNumberOrders.status, status) : undefined,
    phoneNumber ? eq(hostedNumberOrders.phoneNumber, phoneNumber) : undefined,
    incomingPhoneNumberSid
      ? eq(hostedNumberOrders.incomingPhoneNumberSid, incomingPhoneNumberSid)
      : undefined,
    friendlyName ? eq(hostedNumberOrders.friendlyName, friendlyName) : undefined,
    uniqueName ? eq(hostedNumberOrders.uniqueName, uniqueName) : undefined,
    signingDocumentSid ? eq(hostedNumberOrders.signingDocumentSid, signingDocumentSid) : undefined,
  );
}

/** Every earlier code of an order is voided when a call begins: at most one attempt has a code. */
function liveAttempt(): SQL | undefined {
  return and(eq(verificationAttempts.orderSid, hostedNumberOrders.sid), isNotNull(verificationAttempts.code));
}

function selectOrders(db: Queryable) {
  return db
    .select({ order: hostedNumberOrders, code: verificationAttempts.code })
    .from(hostedNumberOrders)
    .leftJoin(verificationAttempts, liveAttempt())
    .$dynamic();
}

function withCode(row: { order: typeof hostedNumberOrders.$inferSelect; code: string | null }): OrderRow {
  return { ...row.order, verificationCode: row.code };
}
