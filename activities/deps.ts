/** What activities work with. Made once by worker.ts; every group of activities is `create…Activities(deps)`. */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Db } from '../db/client.ts';
import type { CarrierGateway } from '../gateways/carrier.ts';
import type { EndpointLimits } from '../gateways/endpoint-limits.ts';
import type { MailGateway } from '../gateways/mail.ts';
import type { RegistryGateway } from '../gateways/registry.ts';
import type { VoiceGateway } from '../gateways/voice.ts';
import type { Vault } from '../security/vault.ts';
import type { Settings } from '../settings.ts';
import type { FirstAttempts } from './deliveries-first-attempts.ts';

/** The outside world, chosen by configuration. */
export interface Gateways {
  readonly voice: VoiceGateway;
  readonly registry: RegistryGateway;
  readonly carrier: CarrierGateway;
  readonly mail: MailGateway;
}

export interface ActivityDeps {
  readonly db: Db;
  /** For activities that speak to another workflow, or start one. */
  readonly temporal: Client;
  readonly gateways: Gateways;
  /** How much each endpoint gets from this process. */
  readonly limits: EndpointLimits;
  readonly firstAttempts: FirstAttempts;
  readonly vault: Vault;
  readonly settings: Settings;
  /** Origin under which the outside world reaches the API, without a slash at the end. */
  readonly publicUrl: string;
  /** Endpoints at private and loopback addresses are allowed. */
  readonly allowPrivateWebhooks: boolean;
  /** Identifiers only: no phone numbers, no codes, no message texts. */
  readonly log: Logger;
}
