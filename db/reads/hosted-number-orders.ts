/** Orders as the API and the console show them. A canceled order is gone; its timeline stays. */
import { and, asc, eq, getTableColumns, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import type { OrderStatus } from '../../domain/hosted-number-order.ts';
import type { OrderState } from '../../domain/order-facts.ts';
import { isSid } from '../../domain/sid.ts';
import type { Queryable } from '../client.ts';
import { isAnyOf } from '../lists.ts';
import { perDatabase } from '../prepared.ts';
import { awaitsAdministrator, hostedNumberOrders } from '../schema/hosted-number-orders.ts';
import { incomingPhoneNumbers } from '../schema/incoming-phone-numbers.ts';
import { verificationAttempts } from '../schema/verification-attempts.ts';
import { visibleTo } from './accounts.ts';
import { itsNumber, orderStateColumns } from './order-state.ts';
import { keyset, keysetValues, preparedKeyset, toPage, type PageOf, type PageRequest } from './page.ts';

const { placeholder } = sql;

/** An order with the code of its live verification call, `null` while there is none. */
export type OrderRow = typeof hostedNumberOrders.$inferSelect & { readonly verificationCode: string | null };

/** An order with what the order table looks at: the state of its number, and whether it is being called. */
export type OperatorOrder = OrderRow & OrderState;

/** An order of the account or its sub-accounts by sid, or one of its own by unique name. */
export async function findOrder(
  db: Queryable,
  accountSid: string,
  name: string,
): Promise<OrderRow | undefined> {
  const find = isSid('hostedNumberOrder', name) ? orderBySid : orderByName;
  const [row] = await find(db, undefined).execute({ accountSid, name });
  return row;
}

const orderBySid = perDatabase((db) =>
  selectOrders(db)
    .where(
      and(
        eq(hostedNumberOrders.sid, placeholder('name')),
        visibleTo(db, hostedNumberOrders.accountSid, placeholder('accountSid')),
        isNull(hostedNumberOrders.canceledAt),
      ),
    )
    .limit(1)
    .prepare('order_by_sid'),
);

const orderByName = perDatabase((db) =>
  selectOrders(db)
    .where(
      and(
        eq(hostedNumberOrders.uniqueName, placeholder('name')),
        eq(hostedNumberOrders.accountSid, placeholder('accountSid')),
        isNull(hostedNumberOrders.canceledAt),
      ),
    )
    .limit(1)
    .prepare('order_by_name'),
);

/** Any account's order, for operators and for callbacks that know its sid. */
export async function findAnyOrder(db: Queryable, sid: string): Promise<OperatorOrder | undefined> {
  const [row] = await db
    .select({
      ...getTableColumns(hostedNumberOrders),
      ...orderStateColumns(db),
      verificationCode: verificationAttempts.code,
    })
    .from(hostedNumberOrders)
    .leftJoin(verificationAttempts, liveAttempt())
    .innerJoin(incomingPhoneNumbers, itsNumber)
    .where(eq(hostedNumberOrders.sid, sid));
  return row;
}

/** What a status callback tells of its order, which may be canceled, and where it goes. */
export type CallbackOrder = NonNullable<Awaited<ReturnType<typeof findCallbackOrder>>>;

export async function findCallbackOrder(db: Queryable, sid: string) {
  const [row] = await db
    .select({
      sid: hostedNumberOrders.sid,
      accountSid: hostedNumberOrders.accountSid,
      incomingPhoneNumberSid: hostedNumberOrders.incomingPhoneNumberSid,
      signingDocumentSid: hostedNumberOrders.signingDocumentSid,
      phoneNumber: hostedNumberOrders.phoneNumber,
      friendlyName: hostedNumberOrders.friendlyName,
      uniqueName: hostedNumberOrders.uniqueName,
      statusCallbackUrl: hostedNumberOrders.statusCallbackUrl,
      statusCallbackMethod: hostedNumberOrders.statusCallbackMethod,
    })
    .from(hostedNumberOrders)
    .where(eq(hostedNumberOrders.sid, sid));
  return row;
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
  const given = { ...filter, accountSid };
  const rows = await orderPage(db, pageShape(request, given)).execute({
    ...given,
    ...keysetValues(request),
  });
  return toPage(rows, request, (row) => row.position);
}

const filterNames = [
  'accountSid',
  'status',
  'phoneNumber',
  'incomingPhoneNumberSid',
  'friendlyName',
  'uniqueName',
  'signingDocumentSid',
] as const;

/** Direction and filters of a page. Each shape has a statement of its own, planned for the index that serves it. */
export function pageShape(request: PageRequest, given: OrderFilter & { accountSid: string | null }): string {
  return [request.cursor?.direction ?? 'first', ...filterNames.filter((name) => given[name])].join();
}

const orderPage = perDatabase((db, shape: string) => {
  const { where, orderBy, limit, offset } = pageOf(shape);
  return selectOrders(db)
    .where(where)
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset)
    .prepare(`orders_${shape}`);
});

/** Condition, order and limits of a page of this shape, with placeholders. */
export function pageOf(shape: string) {
  const [direction, ...names] = shape.split(',');
  const { where, ...page } = preparedKeyset(hostedNumberOrders.position, direction);
  const filters = filterNames
    .filter((name) => names.includes(name))
    .map((name) => eq(hostedNumberOrders[name], placeholder(name)));
  return { ...page, where: and(...filters, isNull(hostedNumberOrders.canceledAt), where) };
}

/** Orders that wait for an administrator, newest first. */
export async function listWaitingOrders(db: Queryable, request: PageRequest): Promise<PageOf<OrderRow>> {
  const { where, orderBy, limit, offset } = keyset(hostedNumberOrders.position, request);
  const rows = await selectOrders(db)
    .where(and(awaitsAdministrator(hostedNumberOrders), where))
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset);
  return toPage(rows, request, (row) => row.position);
}

/** What is looked at of an order before a document takes it in. */
export type DocumentCandidate = OrderState &
  Pick<OrderRow, 'sid' | 'accountSid' | 'phoneNumber' | 'addressSid'>;

/** Every one of these orders that the account may see. */
export function findDocumentCandidates(
  db: Queryable,
  accountSid: string,
  sids: readonly string[],
): Promise<DocumentCandidate[]> {
  return db
    .select({
      sid: hostedNumberOrders.sid,
      accountSid: hostedNumberOrders.accountSid,
      phoneNumber: hostedNumberOrders.phoneNumber,
      addressSid: hostedNumberOrders.addressSid,
      ...orderStateColumns(db),
    })
    .from(hostedNumberOrders)
    .innerJoin(incomingPhoneNumbers, itsNumber)
    .where(
      and(
        isAnyOf(hostedNumberOrders.sid, sids),
        visibleTo(db, hostedNumberOrders.accountSid, accountSid),
        isNull(hostedNumberOrders.canceledAt),
      ),
    )
    .orderBy(asc(hostedNumberOrders.position));
}

/**
 * Every earlier code of an order is voided when a call begins, and its own when it ends: at most one attempt has a code,
 * and that one is open, which the index of open ones has to be told.
 */
export function liveAttempt(): SQL | undefined {
  const { orderSid, code, outcome } = verificationAttempts;
  return and(eq(orderSid, hostedNumberOrders.sid), isNotNull(code), isNull(outcome));
}

function selectOrders(db: Queryable) {
  return db
    .select({ ...getTableColumns(hostedNumberOrders), verificationCode: verificationAttempts.code })
    .from(hostedNumberOrders)
    .leftJoin(verificationAttempts, liveAttempt())
    .$dynamic();
}
