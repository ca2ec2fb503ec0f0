/** Who calls: HTTP Basic with an account's sid and token, or one of the service's own tokens. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../domain/errors.ts';
import { isSid } from '../domain/sid.ts';
import { type AccountWithOwner, findAccount } from '../db/reads/accounts.ts';
import { equalSecrets } from '../security/vault.ts';
import { authTokensOf, isActive } from './account-tokens.ts';
import type { ApiDeps } from './deps.ts';

/** Who may call an operation. `none` is for callbacks that prove themselves otherwise, and for public pages. */
export type AuthKind = 'account' | 'admin' | 'carrier' | 'none';

export type Account = AccountWithOwner;

export interface Authenticator {
  /** The account whose credentials were sent. Throws 20003 and 20005. */
  account(authorization: string | undefined): Promise<Account>;
  /** The account a path names: the caller's own or a sub-account of it. Throws 20006. */
  pathAccount(caller: Account, accountSid: string): Promise<Account>;
  /** Checks `admin:ADMIN_TOKEN` or `carrier:CARRIER_TOKEN`. Throws 20003. */
  service(kind: 'admin' | 'carrier', authorization: string | undefined): void;
}

/** How long a checked pair of sid and token is believed. Milliseconds. A rotated or suspended account is seen after it. */
const trustMs = 1000;
const maxTrusted = 10_000;
/** What a caller without the service's own credentials is told: an account's would not do. */
const serviceAdvice = {
  admin: 'Authentication failed: use admin as user name and the ADMIN_TOKEN as password',
  carrier: 'Authentication failed: use carrier as user name and the CARRIER_TOKEN as password',
} as const;

export function createAuthenticator(deps: ApiDeps): Authenticator {
  const trusted = new LRUCache<string, Account>({ max: maxTrusted, ttl: trustMs });
  const { adminToken, carrierToken } = deps.config.env;

  const check = async (sid: string, token: string): Promise<Account> => {
    const account = isSid('account', sid) ? await findAccount(deps.db, sid) : undefined;
    const known = account && authTokensOf(account, deps.vault).some((own) => equalSecrets(own, token));
    if (!known) throw new ApiError(20003);
    if (!isActive(account)) throw new ApiError(20005);
    return account;
  };

  return {
    async account(authorization) {
      const key = hash('sha256', authorization ?? '', 'base64');
      const known = trusted.get(key);
      if (known) return known;
      const { user, password } = basicCredentials(authorization);
      const account = await check(user, password);
      trusted.set(key, account);
      return account;
    },
    async pathAccount(caller, accountSid) {
      if (caller.sid === accountSid) return caller;
      const account = isSid('account', accountSid) ? await findAccount(deps.db, accountSid) : undefined;
      if (account?.ownerAccountSid !== caller.sid) throw new ApiError(20006);
      return account;
    },
    service(kind, authorization) {
      const { user, password } = basicCredentials(authorization, serviceAdvice[kind]);
      const token = kind === 'admin' ? adminToken : carrierToken;
      if (!token || !equalSecrets(`${user}:${password}`, `${kind}:${token}`))
        throw new ApiError(20003, serviceAdvice[kind]);
    },
  };
}

/** Reads `Basic base64(user:password)`. Throws 20003, with the advice given, when there is none. */
function basicCredentials(
  authorization: string | undefined,
  advice?: string,
): { user: string; password: string } {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) throw new ApiError(20003, advice);
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { user, password: password.join(':') };
}
