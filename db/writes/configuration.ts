/**
 * What the API itself writes: plain configuration that no workflow owns — accounts, addresses, number settings —, the
 * keys that requests are repeated by, and when a call was taken, for which no workflow waits. Everything else is written
 * by activities.
 */
import { and, eq, isNotNull, ne, sql, type SQL } from 'drizzle-orm';
import { ApiError } from '../../domain/errors.ts';
import type { Queryable } from '../client.ts';
import { violatedUniqueness, withoutParameters } from '../errors.ts';
import { accounts } from '../schema/accounts.ts';
import { addresses } from '../schema/addresses.ts';
import { verificationDocuments } from '../schema/authorization-documents.ts';
import { hostedNumberOrders } from '../schema/hosted-number-orders.ts';
import { incomingPhoneNumbers } from '../schema/incoming-phone-numbers.ts';

/** Stores an account unless it is there already. */
export async function insertAccount(
  db: Queryable,
  account: {
    readonly sid: string;
    readonly ownerAccountSid: string;
    readonly friendlyName: string;
    readonly authTokenSealed: string;
    readonly email?: string | null;
    readonly at: Date;
  },
): Promise<void> {
  const { at, ...row } = account;
  await db
    .insert(accounts)
    .values({ ...row, dateCreated: at, dateUpdated: at })
    .onConflictDoNothing();
}

export type AccountChanges = Partial<
  Pick<
    typeof accounts.$inferInsert,
    'friendlyName' | 'status' | 'email' | 'authTokenSealed' | 'secondaryAuthTokenSealed'
  >
>;

/** Answers whether it could: a closed account stays closed, whoever asks. */
export async function updateAccount(
  db: Queryable,
  sid: string,
  changes: AccountChanges,
  at: Date,
): Promise<boolean> {
  const reopens = changes.status !== undefined && changes.status !== 'closed';
  const changed = await db
    .update(accounts)
    .set({ ...changes, dateUpdated: at })
    .where(and(eq(accounts.sid, sid), reopens ? ne(accounts.status, 'closed') : undefined))
    .returning({ sid: accounts.sid });
  return changed.length > 0;
}

/** Puts the second auth token in place of the first, in one statement. Answers false where there is none. */
export async function promoteAuthToken(db: Queryable, sid: string, at: Date): Promise<boolean> {
  const promoted = await db
    .update(accounts)
    .set({
      authTokenSealed: sql`${accounts.secondaryAuthTokenSealed}`,
      secondaryAuthTokenSealed: null,
      dateUpdated: at,
    })
    .where(and(eq(accounts.sid, sid), isNotNull(accounts.secondaryAuthTokenSealed)))
    .returning({ sid: accounts.sid });
  return promoted.length > 0;
}

/** Stores an address unless one with this sid is there already. */
export async function insertAddress(
  db: Queryable,
  address: Omit<typeof addresses.$inferInsert, 'position' | 'dateCreated' | 'dateUpdated'>,
  at: Date,
): Promise<void> {
  await db
    .insert(addresses)
    .values({ ...address, dateCreated: at, dateUpdated: at })
    .onConflictDoNothing();
}

export type AddressChanges = Partial<
  Omit<typeof addresses.$inferInsert, 'sid' | 'accountSid' | 'position' | 'dateCreated' | 'dateUpdated'>
>;

export async function updateAddress(
  db: Queryable,
  sid: string,
  changes: AddressChanges,
  at: Date,
): Promise<void> {
  await db
    .update(addresses)
    .set({ ...changes, dateUpdated: at })
    .where(eq(addresses.sid, sid));
}

export async function deleteAddress(db: Queryable, sid: string): Promise<void> {
  await db.delete(addresses).where(eq(addresses.sid, sid));
}

export type NumberSettings = Partial<
  Pick<
    typeof incomingPhoneNumbers.$inferInsert,
    | 'friendlyName'
    | 'smsUrl'
    | 'smsMethod'
    | 'smsFallbackUrl'
    | 'smsFallbackMethod'
    | 'smsApplicationSid'
    | 'statusCallback'
    | 'statusCallbackMethod'
    | 'addressSid'
    | 'otherSettings'
  >
>;

/** Changes what is given; of `otherSettings` too, what is not named stays. */
export async function updateNumberSettings(
  db: Queryable,
  sid: string,
  { otherSettings = {}, ...settings }: NumberSettings,
  at: Date,
): Promise<void> {
  await db
    .update(incomingPhoneNumbers)
    .set({ ...settings, otherSettings: withOthers(otherSettings), dateUpdated: at })
    .where(eq(incomingPhoneNumbers.sid, sid));
}

/** Adds to what else a customer gave with a number; names that are there get the new value. */
export async function addOtherSettings(
  db: Queryable,
  sid: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await db
    .update(incomingPhoneNumbers)
    .set({ otherSettings: withOthers(settings) })
    .where(eq(incomingPhoneNumbers.sid, sid));
}

/** Joined in the database: two requests at a time would each write back what the other had not changed yet. */
function withOthers(settings: Readonly<Record<string, string>>): SQL {
  return sql`${incomingPhoneNumbers.otherSettings} || ${JSON.stringify(settings)}::jsonb`;
}

/** Labels of an order whose workflow has ended, so that nobody else writes the row. Row 29 of the order table. */
export type OrderLabels = Partial<
  Pick<typeof hostedNumberOrders.$inferInsert, 'friendlyName' | 'uniqueName' | 'email' | 'ccEmails'>
>;

/** Throws 22115 when the unique name is another order's. */
export async function relabelEndedOrder(
  db: Queryable,
  sid: string,
  labels: OrderLabels,
  at: Date,
): Promise<void> {
  try {
    await db
      .update(hostedNumberOrders)
      .set({ ...labels, dateUpdated: at })
      .where(eq(hostedNumberOrders.sid, sid));
  } catch (error) {
    if (violatedUniqueness(error) === 'order_unique_name') throw new ApiError(22115);
    throw withoutParameters(error);
  }
}

/** Stores a phone bill or another proof unless it is there already; answers whether it was stored now. */
export async function insertVerificationDocument(
  db: Queryable,
  document: typeof verificationDocuments.$inferInsert,
): Promise<boolean> {
  const stored = await db
    .insert(verificationDocuments)
    .values(document)
    .onConflictDoNothing()
    .returning({ sid: verificationDocuments.sid });
  return stored.length > 0;
}

export { changeOnce, claimIdempotencyKey, forgetIdempotencyKeys, renewSeed } from './idempotency.ts';
export {
  deleteSubscription,
  insertSubscription,
  rotateSecret,
  updateSubscription,
  type SubscriptionSettings,
} from './subscriptions.ts';
export { deleteSession, insertSession, renewSession } from './sessions.ts';
export {
  insertBulkRequest,
  type BulkOrderDetails,
  type NewBulkItem,
  type NewBulkRequest,
} from './bulk-requests.ts';
export { noteAnswer } from './verification-attempts.ts';
