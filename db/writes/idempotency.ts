/** Keys that requests are repeated by. Written by the API itself; no workflow owns them. Decision 0020. */
import { randomUUID } from 'node:crypto';
import { and, eq, lt } from 'drizzle-orm';
import { ApiError } from '../../domain/errors.ts';
import type { Queryable } from '../client.ts';
import { idempotencyKeys } from '../schema/deliveries.ts';

export interface IdempotencyClaim {
  readonly accountSid: string;
  readonly key: string;
  /** SHA-256 of the request's parameters. */
  readonly requestHash: string;
  readonly at: Date;
  /** How long the key stands for its request. */
  readonly lifeMs: number;
}

export interface KeptKey {
  /** The same for every repetition of a request, and another one once the key has expired. */
  readonly seed: string;
  /** Whether the key was kept before. */
  readonly repeated: boolean;
}

/** Keeps the key for its life from its first use. Throws 20422 while it is another request's. */
export async function claimIdempotencyKey(db: Queryable, claim: IdempotencyClaim): Promise<KeptKey> {
  const { accountSid, key, requestHash, at, lifeMs } = claim;
  const seed = randomUUID();
  const fresh = { requestHash, seed, dateCreated: at };
  const kept = await db
    .insert(idempotencyKeys)
    .values({ accountSid, key, ...fresh })
    .onConflictDoUpdate({
      target: [idempotencyKeys.accountSid, idempotencyKeys.key],
      set: fresh,
      setWhere: lt(idempotencyKeys.dateCreated, new Date(at.getTime() - lifeMs)),
    })
    .returning({ seed: idempotencyKeys.seed });
  if (kept.length > 0) return { seed, repeated: false };
  const [first] = await db
    .select({ requestHash: idempotencyKeys.requestHash, seed: idempotencyKeys.seed })
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.accountSid, accountSid), eq(idempotencyKeys.key, key)));
  if (first?.requestHash === requestHash) return { seed: first.seed, repeated: true };
  throw new ApiError(20422, 'Idempotency-Key was used before with other parameters');
}

/** Removes keys that expired; with an hour's grace, so that none goes between the two statements above. */
export async function forgetIdempotencyKeys(
  db: Queryable,
  { at, lifeMs }: Pick<IdempotencyClaim, 'at' | 'lifeMs'>,
): Promise<void> {
  const expired = new Date(at.getTime() - lifeMs - 3_600_000);
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.dateCreated, expired));
}
