/** Verification calls: for the prompts that ask for the code, and as read-only Calls. */
import { and, desc, eq } from 'drizzle-orm';
import type { Queryable } from '../client.ts';
import { hostedNumberOrders } from '../schema/hosted-number-orders.ts';
import { verificationAttempts } from '../schema/verification-attempts.ts';

export type VerificationAttemptRow = typeof verificationAttempts.$inferSelect;

export interface AttemptWithOrder extends VerificationAttemptRow {
  readonly accountSid: string;
  readonly phoneNumber: string;
  readonly incomingPhoneNumberSid: string;
}

export async function findAttempt(
  db: Queryable,
  orderSid: string,
  callNumber: number,
): Promise<VerificationAttemptRow | undefined> {
  const [row] = await db
    .select()
    .from(verificationAttempts)
    .where(and(eq(verificationAttempts.orderSid, orderSid), eq(verificationAttempts.callNumber, callNumber)));
  return row;
}

/** Newest first. */
export function listAttempts(db: Queryable, orderSid: string): Promise<VerificationAttemptRow[]> {
  return db
    .select()
    .from(verificationAttempts)
    .where(eq(verificationAttempts.orderSid, orderSid))
    .orderBy(desc(verificationAttempts.callNumber));
}

/** A call of one of the account's orders by the provider's sid. */
export async function findCall(
  db: Queryable,
  accountSid: string,
  callSid: string,
): Promise<AttemptWithOrder | undefined> {
  const [row] = await db
    .select({
      attempt: verificationAttempts,
      accountSid: hostedNumberOrders.accountSid,
      phoneNumber: hostedNumberOrders.phoneNumber,
      incomingPhoneNumberSid: hostedNumberOrders.incomingPhoneNumberSid,
    })
    .from(verificationAttempts)
    .innerJoin(hostedNumberOrders, eq(hostedNumberOrders.sid, verificationAttempts.orderSid))
    .where(and(eq(verificationAttempts.callSid, callSid), eq(hostedNumberOrders.accountSid, accountSid)))
    .limit(1);
  if (!row) return undefined;
  const { attempt, ...order } = row;
  return { ...attempt, ...order };
}
