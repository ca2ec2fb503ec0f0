/** How the processes of production begin and end: what they refuse, and that whoever runs them can stop them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { connectDatabase } from '../../boot.ts';
import { ConfigError, readConfig } from '../../config.ts';
import { isAlive } from '../../local/child-process.ts';
import { apiNeeds, demand, workerNeeds } from '../../requirements.ts';
import '../support/quiet-runtime.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Nobody listens there. */
const nowhere = '127.0.0.1:1';
const password = 'pass-word-in-the-url';
const complete = {
  DATABASE_URL: `postgres://sms:${password}@${nowhere}/sms`,
  TEMPORAL_ADDRESS: nowhere,
  PUBLIC_URL: 'https://sms.example',
  SECRET_KEY: 'a master key of enough characters',
  ADMIN_TOKEN: 'admin',
  CARRIER_TOKEN: 'carrier',
  VOICE_AUTH_TOKEN: 'voice',
  REGISTRY_TOKEN: 'registry',
  SMTP_URL: `smtp://${nowhere}`,
  HOSTED_SMS_GATEWAYS__VOICE__URL: `http://${nowhere}`,
  HOSTED_SMS_GATEWAYS__VOICE__ACCOUNT_SID: 'AC00000000000000000000000000000000',
  HOSTED_SMS_GATEWAYS__REGISTRY__URL: `http://${nowhere}`,
  HOSTED_SMS_GATEWAYS__CARRIER__URL: `http://${nowhere}`,
};

const dataDir = mkdtempSync(join(tmpdir(), 'hosted-sms-starting-'));
afterAll(() => rmSync(dataDir, { recursive: true }));
const begun: ChildProcess[] = [];
const servers: Server[] = [];
afterEach(() => {
  for (const child of begun.splice(0)) killGroup(child.pid ?? 0);
  for (const server of servers.splice(0)) server.close();
});

interface Begun {
  readonly child: ChildProcess;
  /** What it has written so far. */
  readonly said: () => string;
  /** Its exit code, or the signal it died of. */
  readonly ended: Promise<unknown>;
}

function begin(script: string, more: Readonly<Record<string, string>> = {}): Begun {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATA_DIR: dataDir, ...complete, ...more };
  // A group of its own, so that a test that fails leaves no process behind.
  const child = spawn('npm', ['run', script], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  begun.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += String(chunk)));
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => code ?? signal);
  return { child, said: () => said, ended };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // They have ended, as they should.
  }
}

describe.each(['worker', 'serve'])('npm run %s', (script) => {
  it('warns of what it waits for, without its password, and ends at once by SIGTERM, npm and node', async () => {
    const { child, said, ended } = begin(script);
    // In a fresh clone the program is compiled first, beside other tests.
    await until(() => said().includes('waiting for PostgreSQL'), { timeoutMs: 100_000 });
    expect(said()).toMatch(/"level":40,.*waiting for PostgreSQL/);
    const pid = Number(/"pid":(\d+)/.exec(said())?.[1]);
    expect(isAlive(pid)).toBe(true);
    child.kill('SIGTERM');
    await until(() => !isAlive(pid), { what: 'the process to end' });
    await ended;
    expect(said()).toContain('stopping before the start was over');
    expect(said()).not.toContain(password);
  });
});

it('a process ends with the name of a URL that cannot be read, and tells no password', async () => {
  const { said, ended } = begin('worker', { DATABASE_URL: `postgres://sms:${password}/x@db.example/sms` });
  expect(await ended).toBe(1);
  expect(said()).toMatch(/DATABASE_URL has to be a URL .*percent-encoded/);
  expect(said()).not.toContain(password);
});

describe.each([
  ['the API', apiNeeds],
  ['the worker', workerNeeds],
])('what %s does not start without', (_, needs) => {
  it('is complete with what its table in docs/deployment.md names', () => {
    expect(Object.keys(demand(readConfig(complete), needs))).toEqual([...needs]);
  });

  it('is told all at once, each with what it is for', () => {
    const lacking = {
      ...complete,
      PUBLIC_URL: '',
      CARRIER_TOKEN: '',
      VOICE_AUTH_TOKEN: '',
      TEMPORAL_ADDRESS: '',
    };
    const start = (): unknown => demand(readConfig(lacking), needs);
    expect(start).toThrow(ConfigError);
    for (const name of ['PUBLIC_URL', 'CARRIER_TOKEN', 'VOICE_AUTH_TOKEN', 'TEMPORAL_ADDRESS'])
      expect(start).toThrow(new RegExp(`\\b${name} \\([a-z]`));
  });
});

it.each([
  ['28P01', 'PostgreSQL refuses the password or the user (28P01)'],
  ['28000', 'PostgreSQL refuses the login (28000)'],
  ['3D000', 'PostgreSQL has no such database (3D000)'],
])('a database that refuses by %s is not asked for ever', async (code, words) => {
  const port = await refusingPostgres(code);
  const config = readConfig({ DATABASE_URL: `postgres://sms:${password}@127.0.0.1:${port}/sms` });
  const connecting = connectDatabase(config, pino({ level: 'silent' }));
  await expect(connecting).rejects.toThrow(new ConfigError(`DATABASE_URL: ${words}`));
});

/** Answers every greeting with an ErrorResponse. Source: PostgreSQL's manual, "Message Formats". */
async function refusingPostgres(code: string): Promise<number> {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mrefused\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([head, fields])));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
