/**
 * Requests that carry an Idempotency-Key: sent again within its life, they name what the first one made. Decision 0020.
 */
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { Queryable } from '../db/client.ts';
import { changeOnce, claimIdempotencyKey, renewSeed } from '../db/writes/configuration.ts';
import { ApiError } from '../domain/errors.ts';
import type { SidKind } from '../domain/sid.ts';
import { derivedSid, newSid } from '../security/derived-sid.ts';
import type { ApiDeps } from './deps.ts';
import type { Values } from './form.ts';
import type { UpdateKey } from './workflow-calls.ts';

export interface Repetition {
  /** A sid for what the request makes: the same again when the request repeats its Idempotency-Key. */
  readonly newSid: (kind: SidKind) => string;
  /** For a workflow update: sent again with its Idempotency-Key it is the same one, until it was refused. */
  readonly updateKey: UpdateKey;
  /** Makes a change of the database once, however often the request is sent again with its Idempotency-Key. */
  readonly once: (db: Queryable, change: (tx: Queryable) => Promise<void>) => Promise<void>;
}

/** A request without a key is never a repetition. */
export const unrepeated: Repetition = { newSid, updateKey: {}, once: (db, change) => change(db) };

export interface Claimant {
  /** Whose key it is: the account's sid, or the name of the service's own token. */
  readonly owner: string;
  /** Keys of different paths are different keys. */
  readonly path: string;
  /** What the request says. */
  readonly values: Values;
}

/**
 * Claims the key of a request, if it has one. It writes a row, so it comes after whatever proves who calls. Throws
 * 20001 for what cannot be a key, and 20422 for the key of another request.
 */
export async function claimKey(
  { db, config }: Pick<ApiDeps, 'db' | 'config'>,
  ctx: Context,
  { owner, path, values }: Claimant,
): Promise<Repetition> {
  const key = idempotencyKey(ctx);
  if (key === undefined) return unrepeated;
  const kept = await claimIdempotencyKey(db, {
    accountSid: owner,
    key: `${path} ${key}`,
    requestHash: await requestHash(values),
    at: new Date(),
    lifeMs: config.api.idempotencyKey,
  });
  // Keys claimed before there were seeds go on naming what they made then.
  const parts = [owner, path, key, ...(kept.seed === '' ? [] : [kept.seed])];
  return {
    newSid: (kind) => derivedSid(kind, ...parts),
    updateKey: { updateId: derivedSid('event', ...parts), onRefusal: () => renewSeed(db, kept) },
    once: (db, change) => changeOnce(db, kept, change),
  };
}

/** 1 to 255 printable characters. Throws 20001 for anything else. */
function idempotencyKey(ctx: Context): string | undefined {
  const key = ctx.req.method === 'POST' ? ctx.req.header('idempotency-key') : undefined;
  if (key !== undefined && !/^[\x20-\x7e]{1,255}$/.test(key))
    throw new ApiError(20001, 'Idempotency-Key must be 1 to 255 printable ASCII characters');
  return key;
}

/** Hash of a form, whatever the order of its parameters. Files count by name and content. */
async function requestHash(form: Values): Promise<string> {
  const parts = await Promise.all(
    [...form.entries()].map(async ([name, values]) => [name, await Promise.all(values.map(partOf))] as const),
  );
  parts.sort(([left], [right]) => (left < right ? -1 : 1));
  return sha256(JSON.stringify(parts));
}

async function partOf(value: string | File): Promise<string | readonly string[]> {
  return typeof value === 'string' ? value : [value.name, sha256(new Uint8Array(await value.arrayBuffer()))];
}

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
