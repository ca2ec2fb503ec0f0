/**
 * One installation of the product on this machine: its environment, its credentials, and the stand-ins of the outside
 * world that it is pointed at. For tests and benchmarks alike.
 */
import { randomBytes } from 'node:crypto';
import { startLocal, type Local } from '../../local/server.tsx';
import { newSid } from '../../security/derived-sid.ts';

/** A secret that nobody guesses. */
export const secret = (): string => randomBytes(24).toString('hex');

export interface Credentials {
  readonly accountSid: string;
  readonly authToken: string;
  readonly adminToken: string;
  readonly carrierToken: string;
}

export function newCredentials(): Credentials {
  return { accountSid: newSid('account'), authToken: secret(), adminToken: secret(), carrierToken: secret() };
}

export interface ProductEnvironment {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly apiPort: number;
  readonly credentials: Credentials;
}

/** Addresses and secrets of one installation. */
export function productEnvironment({
  databaseUrl,
  dataDir,
  apiPort,
  credentials,
}: ProductEnvironment): Record<string, string> {
  return {
    PORT: String(apiPort),
    PUBLIC_URL: `http://127.0.0.1:${apiPort}`,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    ACCOUNT_SID: credentials.accountSid,
    AUTH_TOKEN: credentials.authToken,
    ADMIN_TOKEN: credentials.adminToken,
    CARRIER_TOKEN: credentials.carrierToken,
    VOICE_AUTH_TOKEN: secret(),
    REGISTRY_TOKEN: secret(),
    SECRET_KEY: secret(),
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    HOSTED_SMS_GATEWAYS__VOICE__ACCOUNT_SID: newSid('account'),
  };
}

/** The stand-ins of the outside world, on free ports, with callees that hear at once. */
export function startStandIns(env: Readonly<Record<string, string>>, ports?: LocalPorts): Promise<Local> {
  const given = (name: string): string => env[name] ?? '';
  return startLocal({
    ...(ports ?? { port: 0, smtpPort: 0, smppPort: 0 }),
    dataDir: given('DATA_DIR'),
    publicUrl: given('PUBLIC_URL'),
    accountSid: given('HOSTED_SMS_GATEWAYS__VOICE__ACCOUNT_SID'),
    voiceAuthToken: given('VOICE_AUTH_TOKEN'),
    registryToken: given('REGISTRY_TOKEN'),
    carrierToken: given('CARRIER_TOKEN'),
    systemId: 'hosted-sms',
    routeTestNumber: '+15005550009',
    speechMsPerCharacter: 0,
  });
}

export interface LocalPorts {
  readonly port: number;
  readonly smtpPort: number;
  readonly smppPort: number;
}

/** Environment that points the gateways at the stand-ins. */
export function outsideWorld(local: Local): Record<string, string> {
  return {
    SMTP_URL: local.smtpUrl,
    HOSTED_SMS_GATEWAYS__VOICE__URL: local.url,
    HOSTED_SMS_GATEWAYS__REGISTRY__URL: `${local.url}/registry`,
    HOSTED_SMS_GATEWAYS__CARRIER__URL: local.url,
  };
}
