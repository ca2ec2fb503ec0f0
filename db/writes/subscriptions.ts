/** Subscriptions are plain configuration: the API writes them, through `configuration.ts`. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Queryable } from '../client.ts';
import { subscriptions } from '../schema/subscriptions.ts';

type SubscriptionRow = typeof subscriptions.$inferSelect;

/** What a customer says about an endpoint. */
export type SubscriptionSettings = Pick<
  SubscriptionRow,
  'url' | 'method' | 'events' | 'phoneNumber' | 'friendlyName' | 'headers' | 'maxPerSecond' | 'enabled'
>;

export interface NewSubscription extends SubscriptionSettings {
  readonly sid: string;
  readonly accountSid: string;
  readonly secretSealed: string;
  readonly at: Date;
}

/** Inserts or ignores, and answers the row that is there. Key: sid. */
export async function insertSubscription(
  db: Queryable,
  { at, ...subscription }: NewSubscription,
): Promise<SubscriptionRow | undefined> {
  const [made] = await db
    .insert(subscriptions)
    .values({ ...subscription, dateCreated: at, dateUpdated: at })
    .onConflictDoNothing()
    .returning();
  if (made) return made;
  const [found] = await db.select().from(subscriptions).where(owned(subscription));
  return found;
}

interface SubscriptionKey {
  readonly accountSid: string;
  readonly sid: string;
}

/** Changes what is given. Switched on, or at another address, an endpoint starts with a clean record. */
export async function updateSubscription(
  db: Queryable,
  key: SubscriptionKey,
  { at, ...changes }: Partial<SubscriptionSettings> & { readonly at: Date },
): Promise<SubscriptionRow | undefined> {
  const [row] = await db
    .update(subscriptions)
    .set({ ...changes, ...recordAfter(changes), dateUpdated: at })
    .where(owned(key))
    .returning();
  return row;
}

function recordAfter({ url, enabled }: Partial<SubscriptionSettings>) {
  if (enabled !== undefined) {
    const disabledReason = enabled ? null : 'switched off by its owner';
    return { failingSince: null, lastFailureAt: null, disabledBy: null, disabledReason };
  }
  if (url === undefined) return {};
  const { failingSince, lastFailureAt, url: present } = subscriptions;
  const unlessMoved = (moment: PgColumn) => sql`case when ${present} = ${url} then ${moment} end`;
  return { failingSince: unlessMoved(failingSince), lastFailureAt: unlessMoved(lastFailureAt) };
}

export interface SecretRotation {
  readonly secretSealed: string;
  /** Until when deliveries carry a signature of the old secret as well. */
  readonly previousSecretUntil: Date;
  readonly at: Date;
}

/** Of so many secrets before the present one. Each has a signature of its own in the headers of every delivery. */
const mostPreviousSecrets = 9;

/**
 * Puts a new secret in place of the present one, which stays valid for a while, as do those before it. Undefined where
 * there is no such subscription.
 */
export async function rotateSecret(
  db: Queryable,
  key: SubscriptionKey,
  { secretSealed, previousSecretUntil, at }: SecretRotation,
): Promise<SubscriptionRow | undefined> {
  const { secretSealed: present, previousSecrets } = subscriptions;
  const until = previousSecretUntil.toISOString();
  const all = sql`jsonb_build_object('sealed', ${present}, 'until', ${until}::text) || ${previousSecrets}`;
  const [row] = await db
    .update(subscriptions)
    .set({
      secretSealed,
      previousSecrets: sql`jsonb_path_query_array(${all}, ${`$[0 to ${mostPreviousSecrets - 1}]`}::jsonpath)`,
      dateUpdated: at,
    })
    .where(owned(key))
    .returning();
  return row;
}

/** Marks a subscription as deleted: no event finds it any more, its deliveries end at their next attempt. */
export async function deleteSubscription(db: Queryable, key: SubscriptionKey, at: Date): Promise<boolean> {
  const rows = await db
    .update(subscriptions)
    .set({ dateDeleted: at, dateUpdated: at })
    .where(owned(key))
    .returning({ sid: subscriptions.sid });
  return rows.length > 0;
}

function owned({ accountSid, sid }: SubscriptionKey) {
  return and(
    eq(subscriptions.sid, sid),
    eq(subscriptions.accountSid, accountSid),
    isNull(subscriptions.dateDeleted),
  );
}
