/** What the API is made of: handed in by serve.ts, by the tests and by the benchmarks. */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import type { CarrierInbox, Eligibility } from '../domain/ports.ts';
import type { Vault } from '../security/vault.ts';

export interface ApiDeps {
  readonly db: Db;
  readonly temporal: Client;
  readonly config: Config;
  readonly vault: Vault;
  /** Why the service must not call a customer's URL, DNS asked; `null` when it may. `EndpointGuard.checkUrl`. */
  readonly checkUrl: (url: string) => Promise<string | null>;
  /** Asks the registry whether a number can be hosted. Read only. */
  readonly checkEligibility: (phoneNumber: string) => Promise<Eligibility>;
  /** Where the texts and receipts of an HTTP carrier go. */
  readonly inbox: CarrierInbox;
  readonly log: Logger;
  /** Where the process's other parts count as well; a registry of its own when absent. */
  readonly metrics?: Registry;
}
