/**
 * `npm run conformance`: the official clients of three languages, unmodified but for their base URL, against a service
 * started for them. `--newest` takes the newest of each language only; `--only node-6.2.0` one of them.
 * CONFORMANCE_URL, ACCOUNT_SID, AUTH_TOKEN and ADMIN_TOKEN point it at a service that runs already.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { readsTypeScript } from '../../local/node-child.ts';
import { freePort } from '../../local/ports.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { until } from '../support/until.ts';
import { newestClients, officialClients, playStory, type OfficialClient } from './clients.ts';

interface Target {
  readonly url: string;
  readonly accountSid: string;
  readonly authToken: string;
  readonly adminToken: string;
  stop(): Promise<void>;
}

const { values } = parseArgs({ options: { newest: { type: 'boolean' }, only: { type: 'string' } } });
const nameOf = ({ language, version }: OfficialClient): string => `${language}-${version}`;
const chosen = (values.newest ? newestClients : officialClients).filter(
  (client) => values.only === undefined || nameOf(client) === values.only,
);

const target = process.env['CONFORMANCE_URL']
  ? runningService(process.env['CONFORMANCE_URL'])
  : await startService();
let failures = 0;
try {
  for (const client of chosen) failures += await judge(client);
} finally {
  await target.stop();
}
console.log(failures === 0 ? `All ${chosen.length} clients agree.` : `${failures} steps failed.`);
process.exit(failures === 0 && chosen.length > 0 ? 0 : 1);

/** Plays the story of one client; answers how many of its steps failed. */
async function judge(client: OfficialClient): Promise<number> {
  const startedAt = Date.now();
  try {
    const results = await playStory(client, {
      BASE_URL: target.url,
      ACCOUNT_SID: target.accountSid,
      AUTH_TOKEN: target.authToken,
      PHONE_NUMBERS: [newPhoneNumber(), newPhoneNumber(), newPhoneNumber()].join(),
      NUMBER_SID: await hostedNumber(),
    });
    const failed = results.filter(({ failure }) => failure !== null);
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    console.log(
      `${nameOf(client).padEnd(16)} ${results.length - failed.length} of ${results.length} steps, ${seconds} s`,
    );
    for (const { step, failure } of failed) console.log(`  FAIL ${step}: ${failure}`);
    return results.length === 0 ? 1 : failed.length;
  } catch (err) {
    console.log(
      `${nameOf(client).padEnd(16)} did not run: ${err instanceof Error ? err.message : String(err)}`,
    );
    return 1;
  }
}

/** A completed number of the account: one that an administrator took over. */
async function hostedNumber(): Promise<string> {
  const answer = await fetch(`${target.url}/admin/HostedNumbers`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`admin:${target.adminToken}`)}` },
    body: new URLSearchParams({ AccountSid: target.accountSid, PhoneNumber: newPhoneNumber() }),
  });
  const order = (await answer.json()) as { incoming_phone_number_sid?: string; message?: string };
  if (order.incoming_phone_number_sid === undefined)
    throw new Error(`no number taken over: ${order.message}`);
  return order.incoming_phone_number_sid;
}

function runningService(url: string): Target {
  const given = (name: string): string => process.env[name] ?? '';
  return {
    url,
    accountSid: given('ACCOUNT_SID'),
    authToken: given('AUTH_TOKEN'),
    adminToken: given('ADMIN_TOKEN'),
    stop: async () => {},
  };
}

/** `npm start` on free ports, with a data folder that is thrown away. */
async function startService(): Promise<Target> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hosted-sms-conformance-'));
  const [port, localPort, temporalPort, uiPort] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const token = (): string => randomBytes(16).toString('hex');
  const [accountSid, authToken, adminToken] = [`AC${token()}`, token(), token()];
  const start = fork(join(import.meta.dirname, '../../start.ts'), {
    execArgv: [...readsTypeScript],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PORT: String(port),
      LOCAL_PORT: String(localPort),
      DATA_DIR: dataDir,
      ACCOUNT_SID: accountSid,
      AUTH_TOKEN: authToken,
      ADMIN_TOKEN: adminToken,
      HOSTED_SMS_TEMPORAL__LOCAL_SERVER__PORT: String(temporalPort),
      HOSTED_SMS_TEMPORAL__LOCAL_SERVER__UI_PORT: String(uiPort),
    },
  });
  const ended = new Promise<void>((resolve) => start.once('exit', () => resolve()));
  const url = `http://localhost:${port}`;
  const stop = async (): Promise<void> => {
    start.kill('SIGINT');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const ready = async (): Promise<boolean> => (await fetch(`${url}/health/ready`)).ok;
    await until(ready, { timeoutMs: 120_000, what: 'the service is ready' });
  } catch (err) {
    await stop();
    throw err;
  }
  return { url, accountSid, authToken, adminToken, stop };
}
