/** What the pages are made of: a part of what the API is made of, and the API itself. */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import type { AccountWithOwner } from '../db/reads/accounts.ts';
import type { Vault } from '../security/vault.ts';

export interface WebDeps {
  readonly db: Db;
  readonly temporal: Client;
  readonly config: Config;
  readonly vault: Vault;
  readonly log: Logger;
}

/**
 * The API, called within the process. Whatever the console changes it changes by the same documented request a
 * customer would send, so that rules, limits and error codes are the API's own.
 */
export type ApiFetch = (request: Request) => Response | Promise<Response>;

/** What the pages need of the API beside them. */
export interface Api {
  readonly fetch: ApiFetch;
  /** Counts a page against an account's rate, as if it had called. Throws 20429. */
  readonly count: (account: AccountWithOwner) => void;
}
