/** Subscriptions of an account. A deleted one is nobody's to see, though its deliveries stay. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { EventType } from '../../domain/events.ts';
import type { Queryable } from '../client.ts';
import { accounts } from '../schema/accounts.ts';
import { deliveries } from '../schema/deliveries.ts';
import { subscriptions } from '../schema/subscriptions.ts';
import { keyset, toPage, type PageOf, type PageRequest } from './page.ts';

export type SubscriptionRow = typeof subscriptions.$inferSelect;

export async function findSubscription(
  db: Queryable,
  { accountSid, sid }: { readonly accountSid: string; readonly sid: string },
): Promise<SubscriptionRow | undefined> {
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.sid, sid),
        eq(subscriptions.accountSid, accountSid),
        isNull(subscriptions.dateDeleted),
      ),
    );
  return row;
}

export interface SubscriptionFilter {
  readonly accountSid: string;
  readonly phoneNumber?: string | null | undefined;
  readonly eventType?: EventType | null | undefined;
  readonly enabled?: boolean | null | undefined;
}

/** Newest first. */
export async function listSubscriptions(
  db: Queryable,
  { accountSid, phoneNumber, eventType, enabled }: SubscriptionFilter,
  request: PageRequest,
): Promise<PageOf<SubscriptionRow>> {
  const { where, orderBy, limit, offset } = keyset(subscriptions.position, request);
  const rows = await db
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.accountSid, accountSid),
        isNull(subscriptions.dateDeleted),
        phoneNumber ? eq(subscriptions.phoneNumber, phoneNumber) : undefined,
        eventType ? sql`${subscriptions.events} ? ${eventType}` : undefined,
        typeof enabled === 'boolean' ? eq(subscriptions.enabled, enabled) : undefined,
        where,
      ),
    )
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset);
  return toPage(rows, request, (row) => row.position);
}

export interface SwitchedOffEndpoint {
  readonly subscriptionSid: string;
  readonly url: string;
  readonly reason: string;
  readonly accountName: string;
  /** Where the account is told; `null` when it gave no address. */
  readonly email: string | null;
}

/** The endpoint that a delivery's attempt switched off; `undefined` when it has been switched on again. */
export async function findSwitchedOff(
  db: Queryable,
  deliverySid: string,
): Promise<SwitchedOffEndpoint | undefined> {
  const [row] = await db
    .select({
      subscriptionSid: subscriptions.sid,
      url: subscriptions.url,
      reason: subscriptions.disabledReason,
      accountName: accounts.friendlyName,
      email: accounts.email,
    })
    .from(deliveries)
    .innerJoin(subscriptions, eq(subscriptions.sid, deliveries.subscriptionSid))
    .innerJoin(accounts, eq(accounts.sid, deliveries.accountSid))
    .where(and(eq(deliveries.sid, deliverySid), eq(subscriptions.disabledBy, deliverySid)));
  return row && { ...row, reason: row.reason ?? '' };
}
