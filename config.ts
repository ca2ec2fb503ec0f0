/** The product's only reader of `temporal.yaml` and of the environment; the stand-ins of `local/` read their own. */
import { readFileSync } from 'node:fs';
import { loadClientConnectConfig, type ClientConnectConfig } from '@temporalio/envconfig';
import { parse } from 'yaml';
import { z } from 'zod';
import { configSchema, isUrl, urlRule, type Settings } from './settings.ts';

/** What comes from the environment only: addresses and secrets. Source: design.md §5. */
export interface Environment {
  readonly port: number;
  readonly publicUrl: string;
  /** Whether somebody chose that address: the default leads nowhere but on this machine. */
  readonly hasPublicUrl: boolean;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly temporalAddress: string | undefined;
  /** TLS, API key and headers for that address, as every tool of Temporal takes them from the environment. */
  readonly temporalConnection: TemporalConnection;
  readonly smtpUrl: string | undefined;
  readonly localPort: number;
  readonly accountSid: string | undefined;
  readonly authToken: string | undefined;
  /** Where the first account is mailed. */
  readonly accountEmail: string | undefined;
  readonly adminToken: string | undefined;
  readonly carrierToken: string | undefined;
  readonly voiceAuthToken: string | undefined;
  readonly registryToken: string | undefined;
  readonly secretKey: string | undefined;
  /** 32 bytes in base64; when set, payloads in workflow histories are encrypted with it. */
  readonly codecKey: string | undefined;
  readonly allowPrivateWebhooks: boolean;
  readonly logLevel: string;
}

type TemporalConnection = Omit<ClientConnectConfig['connectionOptions'], 'address'>;

export interface Config extends Settings {
  readonly env: Environment;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the file, lays the environment over it, checks every key. Throws a ConfigError that names what is wrong. */
export function readConfig(
  env: NodeJS.ProcessEnv = process.env,
  file = new URL('./temporal.yaml', import.meta.url),
): Config {
  const tree: unknown = parse(readFileSync(file, 'utf8'));
  applyOverrides(tree, env);
  const parsed = configSchema.safeParse(tree);
  if (!parsed.success) throw new ConfigError(`temporal.yaml:\n${z.prettifyError(parsed.error)}`);
  return { ...parsed.data, env: readEnvironment(env) };
}

const prefix = 'HOSTED_SMS_';

/** Lays HOSTED_SMS_A__B over key `a.b`. Letter case and single underscores of a name do not count. */
function applyOverrides(tree: unknown, env: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(prefix) || value === undefined) continue;
    const path = name.slice(prefix.length).split('__');
    let node: unknown = tree;
    for (const [depth, part] of path.entries()) {
      if (!isRecord(node)) throw new ConfigError(`${name}: there is no such key in temporal.yaml`);
      const key = Object.keys(node).find((key) => plain(key) === plain(part));
      if (key === undefined) throw new ConfigError(`${name}: there is no such key in temporal.yaml`);
      if (depth === path.length - 1) node[key] = parse(value);
      else node = node[key];
    }
  }
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_.]/g, '');
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const text = (name: string): string | undefined => env[name] || undefined;
  const url = (name: string, ...protocols: readonly string[]): string | undefined => {
    const value = text(name);
    if (value === undefined || isUrl(value, protocols)) return value;
    throw new ConfigError(`${name} ${urlRule(protocols)}`);
  };
  const port = portOf('PORT', text('PORT') ?? '3000');
  const publicUrl = url('PUBLIC_URL', 'http', 'https');
  const { address, ...temporalConnection } = readTemporal(env);
  return {
    port,
    publicUrl: (publicUrl ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    hasPublicUrl: publicUrl !== undefined,
    dataDir: text('DATA_DIR') ?? '.data',
    databaseUrl: url('DATABASE_URL', 'postgres', 'postgresql'),
    temporalAddress: hostAndPort('TEMPORAL_ADDRESS', address),
    temporalConnection,
    smtpUrl: url('SMTP_URL', 'smtp', 'smtps'),
    localPort: portOf('LOCAL_PORT', text('LOCAL_PORT') ?? '3001'),
    accountSid: text('ACCOUNT_SID'),
    authToken: text('AUTH_TOKEN'),
    accountEmail: text('ACCOUNT_EMAIL'),
    adminToken: text('ADMIN_TOKEN'),
    carrierToken: text('CARRIER_TOKEN'),
    voiceAuthToken: text('VOICE_AUTH_TOKEN'),
    registryToken: text('REGISTRY_TOKEN'),
    secretKey: text('SECRET_KEY'),
    codecKey: text('CODEC_KEY'),
    allowPrivateWebhooks: env['ALLOW_PRIVATE_WEBHOOKS'] === 'true',
    logLevel: logLevelOf(text('LOG_LEVEL') ?? 'info'),
  };
}

/** Where the default configuration file of Temporal's tools is looked for. */
const homes = ['HOME', 'XDG_CONFIG_HOME', 'APPDATA'];

/**
 * Reads what `temporal` and every SDK read: TEMPORAL_ADDRESS, TEMPORAL_API_KEY, TEMPORAL_TLS_… and profiles. A profile only
 * when it was asked for: what somebody's tools use every day must not lead the service to another server.
 */
function readTemporal(env: NodeJS.ProcessEnv): ClientConnectConfig['connectionOptions'] {
  const given = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      Boolean(entry[1]) && (entry[0].startsWith('TEMPORAL_') || homes.includes(entry[0])),
  );
  const overrideEnvVars = Object.fromEntries(given);
  const disableFile = !overrideEnvVars['TEMPORAL_PROFILE'] && !overrideEnvVars['TEMPORAL_CONFIG_FILE'];
  try {
    return loadClientConnectConfig({ overrideEnvVars, disableFile }).connectionOptions;
  } catch (err) {
    throw new ConfigError(`TEMPORAL_…: ${err instanceof Error ? err.message : String(err)}`);
  }
}

/** The environment for processes that use the local server, which speaks plain text, whatever the shell is set up for. */
export function forLocalTemporal(env: NodeJS.ProcessEnv, address: string): NodeJS.ProcessEnv {
  const secured = /^TEMPORAL_(API_KEY|TLS|PROFILE|CONFIG_FILE|GRPC_META)/;
  const plain = Object.entries(env).filter(([name]) => !secured.test(name));
  return { ...Object.fromEntries(plain), TEMPORAL_ADDRESS: address };
}

function portOf(name: string, value: string): number {
  const port = Number(value);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new ConfigError(`${name}: ${value} is not a port`);
  return port;
}

/** As Temporal's clients take it: without a protocol, which TLS decides. */
function hostAndPort(name: string, value: string | undefined): string | undefined {
  if (value === undefined || /^([^\s/:[\]]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(value)) return value;
  throw new ConfigError(`${name} has to be host:port, such as temporal.example.com:7233`);
}

const logLevels: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

function logLevelOf(value: string): string {
  if (logLevels.includes(value)) return value;
  throw new ConfigError(`LOG_LEVEL has to be one of ${logLevels.join(', ')}`);
}
