/** What an account proves itself with, by whichever way it comes: the API, the console, the Zipwhip calls. */
import type { AccountWithOwner } from '../db/reads/accounts.ts';
import type { Vault } from '../security/vault.ts';

/** A sub-account is no more active than the account that owns it. */
export function isActive({ status, ownerStatus }: AccountWithOwner): boolean {
  return status === 'active' && ownerStatus === 'active';
}

/** The auth token, and the second one while there is one: a rotation has both for a time. */
export function authTokensOf(account: AccountWithOwner, vault: Vault): string[] {
  return [account.authTokenSealed, account.secondaryAuthTokenSealed]
    .filter((sealed) => sealed !== null)
    .map((sealed) => vault.open(sealed));
}
