/** The delivery half of the service in one process, on real servers: API, delivery worker, database. */
import { Client } from '@temporalio/client';
import { NativeConnection, type Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createCarrierInbox, type CarrierInboxDeps } from '../../activities/carrier-inbox.ts';
import { createDeliveryActivities } from '../../activities/deliveries.ts';
import type { AttemptDeps } from '../../activities/deliveries-attempt.ts';
import { createFirstAttempts } from '../../activities/deliveries-first-attempts.ts';
import { startRecorded } from '../../activities/start-deliveries.ts';
import { createAccount } from '../../api/account-commands.ts';
import { createApp, type ApiDeps } from '../../api/app.ts';
import { readConfig } from '../../config.ts';
import { openDatabase, type Db } from '../../db/client.ts';
import { recordEvent, type NewEvent } from '../../db/writes/events.ts';
import type { DeliveryActivities } from '../../domain/ports.ts';
import { createEndpointGuard } from '../../gateways/endpoint-guard.ts';
import { createEndpointLimits } from '../../gateways/endpoint-limits.ts';
import type { Mail } from '../../gateways/mail.ts';
import { createDataConverter } from '../../security/payload-codec.ts';
import { newSid } from '../../security/derived-sid.ts';
import { createVault } from '../../security/vault.ts';
import { createDeliveryWorker } from '../../workers.ts';
import './quiet-runtime.ts';
import { testBundle } from './bundle.ts';
import { newPhoneNumber } from './phone-numbers.ts';

export interface DeliveryService {
  readonly db: Db;
  readonly client: Client;
  /** What this process takes texts and starts deliveries with. */
  readonly starter: CarrierInboxDeps;
  /** What one more process would make first attempts with. */
  readonly attemptDeps: AttemptDeps;
  /** Mails that went out. */
  readonly mails: readonly Mail[];
  /** A new customer, who calls the API. */
  customer(): Promise<Customer>;
  /** Stores an event and starts its deliveries, as the API does with an inbound text; answers their sids. */
  tell(event: Partial<NewEvent> & Pick<NewEvent, 'accountSid'>): Promise<string[]>;
  close(): Promise<void>;
}

export interface Customer {
  readonly accountSid: string;
  /** Calls the API as this customer; answers status and JSON. */
  call(
    method: string,
    path: string,
    form?: Readonly<Record<string, string | readonly string[]>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The text field of this name. */
  text(name: string): string;
}

export interface DeliveryServiceOptions {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  /** Environment beside the defaults, such as shorter delays. */
  readonly env?: Readonly<Record<string, string>>;
  /** Goes around the activities, to make them fail. */
  readonly around?: (activities: DeliveryActivities) => Partial<DeliveryActivities>;
}

export async function startDeliveryService(options: DeliveryServiceOptions): Promise<DeliveryService> {
  const queue = newSid('delivery');
  const settings = readConfig({
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    PUBLIC_URL: 'http://service.test',
    HOSTED_SMS_TEMPORAL__TASK_QUEUES__DELIVERIES: queue,
    ...options.env,
  });
  const log = pino({ level: 'silent' });
  const vault = createVault('k'.repeat(32));
  const dataConverter = createDataConverter(undefined);
  const database = openDatabase(options.databaseUrl, 20);
  const connection = await NativeConnection.connect({ address: options.temporalAddress });
  const client = new Client({ connection, dataConverter });
  const { db } = database;
  const mails: Mail[] = [];
  const mail = { send: async (sent: Mail) => (mails.push(sent), { accepted: true } as const) };
  const allowPrivateWebhooks = settings.env.allowPrivateWebhooks;
  const limits = createEndpointLimits(settings.deliveries);
  const base = { db, temporal: client, vault, log };
  const attemptDeps = { ...base, settings, limits, allowPrivateWebhooks };
  const starter = { ...base, settings, limits, firstAttempts: createFirstAttempts(attemptDeps) };
  const activities = createDeliveryActivities({ ...starter, gateways: { mail } });
  const worker = await createDeliveryWorker({
    connection,
    activities: { ...activities, ...options.around?.(activities) },
    settings,
    bundle: await testBundle(),
    dataConverter,
  });
  const running = worker.run();
  const guard = createEndpointGuard({ allowPrivate: allowPrivateWebhooks });
  const deps: ApiDeps = {
    ...base,
    config: settings,
    checkUrl: (url) => guard.checkUrl(url),
    checkEligibility: () => Promise.reject(new Error('deliveries need no registry')),
    inbox: createCarrierInbox(starter),
  };
  const app = createApp(deps);
  return {
    db,
    client,
    starter,
    attemptDeps,
    mails,
    customer: () => newCustomer(deps, app),
    tell: async (event) => {
      const at = new Date();
      const deliveries = await recordEvent(db, {
        kind: 'message/receive',
        resourceSid: newSid('message'),
        sequence: 1,
        line: newPhoneNumber(),
        payload: '{"body":"hello"}',
        at,
        ...event,
      });
      await startRecorded(starter, { deliveries, storedAt: at });
      return deliveries.map(({ start }) => start.deliverySid);
    },
    close: () => close(worker, running, [connection, database]),
  };
}

async function newCustomer(deps: ApiDeps, app: ReturnType<typeof createApp>): Promise<Customer> {
  const sid = newSid('account');
  const authToken = newSid('media').slice(2);
  await createAccount(deps, { sid, ownerAccountSid: sid, friendlyName: 'Customer', authToken });
  const authorization = `Basic ${Buffer.from(`${sid}:${authToken}`).toString('base64')}`;
  return {
    accountSid: sid,
    call: async (method, path, form, headers = {}) => {
      const response = await app.request(path, {
        method,
        headers: { authorization, ...headers },
        ...(form ? { body: encode(form) } : {}),
      });
      const json = await response.text();
      const body = (json === '' ? {} : JSON.parse(json)) as Answer['body'];
      return { status: response.status, body, text: (name) => String(body[name]) };
    },
  };
}

function encode(form: Readonly<Record<string, string | readonly string[]>>): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(form))
    for (const value of typeof values === 'string' ? [values] : values) parameters.append(name, value);
  return parameters;
}

async function close(
  worker: Worker,
  running: Promise<void>,
  resources: readonly { close(): Promise<void> }[],
): Promise<void> {
  worker.shutdown();
  await running;
  for (const resource of resources) await resource.close();
}
