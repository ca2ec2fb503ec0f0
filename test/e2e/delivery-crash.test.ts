/**
 * Texts come in while the processes are killed: what was answered 2xx reaches the endpoint (issue 4). The processes are
 * the product's own, serve.ts and worker.ts, ended by SIGKILL. Temporal and PostgreSQL are killed in other tests.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readsTypeScript } from '../../local/node-child.ts';
import { freePort } from '../../local/ports.ts';
import type { Local } from '../../local/server.tsx';
import { newSid } from '../../security/derived-sid.ts';
import { shareBundle } from '../support/bundle.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { httpClient, type HttpAnswer, type HttpClient } from '../support/http.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { baseEnvironment, outsideWorld, startStandIns, type Credentials } from '../support/service.ts';
import { answer, startSink, type Sink } from '../support/sink.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const texts = 200;
const callers = 8;
/** Time a caller gives up after. Milliseconds. */
const patienceMs = 60_000;

const credentials: Credentials = {
  accountSid: newSid('account'),
  authToken: 'a'.repeat(32),
  adminToken: 'b'.repeat(32),
  carrierToken: 'c'.repeat(32),
};
const line = newPhoneNumber();

let database: TestDatabase;
let dataDir: string;
let local: Local;
let sink: Sink;
let env: Record<string, string>;
let running: { serve: ChildProcess; worker: ChildProcess };
let carrier: HttpClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hosted-sms-crash-'));
  await shareBundle(dataDir);
  const [madeDatabase, apiPort] = await Promise.all([createDatabase(), freePort()]);
  database = madeDatabase;
  sink = await startSink(answer(200));
  const base = baseEnvironment({ database, dataDir, apiPort, credentials });
  local = await startStandIns(base);
  env = { ...base, ...outsideWorld(local) };
  running = { serve: await startProcess('serve.ts'), worker: await startProcess('worker.ts') };
  const origin = env['PUBLIC_URL'] ?? '';
  carrier = httpClient(origin, 'carrier', credentials.carrierToken);
  const admin = httpClient(origin, 'admin', credentials.adminToken);
  const customer = httpClient(origin, credentials.accountSid, credentials.authToken);
  const order = { AccountSid: credentials.accountSid, PhoneNumber: line };
  expect((await admin.post('/admin/HostedNumbers', order)).status).toBe(201);
  expect((await customer.post('/Webhooks', { Url: sink.url, Events: 'message/receive' })).status).toBe(201);
});
afterAll(async () => {
  for (const child of Object.values(running)) await kill(child);
  await Promise.all([sink.close(), local.stop()]);
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Resolves when the process says that it is ready. */
async function startProcess(script: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...readsTypeScript, script], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** A text as a carrier brings it: again and again until it is acknowledged. */
async function bring(messageSid: string): Promise<void> {
  const form = { MessageSid: messageSid, From: newPhoneNumber(), To: line, Body: messageSid };
  await until(
    async () => {
      const given: HttpAnswer = await carrier.post('/carrier/messages', form);
      return given.status >= 200 && given.status < 300;
    },
    { timeoutMs: patienceMs, what: `the text ${messageSid} is acknowledged` },
  );
}

it('every text that was acknowledged arrives, under one id, while API and worker are killed', async () => {
  const sids = Array.from({ length: texts }, () => newSid('message'));
  const waiting = [...sids];
  let brought = 0;
  const callersDone = Promise.all(
    Array.from({ length: callers }, async () => {
      for (let sid = waiting.pop(); sid !== undefined; sid = waiting.pop()) {
        await bring(sid);
        brought += 1;
      }
    }),
  );
  await until(() => brought >= texts / 3, { timeoutMs: patienceMs });
  await kill(running.serve);
  running.serve = await startProcess('serve.ts');
  await until(() => brought >= (texts * 2) / 3, { timeoutMs: patienceMs });
  await Promise.all([kill(running.worker), kill(running.serve)]);
  [running.worker, running.serve] = await Promise.all([startProcess('worker.ts'), startProcess('serve.ts')]);
  await callersDone;

  const idsOf = new Map<string, Set<string>>();
  await until(
    () => {
      for (const { body, headers } of sink.seen) {
        const { body: sid } = JSON.parse(body) as { readonly body: string };
        idsOf.set(sid, (idsOf.get(sid) ?? new Set()).add(String(headers['webhook-id'])));
      }
      return idsOf.size === texts;
    },
    { timeoutMs: patienceMs, what: 'every text has arrived' },
  );
  expect(new Set(idsOf.keys())).toEqual(new Set(sids));
  for (const ids of idsOf.values()) expect(ids.size).toBe(1);
  // Twice arrives only what had been sent and not yet stored in one of the three processes that died.
  expect(sink.seen.length - texts).toBeLessThanOrEqual(3 * 2 * callers);
});
