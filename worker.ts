/** The worker process: orders, documents, messages and deliveries, until it is asked to stop. */
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { createCarrierInbox, createCarrierListener } from './activities/carrier-inbox.ts';
import { createFirstAttempts } from './activities/deliveries-first-attempts.ts';
import type { ActivityDeps, Gateways } from './activities/deps.ts';
import { createActivities } from './activities/index.ts';
import { connectDatabase, connectTemporal, runProcess, type Process } from './boot.ts';
import type { Config } from './config.ts';
import { createCarrierGateway } from './gateways/carrier-gateway.ts';
import { createEndpointLimits } from './gateways/endpoint-limits.ts';
import { createSmtpMailer, type SmtpMailer } from './gateways/mail-smtp.ts';
import { createHttpRegistry } from './gateways/registry-http.ts';
import { createHttpVoice } from './gateways/voice-http.ts';
import { demand, workerNeeds } from './requirements.ts';
import { createDataConverter } from './security/payload-codec.ts';
import { createVault } from './security/vault.ts';
import { checkSearchAttributes, checkSecretKey } from './start-checks.ts';
import { createWorkers } from './workers.ts';
import { workflowBundle } from './workflow-bundle.ts';

type OpenGateways = Gateways & { readonly mail: SmtpMailer };

async function main({ config, log, stopped, unlessStopped }: Process): Promise<void> {
  const vault = createVault(demand(config, workerNeeds).SECRET_KEY);
  const dataConverter = createDataConverter(config.env.codecKey);
  const [database, connection, bundle] = await unlessStopped(
    Promise.all([
      connectDatabase(config, log),
      connectTemporal(config, log),
      workflowBundle(join(config.env.dataDir, 'cache')),
    ]),
  );
  await unlessStopped(
    Promise.all([checkSecretKey(database.db, vault), checkSearchAttributes(connection, config, log)]),
  );
  const temporal = new Client({ connection, namespace: config.temporal.namespace, dataConverter });
  const delivering = {
    db: database.db,
    vault,
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
  const { voice, carrier, mail } = config.gateways;
  const given = demand(config, workerNeeds);
  return {
    voice: createHttpVoice({
      url: given['gateways.voice.url'],
      accountSid: given['gateways.voice.accountSid'],
      authToken: given.VOICE_AUTH_TOKEN,
      from: voice.from,
    }),
    registry: createHttpRegistry({ url: given['gateways.registry.url'], token: given.REGISTRY_TOKEN }),
    carrier: createCarrierGateway({
      settings: carrier,
      token: given.CARRIER_TOKEN,
      receiptUrl: `${given.PUBLIC_URL}/carrier/receipts`,
      listener: createCarrierListener(createCarrierInbox(deps), deps.log),
      log: deps.log,
    }),
    mail: createSmtpMailer({ url: given.SMTP_URL, from: mail.from }),
  };
}

async function closeGateways({ carrier, mail }: OpenGateways): Promise<void> {
  await carrier.close();
  mail.close();
}

runProcess('worker', main);
