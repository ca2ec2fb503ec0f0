/** Accounts made by customers, by administrators and at the first start. */
import { randomBytes } from 'node:crypto';
import { ConfigError } from '../config.ts';
import { type AccountRow, findAccount } from '../db/reads/accounts.ts';
import type { Queryable } from '../db/client.ts';
import { type AccountChanges, insertAccount, updateAccount } from '../db/writes/configuration.ts';
import { firstAccountName } from '../domain/account.ts';
import { ApiError } from '../domain/errors.ts';
import { isSid } from '../domain/sid.ts';
import type { ApiDeps } from './deps.ts';
import * as field from './fields.ts';

/** 32 hexadecimal digits, as Twilio's tokens are. */
export function newAuthToken(): string {
  return randomBytes(16).toString('hex');
}

export interface NewAccount {
  readonly sid: string;
  /** Its own sid for a main account. */
  readonly ownerAccountSid: string;
  readonly friendlyName: string;
  readonly email?: string | null;
  /** Made from chance when absent. */
  readonly authToken?: string;
}

/** Creates an account with a token; one with this sid that exists stays as it is. */
export async function createAccount(
  deps: Pick<ApiDeps, 'db' | 'vault'>,
  account: NewAccount,
): Promise<AccountRow> {
  const { authToken = newAuthToken(), ...row } = account;
  await insertAccount(deps.db, { ...row, authTokenSealed: deps.vault.seal(authToken), at: new Date() });
  const created = await findAccount(deps.db, account.sid);
  if (!created) throw new ApiError(20500);
  return created;
}

/** Throws 20404. */
export async function requireAccount(db: Queryable, sid: string): Promise<AccountRow> {
  const account = await findAccount(db, sid);
  if (!account) throw new ApiError(20404);
  return account;
}

/** Changes an account and answers it as it is then. Throws 20404, and 20409 for a closed one that would be reopened. */
export async function changeAccount(
  { db }: Pick<ApiDeps, 'db'>,
  sid: string,
  changes: Pick<AccountChanges, 'friendlyName' | 'status' | 'email'>,
): Promise<AccountRow> {
  const changed = await updateAccount(db, sid, changes, new Date());
  const account = await requireAccount(db, sid);
  if (!changed) throw new ApiError(20409, 'A closed account stays closed');
  return account;
}

/**
 * The account of the first start: ACCOUNT_SID with AUTH_TOKEN, mailed at ACCOUNT_EMAIL, unless it is there already.
 * Throws a ConfigError.
 */
export async function seedAccount(deps: Pick<ApiDeps, 'db' | 'vault' | 'config'>): Promise<void> {
  const { accountSid, authToken, accountEmail } = deps.config.env;
  if (!accountSid || !authToken) return;
  if (!isSid('account', accountSid))
    throw new ConfigError('ACCOUNT_SID has to be AC and 32 hexadecimal digits');
  if (accountEmail !== undefined && !field.email().safeParse(accountEmail).success)
    throw new ConfigError('ACCOUNT_EMAIL has to be an e-mail address');
  await createAccount(deps, {
    sid: accountSid,
    ownerAccountSid: accountSid,
    friendlyName: firstAccountName,
    email: accountEmail ?? null,
    authToken,
  });
}
