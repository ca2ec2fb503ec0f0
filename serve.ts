/** The API process: HTTP in, workflows behind it, and the delivery worker that gives first attempts their speed. */
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serve, type ServerType } from '@hono/node-server';
import { Client } from '@temporalio/client';
import { createCarrierInbox } from './activities/carrier-inbox.ts';
import { createDeliveryActivities } from './activities/deliveries.ts';
import { createFirstAttempts } from './activities/deliveries-first-attempts.ts';
import { seedAccount } from './api/account-commands.ts';
import { createApp, type ApiDeps } from './api/app.ts';
import {
  connectDatabase,
  connectTemporal,
  createLogger,
  installTemporalRuntime,
  required,
  untilStopped,
} from './boot.ts';
import { readConfig } from './config.ts';
import { migrateDatabase } from './db/client.ts';
import { withoutParameters } from './db/errors.ts';
import { forgetIdempotencyKeys } from './db/writes/configuration.ts';
import { createEndpointGuard } from './gateways/endpoint-guard.ts';
import { createEndpointLimits } from './gateways/endpoint-limits.ts';
import { heldTimeout } from './gateways/held-timeout.ts';
import { createSmtpMailer } from './gateways/mail-smtp.ts';
import { createHttpRegistry } from './gateways/registry-http.ts';
import { createDataConverter } from './security/payload-codec.ts';
import { createVault } from './security/vault.ts';
import { createWeb } from './web/pages.ts';
import { createDeliveryWorker } from './workers.ts';
import { workflowBundle } from './workflow-bundle.ts';

/** Time open requests have to end when the process stops. Milliseconds. */
const drainMs = 10_000;
/** How often expired idempotency keys are removed. Milliseconds. */
const forgetMs = 3_600_000;

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLogger('api', config.env.logLevel);
  installTemporalRuntime(log);
  const stopped = untilStopped();

  const dataConverter = createDataConverter(config.env.codecKey);
  const vault = createVault(required('SECRET_KEY', config.env.secretKey));
  const [database, connection, bundle] = await Promise.all([
    connectDatabase(config.env, log),
    connectTemporal(config, log),
    workflowBundle(join(config.env.dataDir, 'cache')),
  ]);
  await migrateDatabase(required('DATABASE_URL', config.env.databaseUrl));
  // Client and worker share the connection: only then does the first attempt of a delivery start without a round trip.
  const temporal = new Client({ connection, namespace: config.temporal.namespace, dataConverter });
  const mail = createSmtpMailer({
    url: required('SMTP_URL', config.env.smtpUrl),
    from: config.gateways.mail.from,
  });
  const { allowPrivateWebhooks } = config.env;
  const guard = createEndpointGuard({ allowPrivate: allowPrivateWebhooks });
  const registry = createHttpRegistry({
    url: required('gateways.registry.url', config.gateways.registry.url),
    token: required('REGISTRY_TOKEN', config.env.registryToken),
  });
  const limits = createEndpointLimits(config.deliveries);
  const base = { db: database.db, temporal, vault, log };
  const delivering = { ...base, settings: config, limits };
  const firstAttempts = createFirstAttempts({ ...delivering, allowPrivateWebhooks });
  const deps: ApiDeps = {
    ...base,
    config,
    checkUrl: (url) => guard.checkUrl(url),
    checkEligibility: (phoneNumber) =>
      registry.checkEligibility(phoneNumber, heldTimeout(config.orders.eligibilityBudget)),
    inbox: createCarrierInbox({ ...delivering, firstAttempts }),
  };
  await seedAccount(deps);

  const worker = await createDeliveryWorker({
    connection,
    activities: createDeliveryActivities({ ...delivering, firstAttempts, gateways: { mail } }),
    settings: config,
    bundle,
    dataConverter,
  });
  const running = worker.run();
  const app = createApp(deps, (app, { count }) => {
    app.route('/', createWeb(deps, { fetch: (request) => app.fetch(request), count }));
  });
  const server = serve({ fetch: app.fetch, port: config.env.port });
  await once(server, 'listening');
  log.info({ port: config.env.port, publicUrl: config.env.publicUrl }, 'the API is listening');
  process.send?.('ready');
  const forgetting = setInterval(() => forgetKeys(deps), forgetMs);

  const reason = await Promise.race([stopped, running.then(() => 'the delivery worker ended')]);
  log.info({ reason }, 'stopping');
  clearInterval(forgetting);
  await closeServer(server);
  if (worker.getState() === 'RUNNING') worker.shutdown();
  await running;
  mail.close();
  await connection.close();
  await database.close();
}

/** Every API process does it: a row that another one removed is no trouble, and neither is an hour without it. */
function forgetKeys({ db, config, log }: ApiDeps): void {
  forgetIdempotencyKeys(db, { at: new Date(), lifeMs: config.api.idempotencyKey }).catch((err: unknown) => {
    log.warn({ err: withoutParameters(err) }, 'expired idempotency keys stay for another hour');
  });
}

/** Takes no new requests and lets the open ones end, for a while. */
async function closeServer(server: ServerType): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  if ('closeIdleConnections' in server) server.closeIdleConnections();
  await Promise.race([closed, pause(drainMs, undefined, { ref: false })]);
}

main().then(
  () => process.exit(0),
  (err: unknown) => {
    createLogger('api', 'fatal').fatal({ err: withoutParameters(err) }, 'the API could not go on');
    process.exit(1);
  },
);
