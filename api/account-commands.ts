/** Accounts made by customers, by administrators and at the first start. */
import { randomBytes } from 'node:crypto';
import { type AccountRow, findAccount } from '../db/reads/accounts.ts';
import { insertAccount } from '../db/writes/configuration.ts';
import { ApiError } from '../domain/errors.ts';
import type { ApiDeps } from './deps.ts';

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
