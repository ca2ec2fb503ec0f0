/** What the processes of `npm start` find in their environment. */
import type { Config } from './config.ts';
import { secretsFile, type Secrets } from './local/secrets.ts';

/** The account of the local voice provider. */
const voiceAccountSid = 'AC00000000000000000000000000000000';
/** Where the first account is mailed while all mail ends in the local mailbox. */
const localAccountEmail = 'owner@example.com';

export interface Installation {
  readonly dataDir: string;
  readonly secrets: Secrets;
  /** The environment `npm start` was called with. */
  readonly given: NodeJS.ProcessEnv;
}

/** Gateways that `temporal.yaml` leaves empty lead to the stand-ins, and so do the mails to the first account. */
export function childEnvironment(
  { env, gateways, temporal }: Config,
  { dataDir, secrets, given }: Installation,
): NodeJS.ProcessEnv {
  const webUi = temporal.webUiUrl || `http://localhost:${temporal.localServer.uiPort}`;
  const local = `http://127.0.0.1:${env.localPort}`;
  const carrier = gateways.carrier.protocol === 'smpp' ? `smpp://127.0.0.1:${env.localPort + 2}` : local;
  return {
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    // Names that the name servers do not know are looked up in this pool: a few that hang must not keep the others waiting.
    UV_THREADPOOL_SIZE: '32',
    ...given,
    ...secrets,
    DATA_DIR: dataDir,
    PORT: String(env.port),
    PUBLIC_URL: env.publicUrl,
    LOCAL_PORT: String(env.localPort),
    ...(env.smtpUrl === undefined && { ACCOUNT_EMAIL: env.accountEmail ?? localAccountEmail }),
    SMTP_URL: env.smtpUrl ?? `smtp://127.0.0.1:${env.localPort + 1}`,
    ...(env.temporalAddress === undefined && { HOSTED_SMS_TEMPORAL__WEB_UI_URL: webUi }),
    // In quotes, since such values are read as YAML.
    HOSTED_SMS_API__SECRETS_FILE: JSON.stringify(secretsFile(dataDir)),
    HOSTED_SMS_GATEWAYS__VOICE__URL: gateways.voice.url || local,
    HOSTED_SMS_GATEWAYS__VOICE__ACCOUNT_SID: gateways.voice.accountSid || voiceAccountSid,
    HOSTED_SMS_GATEWAYS__REGISTRY__URL: gateways.registry.url || `${local}/registry`,
    HOSTED_SMS_GATEWAYS__CARRIER__URL: gateways.carrier.url || carrier,
    LOCAL_CARRIER_SYSTEM_ID: gateways.carrier.systemId,
    LOCAL_ROUTE_TEST_NUMBER: gateways.carrier.routeTestNumber,
  };
}
