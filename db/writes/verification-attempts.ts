/** Verification calls and their codes. A code is live from its call's start to its use, its end or the next call. */
import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { AttemptOutcome } from '../../domain/verification.ts';
import type { Db, Queryable } from '../client.ts';
import { verificationAttempts } from '../schema/verification-attempts.ts';

/** Which call of which order. */
export interface AttemptKey {
  readonly orderSid: string;
  /** From 1. */
  readonly callNumber: number;
}

const thisAttempt = ({ orderSid, callNumber }: AttemptKey) =>
  and(eq(verificationAttempts.orderSid, orderSid), eq(verificationAttempts.callNumber, callNumber));

/** Opens an attempt with its code and voids every earlier code of the order. An attempt that is open keeps its code. */
export async function openAttempt(
  db: Db,
  attempt: AttemptKey & { readonly code: string; readonly startedAt: Date },
): Promise<void> {
  const { orderSid, callNumber } = attempt;
  await db.transaction(async (tx) => {
    await tx
      .update(verificationAttempts)
      .set({ code: null })
      .where(
        and(eq(verificationAttempts.orderSid, orderSid), lt(verificationAttempts.callNumber, callNumber)),
      );
    await tx.insert(verificationAttempts).values(attempt).onConflictDoNothing();
  });
}

/** Notes the provider's name of the call. */
export async function nameCall(db: Db, key: AttemptKey, callSid: string): Promise<void> {
  await db.update(verificationAttempts).set({ callSid }).where(thisAttempt(key));
}

/** Notes that somebody took the call. The first time stays. */
export async function noteAnswer(db: Db, key: AttemptKey, answeredAt: Date): Promise<void> {
  await db
    .update(verificationAttempts)
    .set({ answeredAt })
    .where(and(thisAttempt(key), isNull(verificationAttempts.answeredAt)));
}

/** Stores how the call ended and voids its code. The first end stays. */
export async function closeAttempt(
  db: Db,
  attempt: AttemptKey & {
    readonly callSid: string | null;
    readonly outcome: AttemptOutcome;
    readonly endedAt: Date;
  },
): Promise<void> {
  const { callSid, outcome, endedAt } = attempt;
  await db
    .update(verificationAttempts)
    .set({
      code: null,
      outcome,
      endedAt,
      callSid: sql`coalesce(${callSid}, ${verificationAttempts.callSid})`,
    })
    .where(and(thisAttempt(attempt), isNull(verificationAttempts.outcome)));
}

/** Voids the codes of an order that needs none any more: verified, canceled or failed. */
export async function voidCodes(db: Queryable, orderSid: string): Promise<void> {
  await db
    .update(verificationAttempts)
    .set({ code: null })
    .where(and(eq(verificationAttempts.orderSid, orderSid), isNotNull(verificationAttempts.code)));
}
