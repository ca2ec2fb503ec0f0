/**
 * Sessions of the Zipwhip calls. A line logs in with its number and the auth token of the account that owns it; the
 * session ends with that token, with the account, with the line, and when nothing was called with it for
 * `api.zipwhipSession`. Source: domain.md §3.2, decision 0014.
 */
import { createHash, randomUUID } from 'node:crypto';
import { findAccount } from '../db/reads/accounts.ts';
import { findNumberInUse } from '../db/reads/incoming-phone-numbers.ts';
import { findSession } from '../db/reads/sessions.ts';
import { insertSession, renewSession } from '../db/writes/configuration.ts';
import { ApiError } from '../domain/errors.ts';
import { partyOf } from '../domain/party.ts';
import { equalSecrets } from '../security/vault.ts';
import { authTokensOf, isActive } from './account-tokens.ts';
import type { ApiDeps } from './deps.ts';
import type { Gate } from './gate.ts';

/** Who calls: a line of an account. */
export interface LineSession {
  readonly accountSid: string;
  /** E.164. */
  readonly line: string;
}

/** Share of its life that a session has to lose before a call renews it: a write a day, not one a call. */
const renewalShare = 0.01;

/** Answers the key of a new session, `<guid>:<device>`. Throws 20003 and 20429. */
export async function logIn(
  deps: ApiDeps,
  gate: Gate,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<string> {
  const line = toE164(username);
  const number = await findNumberInUse(deps.db, line);
  const account = number && (await findAccount(deps.db, number.accountSid));
  if (!account || !isActive(account)) throw new ApiError(20003);
  if (!authTokensOf(account, deps.vault).some((token) => equalSecrets(token, password)))
    throw new ApiError(20003);
  gate.count(account);
  const key = `${randomUUID()}:${line.replace('+', '')}`;
  const at = new Date();
  await insertSession(deps.db, {
    keyHash: sha256(key),
    accountSid: account.sid,
    line,
    tokenHash: sha256(password),
    at,
    expiresAt: endOf(deps, at),
  });
  return key;
}

/** The session of a key, for one request of its account. Throws 20003 when there is none any more, and 20429. */
export async function requireSession(deps: ApiDeps, gate: Gate, key: string): Promise<LineSession> {
  const at = new Date();
  const session = await findSession(deps.db, sha256(key), at);
  if (!session) throw new ApiError(20003);
  const [account, number] = await Promise.all([
    findAccount(deps.db, session.accountSid),
    findNumberInUse(deps.db, session.line),
  ]);
  if (!account || !isActive(account) || number?.accountSid !== account.sid) throw new ApiError(20003);
  const hashes = authTokensOf(account, deps.vault).map(sha256);
  if (!hashes.includes(session.details['tokenHash'] ?? '')) throw new ApiError(20003);
  gate.count(account);
  await renew(deps, session, at);
  return { accountSid: account.sid, line: session.line };
}

async function renew(
  deps: ApiDeps,
  { keyHash, expiresAt }: { readonly keyHash: string; readonly expiresAt: Date },
  at: Date,
): Promise<void> {
  const end = endOf(deps, at);
  const lostMs = end.getTime() - expiresAt.getTime();
  if (lostMs > deps.config.api.zipwhipSession * renewalShare) await renewSession(deps.db, keyHash, end);
}

function endOf({ config }: ApiDeps, at: Date): Date {
  return new Date(at.getTime() + config.api.zipwhipSession);
}

/** A number as Zipwhip's clients write it: E.164, `ptn:/` before it, or the ten digits of North America. */
export function toE164(written: string): string {
  const bare = written.replace(/^ptn:\//, '').replaceAll(/[\s().-]/g, '');
  return partyOf(bare);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
