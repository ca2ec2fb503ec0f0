/** Keys that requests are repeated by. Written by the API itself; no workflow owns them. Decision 0020. */
import { randomUUID } from 'node:crypto';
import { and, eq, lt } from 'drizzle-orm';
import { ApiError } from '../../domain/errors.ts';
import type { Queryable } from '../client.ts';
import { idempotencyKeys } from '../schema/idempotency-keys.ts';

export interface IdempotencyClaim {
  readonly accountSid: string;
  readonly key: string;
  /** SHA-256 of the request's parameters. */
  readonly requestHash: string;
  readonly at: Date;
  /** How long the key stands for its request. */
  readonly lifeMs: number;
}

/** A key that is kept, in the use it has now. */
export interface KeptKey {
  readonly accountSid: string;
  readonly key: string;
  /** The same for every repetition of a request; another one once the key has expired, or its update was refused. */
  readonly seed: string;
}

/** Keeps the key for its life from its first use. Throws 20422 while it is another request's. */
export async function claimIdempotencyKey(db: Queryable, claim: IdempotencyClaim): Promise<KeptKey> {
  const { accountSid, key, requestHash, at, lifeMs } = claim;
  const seed = randomUUID();
  const fresh = { requestHash, seed, done: false, dateCreated: at };
  const kept = await db
    .insert(idempotencyKeys)
    .values({ accountSid, key, ...fresh })
    .onConflictDoUpdate({
      target: [idempotencyKeys.accountSid, idempotencyKeys.key],
      set: fresh,
      setWhere: lt(idempotencyKeys.dateCreated, new Date(at.getTime() - lifeMs)),
    })
    .returning({ seed: idempotencyKeys.seed });
  if (kept.length > 0) return { accountSid, key, seed };
  const [first] = await db
    .select({ requestHash: idempotencyKeys.requestHash, seed: idempotencyKeys.seed })
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.accountSid, accountSid), eq(idempotencyKeys.key, key)));
  if (first?.requestHash === requestHash) return { accountSid, key, seed: first.seed };
  throw new ApiError(20422, 'Idempotency-Key was used before with other parameters');
}

/** Gives the key another seed, so that the request sent again is a new one. Of two at a time the second changes nothing. */
export async function renewSeed(db: Queryable, kept: KeptKey): Promise<void> {
  await db.update(idempotencyKeys).set({ seed: randomUUID() }).where(inUse(kept));
}

/** Makes a change and marks its key in one transaction; where the key is marked, the change was made before. */
export async function changeOnce(
  db: Queryable,
  kept: KeptKey,
  change: (tx: Queryable) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const marked = await tx
      .update(idempotencyKeys)
      .set({ done: true })
      .where(and(inUse(kept), eq(idempotencyKeys.done, false)))
      .returning({ key: idempotencyKeys.key });
    if (marked.length > 0) await change(tx);
  });
}

const inUse = ({ accountSid, key, seed }: KeptKey) =>
  and(
    eq(idempotencyKeys.accountSid, accountSid),
    eq(idempotencyKeys.key, key),
    eq(idempotencyKeys.seed, seed),
  );

/** Removes keys that expired; with an hour's grace, so that none goes between the two statements above. */
export async function forgetIdempotencyKeys(
  db: Queryable,
  { at, lifeMs }: Pick<IdempotencyClaim, 'at' | 'lifeMs'>,
): Promise<void> {
  const expired = new Date(at.getTime() - lifeMs - 3_600_000);
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.dateCreated, expired));
}
