/**
 * The whole product in the test's process: local stand-ins, workers and the API on real sockets at free ports, over the
 * run's PostgreSQL and Temporal (setup/servers.ts), with a database and task queues of its own.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Client } from '@temporalio/client';
import { NativeConnection, type Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { inject } from 'vitest';
import { createFirstAttempts } from '../../activities/deliveries-first-attempts.ts';
import { createActivities } from '../../activities/index.ts';
import { createCarrierInbox, createCarrierListener } from '../../activities/carrier-inbox.ts';
import { createAccount, seedAccount } from '../../api/account-commands.ts';
import { createApp, type ApiDeps } from '../../api/app.ts';
import { readConfig, type Config } from '../../config.ts';
import { openDatabase, type Db } from '../../db/client.ts';
import { createCarrierGateway } from '../../gateways/carrier-gateway.ts';
import { createEndpointGuard } from '../../gateways/endpoint-guard.ts';
import { createEndpointLimits } from '../../gateways/endpoint-limits.ts';
import { createSmtpMailer } from '../../gateways/mail-smtp.ts';
import { createHttpRegistry } from '../../gateways/registry-http.ts';
import { createHttpVoice } from '../../gateways/voice-http.ts';
import { freePort } from '../../local/ports.ts';
import type { Local } from '../../local/server.tsx';
import { newSid } from '../../security/derived-sid.ts';
import { createDataConverter } from '../../security/payload-codec.ts';
import { createVault } from '../../security/vault.ts';
import { createWeb } from '../../web/pages.ts';
import { createWorkers } from '../../workers.ts';
import { testBundle } from './bundle.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import {
  newCredentials,
  outsideWorld,
  productEnvironment,
  secret,
  startStandIns,
  type Credentials,
  type ProductEnvironment,
} from './installation.ts';
import './quiet-runtime.ts';

export { outsideWorld, startStandIns, type Credentials } from './installation.ts';

export interface Service {
  /** Origin of the API and of the pages. */
  readonly url: string;
  readonly credentials: Credentials;
  readonly local: Local;
  readonly config: Config;
  readonly temporal: Client;
  readonly db: Db;
  readonly sql: TestDatabase['sql'];
  readonly deps: ApiDeps;
  /** Makes a further account, with a token of its own. */
  addAccount(friendlyName?: string): Promise<{ readonly sid: string; readonly token: string }>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Laid over the environment the service reads: `HOSTED_SMS_…` keys and the rest of design.md §5. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startService({ env = {} }: ServiceOptions = {}): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hosted-sms-service-'));
  const [database, apiPort] = await Promise.all([createDatabase(), freePort()]);
  const credentials = newCredentials();
  const base = baseEnvironment({ database, dataDir, apiPort, credentials });
  const local = await startStandIns({ ...base, ...env });
  const config = readConfig({ ...base, ...outsideWorld(local), ...env });
  const product = await startProduct(config);
  return {
    ...product,
    credentials,
    local,
    config,
    sql: database.sql,
    stop: async () => {
      await product.stop();
      await local.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** What `npm start` would hand to its processes over the run's servers, but for the outside world. */
export function baseEnvironment({
  database,
  ...rest
}: Omit<ProductEnvironment, 'databaseUrl'> & {
  readonly database: Pick<TestDatabase, 'url'>;
}): Record<string, string> {
  const queue = randomBytes(6).toString('hex');
  return {
    ...productEnvironment({ databaseUrl: database.url, ...rest }),
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    HOSTED_SMS_TEMPORAL__TASK_QUEUES__ORDERS: `orders-${queue}`,
    HOSTED_SMS_TEMPORAL__TASK_QUEUES__MESSAGES: `messages-${queue}`,
    HOSTED_SMS_TEMPORAL__TASK_QUEUES__DELIVERIES: `deliveries-${queue}`,
  };
}

type Product = Pick<Service, 'url' | 'temporal' | 'db' | 'deps' | 'addAccount' | 'stop'>;

/** What serve.ts and worker.ts do, in one process. */
async function startProduct(config: Config): Promise<Product> {
  const { env } = config;
  const log = pino({ level: env.logLevel });
  const dataConverter = createDataConverter(env.codecKey);
  const database = openDatabase(env.databaseUrl ?? '');
  const connection = await NativeConnection.connect({ address: env.temporalAddress ?? '' });
  const temporal = new Client({ connection, namespace: config.temporal.namespace, dataConverter });
  const vault = createVault(env.secretKey ?? '');
  const shared = { db: database.db, temporal, vault, log };
  const limits = createEndpointLimits(config.deliveries);
  const { allowPrivateWebhooks } = env;
  const firstAttempts = createFirstAttempts({ ...shared, settings: config, limits, allowPrivateWebhooks });
  const inbox = createCarrierInbox({ ...shared, settings: config, limits, firstAttempts });
  const mail = createSmtpMailer({ url: env.smtpUrl ?? '', from: config.gateways.mail.from });
  const carrier = createCarrierGateway({
    settings: config.gateways.carrier,
    token: env.carrierToken ?? '',
    receiptUrl: `${env.publicUrl}/carrier/receipts`,
    listener: createCarrierListener(inbox, log),
    log,
  });
  const activities = createActivities({
    ...shared,
    settings: config,
    limits,
    firstAttempts,
    publicUrl: env.publicUrl,
    allowPrivateWebhooks,
    gateways: { voice: voiceOf(config), registry: registryOf(config), carrier, mail },
  });
  const bundle = await testBundle();
  const workers = await createWorkers({ connection, activities, settings: config, bundle, dataConverter });
  const running = Promise.all(workers.map((worker) => worker.run()));

  const guard = createEndpointGuard({ allowPrivate: allowPrivateWebhooks });
  const deps: ApiDeps = {
    ...shared,
    config,
    inbox,
    checkUrl: (url) => guard.checkUrl(url),
    checkEligibility: (phoneNumber) => registryOf(config).checkEligibility(phoneNumber),
  };
  const app = createApp(deps, (app, { count }) => {
    app.route('/', createWeb(deps, { fetch: (request) => app.fetch(request), count }));
  });
  const server = serve({ fetch: app.fetch, port: env.port, hostname: '127.0.0.1' });
  await once(server, 'listening');
  await seedAccount(deps);
  const addAccount: Product['addAccount'] = async (friendlyName = 'A customer') => {
    const [sid, token] = [newSid('account'), secret()];
    await createAccount(deps, { sid, ownerAccountSid: sid, friendlyName, authToken: token });
    return { sid, token };
  };
  return {
    url: env.publicUrl,
    temporal,
    db: database.db,
    deps,
    addAccount,
    stop: async () => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close();
      await stopWorkers(workers, running);
      await carrier.close();
      mail.close();
      await connection.close();
      await database.close();
    },
  };
}

const voiceOf = ({ gateways: { voice }, env }: Config) =>
  createHttpVoice({
    url: voice.url,
    accountSid: voice.accountSid,
    authToken: env.voiceAuthToken ?? '',
    from: voice.from,
  });

const registryOf = ({ gateways: { registry }, env }: Config) =>
  createHttpRegistry({ url: registry.url, token: env.registryToken ?? '' });

async function stopWorkers(workers: readonly Worker[], running: Promise<unknown>): Promise<void> {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  await running;
}
