/** The worker process: orders, documents, messages and deliveries, until it is asked to stop. */
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { createCarrierInbox, createCarrierListener } from './activities/carrier-inbox.ts';
import { createFirstAttempts } from './activities/deliveries-first-attempts.ts';
import type { ActivityDeps, Gateways } from './activities/deps.ts';
import { createActivities } from './activities/index.ts';
import {
  connectDatabase,
  connectTemporal,
  createLogger,
  installTemporalRuntime,
  required,
  untilStopped,
} from './boot.ts';
import { readConfig, type Config } from './config.ts';
import { createCarrierGateway } from './gateways/carrier-gateway.ts';
import { createEndpointLimits } from './gateways/endpoint-limits.ts';
import { createSmtpMailer, type SmtpMailer } from './gateways/mail-smtp.ts';
import { createHttpRegistry } from './gateways/registry-http.ts';
import { createHttpVoice } from './gateways/voice-http.ts';
import { createDataConverter } from './security/payload-codec.ts';
import { createVault } from './security/vault.ts';
import { createWorkers } from './workers.ts';
import { workflowBundle } from './workflow-bundle.ts';

type OpenGateways = Gateways & { readonly mail: SmtpMailer };

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLogger('worker', config.env.logLevel);
  installTemporalRuntime(log);
  const stopped = untilStopped();

  const dataConverter = createDataConverter(config.env.codecKey);
  const [database, connection, bundle] = await Promise.all([
    connectDatabase(config.env, log),
    connectTemporal(config, log),
    workflowBundle(join(config.env.dataDir, 'cache')),
  ]);
  const temporal = new Client({ connection, namespace: config.temporal.namespace, dataConverter });
  const delivering = {
    db: database.db,
    vault: createVault(required('SECRET_KEY', config.env.secretKey)),
    settings: config,
    limits: createEndpointLimits(config.deliveries),
    allowPrivateWebhooks: config.env.allowPrivateWebhooks,
  };
  const firstAttempts = createFirstAttempts(delivering);
  const deps: Omit<ActivityDeps, 'gateways'> = {
    ...delivering,
    firstAttempts,
    temporal,
    publicUrl: config.env.publicUrl,
    log,
  };
  const gateways = openGateways(config, deps);
  const workers = await createWorkers({
    connection,
    activities: createActivities({ ...deps, gateways }),
    settings: config,
    bundle,
    dataConverter,
  });

  const running = Promise.all(workers.map((worker) => worker.run()));
  log.info({ taskQueues: workers.map((worker) => worker.options.taskQueue) }, 'the workers are running');
  process.send?.('ready');
  const reason = await Promise.race([stopped, running.then(() => 'a worker ended')]);
  log.info({ reason }, 'stopping');
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  await running;
  await closeGateways(gateways);
  await connection.close();
  await database.close();
}

/** The outside world as the configuration names it. An SMPP carrier binds here, and brings texts and receipts here. */
function openGateways(config: Config, deps: Omit<ActivityDeps, 'gateways'>): OpenGateways {
  const { voice, registry, carrier, mail } = config.gateways;
  const { env } = config;
  return {
    voice: createHttpVoice({
      url: required('gateways.voice.url', voice.url),
      accountSid: required('gateways.voice.accountSid', voice.accountSid),
      authToken: required('VOICE_AUTH_TOKEN', env.voiceAuthToken),
      from: voice.from,
    }),
    registry: createHttpRegistry({
      url: required('gateways.registry.url', registry.url),
      token: required('REGISTRY_TOKEN', env.registryToken),
    }),
    carrier: createCarrierGateway({
      settings: { ...carrier, url: required('gateways.carrier.url', carrier.url) },
      token: required('CARRIER_TOKEN', env.carrierToken),
      receiptUrl: `${env.publicUrl}/carrier/receipts`,
      listener: createCarrierListener(createCarrierInbox(deps), deps.log),
      log: deps.log,
    }),
    mail: createSmtpMailer({ url: required('SMTP_URL', env.smtpUrl), from: mail.from }),
  };
}

async function closeGateways({ carrier, mail }: OpenGateways): Promise<void> {
  await carrier.close();
  mail.close();
}

function fail(err: unknown, log: Pick<Logger, 'fatal'>): void {
  log.fatal({ err }, 'the worker could not go on');
  process.exit(1);
}

main().then(
  () => process.exit(0),
  (err: unknown) => fail(err, createLogger('worker', 'fatal')),
);
