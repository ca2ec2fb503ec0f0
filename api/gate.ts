/** What stands in front of every operation: authentication, then the account's rate. */
import type { Account, AuthKind } from './auth.ts';
import { createAuthenticator } from './auth.ts';
import type { ApiDeps } from './deps.ts';
import { createRateLimiter } from './rate-limit.ts';

interface Admission {
  readonly caller: Account | undefined;
  /** The account of the path where it names one, else the caller. */
  readonly account: Account | undefined;
}

export interface Gate {
  /** Throws 20003, 20005, 20006 and 20429. */
  admit(
    auth: AuthKind,
    authorization: string | undefined,
    params: Readonly<Record<string, string>>,
  ): Promise<Admission>;
  /**
   * Counts a request against the account's rate, which its sub-accounts share: for what has no credentials of its own,
   * once it is known whose request it is. Throws 20429.
   */
  readonly count: (account: Pick<Account, 'ownerAccountSid'>) => void;
}

export function createGate(deps: ApiDeps): Gate {
  const authenticator = createAuthenticator(deps);
  const { rateLimitPerSecond: perSecond, rateLimitBurst: burst } = deps.config.api;
  const limiter = createRateLimiter({ perSecond, burst });
  const nobody: Admission = { caller: undefined, account: undefined };
  // An account can make as many sub-accounts as it likes.
  const count: Gate['count'] = ({ ownerAccountSid }) => limiter.take(ownerAccountSid, Date.now());

  return {
    count,
    async admit(auth, authorization, params) {
      if (auth === 'none') return nobody;
      if (auth !== 'account') {
        authenticator.service(auth, authorization);
        return nobody;
      }
      const caller = await authenticator.account(authorization);
      count(caller);
      const named = params['AccountSid'];
      return {
        caller,
        account: named === undefined ? caller : await authenticator.pathAccount(caller, named),
      };
    },
  };
}
