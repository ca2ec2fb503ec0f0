/** Which accounts orders may be placed under: one rule, for a single order, for many, and for a check without an order. */
import { listActiveSubAccounts } from '../db/reads/accounts.ts';
import { ApiError } from '../domain/errors.ts';
import type { ApiDeps } from './deps.ts';

/** Those of the accounts that the caller may place orders under: its own, and sub-accounts that are active. */
export async function hostsAmong(
  { db }: ApiDeps,
  callerSid: string,
  accountSids: readonly string[],
): Promise<ReadonlySet<string>> {
  const others = [...new Set(accountSids)].filter((sid) => sid !== callerSid);
  const subAccounts = others.length === 0 ? [] : await listActiveSubAccounts(db, callerSid, others);
  return new Set([callerSid, ...subAccounts]);
}

/** Throws 21470 unless the caller may place orders under the account. */
export async function requireHost(deps: ApiDeps, callerSid: string, accountSid: string): Promise<void> {
  const hosts = await hostsAmong(deps, callerSid, [accountSid]);
  if (!hosts.has(accountSid)) throw new ApiError(21470);
}
