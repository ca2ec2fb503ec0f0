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
import { connectDatabase, connectTemporal, runProcess, type Process } from './boot.ts';
import { migrateDatabase, type Database } from './db/client.ts';
import { withoutParameters } from './db/errors.ts';
import { forgetIdempotencyKeys } from './db/writes/configuration.ts';
import { createEndpointGuard } from './gateways/endpoint-guard.ts';
import { createEndpointLimits } from './gateways/endpoint-limits.ts';
import { heldTimeout } from './gateways/held-timeout.ts';
import { createSmtpMailer } from './gateways/mail-smtp.ts';
import { createHttpRegistry } from './gateways/registry-http.ts';
import { apiNeeds, demand } from './requirements.ts';
import { createDataConverter } from './security/payload-codec.ts';
import { createVault } from './security/vault.ts';
import { checkSearchAttributes, checkSecretKey } from './start-checks.ts';
import { createWeb } from './web/pages.ts';
import { createDeliveryWorker } from './workers.ts';
import { workflowBundle } from './workflow-bundle.ts';

/** Time open requests have to end when the process stops. Milliseconds. */
const drainMs = 10_000;
/** How often expired idempotency keys are removed. Milliseconds. */
const forgetMs = 3_600_000;

async function main({ config, log, stopped, unlessStopped }: Process): Promise<void> {
  const given = demand(config, apiNeeds);
  const dataConverter = createDataConverter(config.env.codecKey);
  const vault = createVault(given.SECRET_KEY);
  const openDatabase = async (): Promise<Database> => {
    const database = await connectDatabase(config, log);
    await migrateDatabase(given.DATABASE_URL);
    await checkSecretKey(database.db, vault);
    return database;
  };
  const [database, connection, bundle] = await unlessStopped(
    Promise.all([
      openDatabase(),
      connectTemporal(config, log),
      workflowBundle(join(config.env.dataDir, 'cache')),
    ]),
  );
  await unlessStopped(checkSearchAttributes(connection, config, log));
  // Client and worker share the connection: only then does the first attempt of a delivery start without a round trip.
  const temporal = new Client({ connection, namespace: config.temporal.namespace, dataConverter });
  const mail = createSmtpMailer({ url: given.SMTP_URL, from: config.gateways.mail.from });
  const { allowPrivateWebhooks } = config.env;
  const guard = createEndpointGuard({ allowPrivate: allowPrivateWebhooks });
  const registry = createHttpRegistry({
    url: given['gateways.registry.url'],
    token: given.REGISTRY_TOKEN,
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

runProcess('API', main);
