/** What only the console shows: search by a part of a number, an order's callbacks, counts, every account. */
import { and, count, desc, eq, isNull, like, sql, type SQL } from 'drizzle-orm';
import type { OrderStatus } from '../../domain/hosted-number-order.ts';
import type { OrderState } from '../../domain/order-facts.ts';
import type { Queryable } from '../client.ts';
import { isAnyOf } from '../lists.ts';
import { accounts } from '../schema/accounts.ts';
import { deliveries, events } from '../schema/deliveries.ts';
import { hostedNumberOrders } from '../schema/hosted-number-orders.ts';
import { incomingPhoneNumbers } from '../schema/incoming-phone-numbers.ts';
import { timelineEntries } from '../schema/timeline-entries.ts';
import type { AccountRow } from './accounts.ts';
import type { DeliveryRow } from './deliveries.ts';
import { itsNumber, orderStateColumns } from './order-state.ts';
import { keyset, toPage, type PageOf, type PageRequest } from './page.ts';

export interface OrderSearch {
  /** `null`: of every account, for operators. */
  readonly accountSid: string | null;
  readonly status: OrderStatus | null;
  /** Digits that the number contains; empty for all. */
  readonly digits: string;
}

export interface FoundOrder extends OrderState {
  readonly sid: string;
  readonly position: number;
  readonly accountSid: string;
  readonly phoneNumber: string;
  readonly friendlyName: string | null;
  readonly failureReason: string | null;
  readonly dateUpdated: Date;
}

/** Orders, newest first. Canceled ones are not among them. */
export async function searchOrders(
  db: Queryable,
  { accountSid, status, digits }: OrderSearch,
  request: PageRequest,
): Promise<PageOf<FoundOrder>> {
  const orders = hostedNumberOrders;
  const { where, orderBy, limit, offset } = keyset(orders.position, request);
  const rows = await db
    .select({
      sid: orders.sid,
      position: orders.position,
      accountSid: orders.accountSid,
      phoneNumber: orders.phoneNumber,
      friendlyName: orders.friendlyName,
      failureReason: orders.failureReason,
      dateUpdated: orders.dateUpdated,
      ...orderStateColumns(db),
    })
    .from(orders)
    .innerJoin(incomingPhoneNumbers, itsNumber)
    .where(
      and(
        accountSid === null ? undefined : eq(orders.accountSid, accountSid),
        isNull(orders.canceledAt),
        status === null ? undefined : eq(orders.status, status),
        containsDigits(digits),
        where,
      ),
    )
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset);
  return toPage(rows, request, (row) => row.position);
}

function containsDigits(digits: string): SQL | undefined {
  const only = digits.replaceAll(/\D/g, '');
  return only === '' ? undefined : like(hostedNumberOrders.phoneNumber, `%${only}%`);
}

/** Deliveries of what happened to one resource, such as an order's status callbacks. Newest first, 50 at most. */
export async function listResourceDeliveries(db: Queryable, resourceSid: string): Promise<DeliveryRow[]> {
  const rows = await db
    .select({ delivery: deliveries })
    .from(deliveries)
    .innerJoin(events, eq(events.sid, deliveries.eventSid))
    .where(eq(events.resourceSid, resourceSid))
    .orderBy(desc(deliveries.position))
    .limit(50);
  return rows.map(({ delivery }) => delivery);
}

/** When each of these orders came into the status it has: the first entry of its last run of equal statuses. */
export async function findStatusSince(
  db: Queryable,
  orderSids: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (orderSids.length === 0) return new Map();
  const entries = timelineEntries;
  const previous = sql<string | null>`lag(${entries.status}) over (
    partition by ${entries.resourceSid} order by ${entries.sequence})`;
  const changes = db
    .select({
      resourceSid: entries.resourceSid,
      at: entries.at,
      changed: sql<boolean>`${previous} is distinct from ${entries.status}`.as('changed'),
    })
    .from(entries)
    .where(isAnyOf(entries.resourceSid, orderSids))
    .as('changes');
  const rows = await db
    .select({ sid: changes.resourceSid, since: sql<Date>`max(${changes.at})`.mapWith(entries.at) })
    .from(changes)
    .where(eq(changes.changed, true))
    .groupBy(changes.resourceSid);
  return new Map(rows.map(({ sid, since }) => [sid, since]));
}

export interface AccountOverview extends AccountRow {
  readonly orderCount: number;
}

/** Every account with the number of its orders, newest first. For operators. */
export async function listAllAccounts(db: Queryable, request: PageRequest): Promise<PageOf<AccountOverview>> {
  const { where, orderBy, limit, offset } = keyset(accounts.position, request);
  const orderCount = db
    .select({ count: count() })
    .from(hostedNumberOrders)
    .where(and(eq(hostedNumberOrders.accountSid, accounts.sid), isNull(hostedNumberOrders.canceledAt)));
  const rows = await db
    .select({ account: accounts, orderCount: sql<number>`(${orderCount})`.mapWith(Number) })
    .from(accounts)
    .where(where)
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset);
  const found = rows.map(({ account, orderCount }) => ({ ...account, orderCount }));
  return toPage(found, request, (row) => row.position);
}
