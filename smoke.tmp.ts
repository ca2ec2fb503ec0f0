import { readFileSync } from 'node:fs';
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { pino } from 'pino';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { createActivities } from './activities/index.ts';
import { createCarrierInbox } from './activities/carrier-inbox.ts';
import { createApp } from './api/app.ts';
import { createAccount } from './api/account-commands.ts';
import { readConfig } from './config.ts';
import { openDatabase } from './db/client.ts';
import { createDataConverter } from './security/payload-codec.ts';
import { createVault } from './security/vault.ts';
import { signRequest } from './security/request-signature.ts';
import { createEndpointGuard } from './gateways/endpoint-guard.ts';
import { createWorkers } from './workers.ts';
import { testBundle } from './test/support/bundle.ts';
import { installTemporalRuntime } from './boot.ts';

const at = JSON.parse(readFileSync('/tmp/api-smoke/env.json', 'utf8'));
const admin = postgres(at.pg, { max: 1, onnotice: () => {} });
await admin.unsafe('drop schema public cascade; create schema public; drop schema if exists drizzle cascade');
await migrate(drizzle(admin, { casing: 'snake_case' }), { migrationsFolder: '/tmp/api-smoke/mig' });
await admin.end();
const config = readConfig({ PORT: '38123', PUBLIC_URL: 'http://api.test', SECRET_KEY: 'x'.repeat(40), ADMIN_TOKEN: 'adm', CARRIER_TOKEN: 'car', VOICE_AUTH_TOKEN: 'voice', ALLOW_PRIVATE_WEBHOOKS: 'true', HOSTED_SMS_API__RATE_LIMIT_PER_SECOND: '1000000', HOSTED_SMS_API__RATE_LIMIT_BURST: '1000000' });
const log = pino({ level: process.env['LOG'] ?? 'warn' });
installTemporalRuntime(log);
const database = openDatabase(at.pg, 10);
const dataConverter = createDataConverter(undefined);
const connection = await NativeConnection.connect({ address: at.temporal });
const temporal = new Client({ connection, dataConverter });
const vault = createVault('x'.repeat(40));
const calls: any[] = [];
const gateways: any = {
  voice: { placeCall: async (c: any) => { calls.push(c); return { callSid: 'CA' + 'a'.repeat(31) + calls.length }; }, hangUp: async () => {}, fetchStatus: async () => 'in-progress' },
  registry: { checkEligibility: async (n: string) => n.endsWith('9') ? { kind: 'ineligible', reason: 'elsewhere', holder: 'X' } : { kind: 'eligible', holder: null }, register: async () => ({ state: 'pending' }), fetchRegistration: async () => ({ state: 'pending' }), deregister: async () => {} },
  carrier: { submit: async () => ({ kind: 'accepted', carrierId: '1', receiptFollows: false }), close: async () => {} },
  mail: { send: async () => ({ accepted: true }) },
};
const actDeps: any = { db: database.db, temporal, gateways, vault, settings: config, publicUrl: config.env.publicUrl, allowPrivateWebhooks: true, log };
const workers = await createWorkers({ connection, activities: createActivities(actDeps), settings: config, bundle: await testBundle(), dataConverter });
const running = Promise.all(workers.map((w) => w.run()));
const guard = createEndpointGuard({ allowPrivate: true });
const deps: any = { db: database.db, temporal, config, vault, log, checkUrl: (u: string) => guard.checkUrl(u), inbox: createCarrierInbox({ db: database.db, temporal, settings: config } as any) };
const AC = 'AC' + '1'.repeat(32);
await createAccount(deps, { sid: AC, ownerAccountSid: AC, friendlyName: 'A', authToken: 'tok' });
const app = createApp(deps);
const auth = { Authorization: 'Basic ' + Buffer.from(`${AC}:tok`).toString('base64') };
const adm = { Authorization: 'Basic ' + Buffer.from(`admin:adm`).toString('base64') };
const call = async (method: string, path: string, form?: any, headers: any = auth) => {
  const body = form && (typeof form === 'string' ? form : new URLSearchParams(form).toString());
  const r = await app.request('http://api.test' + path, { method, headers: { ...headers, ...(form ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}) }, ...(form ? { body } : {}) });
  const text = await r.text();
  let out: any = text; try { out = JSON.parse(text) } catch {}
  return { status: r.status, body: out, headers: Object.fromEntries(r.headers) };
};
const show = (n: string, r: any) => console.log(n, r.status, typeof r.body === 'string' ? r.body.slice(0, 300) : JSON.stringify(r.body).slice(0, 600));
(globalThis as any).__ = { app, call, show, AC, calls, adm, deps, signRequest, config };
await import(process.argv[2]!);
for (const w of workers) w.shutdown();
await running; await connection.close(); await database.close(); process.exit(0);
