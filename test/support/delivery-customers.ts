/**
 * Customers with endpoints of their own, and what is on record of their deliveries. Waits between attempts are short enough
 * to be waited for; what ends a delivery or an attempt is so long that a machine that stalls does not reach it.
 */
import { eq } from 'drizzle-orm';
import { inject } from 'vitest';
import { deliveries } from '../../db/schema/deliveries.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import {
  startDeliveryService,
  type Customer,
  type DeliveryService,
  type DeliveryServiceOptions,
} from './delivery-service.ts';
import { startSink, type Behaviour, type Sink } from './sink.ts';
import { until } from './until.ts';

const usual = {
  HOSTED_SMS_DELIVERIES__RETRY__INITIAL_INTERVAL: '200 milliseconds',
  HOSTED_SMS_DELIVERIES__RETRY__MAXIMUM_INTERVAL: '400 milliseconds',
  HOSTED_SMS_DELIVERIES__RETRY__WINDOW: '1 hour',
  HOSTED_SMS_DELIVERIES__TIMEOUT: '1 minute',
  HOSTED_SMS_DELIVERIES__ENDPOINT_CONCURRENCY: '5',
};

type Form = Readonly<Record<string, string | readonly string[]>>;
type DeliveryRow = typeof deliveries.$inferSelect;

export interface Subscribed {
  readonly sid: string;
  readonly secret: string;
}

export interface DeliveryCustomers {
  readonly service: DeliveryService;
  /** An endpoint that lives until `closeSinks`. */
  sink(behave: Behaviour): Promise<Sink>;
  subscribe(customer: Customer, url: string, form?: Form): Promise<Subscribed>;
  /** A new customer with one endpoint. */
  customerAt(
    behave: Behaviour,
    form?: Form,
  ): Promise<{ readonly customer: Customer; readonly endpoint: Sink } & Subscribed>;
  rowOf(deliverySid: string): Promise<DeliveryRow | undefined>;
  untilState(deliverySid: string, state: string): Promise<DeliveryRow>;
  closeSinks(): Promise<void>;
  stop(): Promise<void>;
}

/** `env`: laid over the usual settings. */
export async function startDeliveryCustomers({
  env,
  ...options
}: Pick<DeliveryServiceOptions, 'around' | 'env'> = {}): Promise<DeliveryCustomers> {
  const database: TestDatabase = await createDatabase();
  const service = await startDeliveryService({
    databaseUrl: database.url,
    temporalAddress: inject('temporalAddress'),
    env: { ...usual, ...env },
    ...options,
  });
  const sinks: Sink[] = [];
  const sink: DeliveryCustomers['sink'] = async (behave) => {
    const started = await startSink(behave);
    sinks.push(started);
    return started;
  };
  const rowOf: DeliveryCustomers['rowOf'] = async (sid) => {
    const [row] = await service.db.select().from(deliveries).where(eq(deliveries.sid, sid));
    return row;
  };
  return {
    service,
    sink,
    subscribe,
    customerAt: async (behave, form = {}) => {
      const customer = await service.customer();
      const endpoint = await sink(behave);
      return { customer, endpoint, ...(await subscribe(customer, endpoint.url, form)) };
    },
    rowOf,
    untilState: (sid, state) =>
      until(async () => {
        const row = await rowOf(sid);
        return row?.state === state && row;
      }),
    closeSinks: async () => {
      for (const open of sinks.splice(0)) await open.close();
    },
    stop: async () => {
      await service.close();
      await database.drop();
    },
  };
}

async function subscribe(customer: Customer, url: string, form: Form = {}): Promise<Subscribed> {
  const created = await customer.call('POST', '/Webhooks', { Url: url, ...form });
  if (created.status !== 201) throw new Error(`${created.status} ${JSON.stringify(created.body)}`);
  return { sid: created.text('sid'), secret: created.text('secret') };
}

/** Answers so many requests with a failure, and takes the rest. */
export function failTimes(times: number, status = 500): Behaviour {
  let count = 0;
  return (response) => {
    count += 1;
    response.writeHead(count <= times ? status : 200).end('body');
  };
}
