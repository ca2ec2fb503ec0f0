/** What the processes do not start without, and what each value is for. docs/deployment.md tells the same, held to it by a test. */
import { ConfigError, type Config } from './config.ts';

type Need = readonly [read: (config: Config) => string | undefined, purpose: string];

const needs = {
  DATABASE_URL: [({ env }) => env.databaseUrl, 'where PostgreSQL is'],
  TEMPORAL_ADDRESS: [({ env }) => env.temporalAddress, 'where Temporal is, unless TEMPORAL_PROFILE says it'],
  PUBLIC_URL: [
    ({ env }) => (env.hasPublicUrl ? env.publicUrl : undefined),
    'what links in mails and addresses of callbacks begin with',
  ],
  SECRET_KEY: [({ env }) => env.secretKey, 'it seals the tokens in the database and proves signing links'],
  ADMIN_TOKEN: [({ env }) => env.adminToken, 'the password of the administrator'],
  CARRIER_TOKEN: [({ env }) => env.carrierToken, 'what the carrier and the service know each other by'],
  VOICE_AUTH_TOKEN: [
    ({ env }) => env.voiceAuthToken,
    'the token at the voice provider, which signs its callbacks',
  ],
  REGISTRY_TOKEN: [({ env }) => env.registryToken, 'the token at the registry'],
  SMTP_URL: [({ env }) => env.smtpUrl, 'the mail server'],
  'gateways.voice.url': [({ gateways }) => gateways.voice.url, 'the voice provider'],
  'gateways.voice.accountSid': [
    ({ gateways }) => gateways.voice.accountSid,
    'the account at the voice provider',
  ],
  'gateways.registry.url': [({ gateways }) => gateways.registry.url, 'the registry'],
  'gateways.carrier.url': [({ gateways }) => gateways.carrier.url, 'the carrier'],
} as const satisfies Record<string, Need>;

type Name = keyof typeof needs;

const both = ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'PUBLIC_URL', 'SECRET_KEY', 'CARRIER_TOKEN'] as const;
const outside = ['VOICE_AUTH_TOKEN', 'REGISTRY_TOKEN', 'SMTP_URL', 'gateways.registry.url'] as const;

export const apiNeeds = [...both, ...outside, 'ADMIN_TOKEN'] as const;
export const workerNeeds = [
  ...both,
  ...outside,
  'gateways.voice.url',
  'gateways.voice.accountSid',
  'gateways.carrier.url',
] as const;

/** The values of these names. Throws a ConfigError that tells all that are missing, so that one start finds them all. */
export function demand<Wanted extends Name>(
  config: Config,
  names: readonly Wanted[],
): Readonly<Record<Wanted, string>> {
  const values = names.map((name) => [name, needs[name][0](config)] as const);
  const missing = values.flatMap(([name, value]) => (value ? [] : [`${name} (${needs[name][1]})`]));
  if (missing.length > 0) throw new ConfigError(`To be set: ${missing.join(', ')}`);
  // Every name is there with a text, which TypeScript cannot follow through the entries.
  return Object.fromEntries(values) as Record<Wanted, string>;
}
