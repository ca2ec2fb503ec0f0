/** The product as `npm start` runs it, in processes of its own, on free ports, with data that is thrown away afterwards. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readsTypeScript } from '../local/node-child.ts';
import { freePort, isFree } from '../local/ports.ts';
import { accepted, createCaller, type Caller } from './http.ts';
import { until } from './load.ts';
import { treeOf, type Role, type RunningProcess } from './processes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const readyTimeoutMs = 120_000;

export interface Service {
  readonly url: string;
  readonly accountSid: string;
  /** Calls with the first account's credentials. */
  readonly customer: Caller;
  readonly admin: Caller;
  readonly carrier: Caller;
  /** host:port */
  readonly temporalAddress: string;
  readonly databaseUrl: string;
  /** From the command to the message that it is ready. Seconds. */
  readonly readyAfter: number;
  /** Its processes as they are now. */
  readonly processes: () => readonly RunningProcess[];
  /** Main process of a part. */
  readonly pidOf: (role: Role) => number;
  readonly isReady: () => Promise<boolean>;
  callerOf(accountSid: string, authToken: string): Caller;
  stop(): Promise<void>;
}

export interface Home {
  readonly dataDir: string;
  readonly remove: () => Promise<void>;
}

/** A folder for one service's data. PostgreSQL runs as another user where this one is root. */
export function newHome(): Home {
  const dataDir = mkdtempSync(join(tmpdir(), 'hosted-sms-bench-'));
  chmodSync(dataDir, 0o755);
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

/** Starts a service, lends it, and takes everything away again. */
export async function withService<T>(work: (service: Service) => Promise<T>): Promise<T> {
  const home = newHome();
  try {
    const service = await startService(home);
    try {
      return await work(service);
    } finally {
      await service.stop();
    }
  } finally {
    await home.remove();
  }
}

export async function startService({ dataDir }: Home): Promise<Service> {
  const credentials = {
    ACCOUNT_SID: `AC${randomUUID().replaceAll('-', '')}`,
    AUTH_TOKEN: secret(),
    ADMIN_TOKEN: secret(),
    CARRIER_TOKEN: secret(),
  };
  const [port, localPort, temporalPort, uiPort] = await Promise.all([
    freePort(),
    threeFreePorts(),
    freePort(),
    freePort(),
  ]);
  const logFile = join(dataDir, 'start.log');
  const log = openSync(logFile, 'w');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...readsTypeScript, 'start.ts'], {
    cwd: root,
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      ...credentials,
      DATA_DIR: dataDir,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      LOCAL_PORT: String(localPort),
      HOSTED_SMS_TEMPORAL__LOCAL_SERVER__PORT: String(temporalPort),
      HOSTED_SMS_TEMPORAL__LOCAL_SERVER__UI_PORT: String(uiPort),
      // The limit of a customer's rate is not what is measured.
      HOSTED_SMS_API__RATE_LIMIT_PER_SECOND: '1000000',
      HOSTED_SMS_API__RATE_LIMIT_BURST: '1000000',
    },
  });
  closeSync(log);
  // Whatever becomes of the bench, nothing of it stays behind.
  const leave = (): unknown => child.kill('SIGTERM');
  process.once('exit', leave);
  child.once('exit', () => process.off('exit', leave));
  await untilItSaysReady(child, logFile);
  const readyAfter = (performance.now() - startedAt) / 1000;

  const url = `http://127.0.0.1:${port}`;
  const processes = (): readonly RunningProcess[] => treeOf(child.pid ?? 0);
  return {
    url,
    accountSid: credentials.ACCOUNT_SID,
    customer: createCaller(url, credentials.ACCOUNT_SID, credentials.AUTH_TOKEN),
    admin: createCaller(url, 'admin', credentials.ADMIN_TOKEN),
    carrier: createCaller(url, 'carrier', credentials.CARRIER_TOKEN),
    temporalAddress: `127.0.0.1:${temporalPort}`,
    databaseUrl: environmentOf(mainPid(processes(), 'API'))['DATABASE_URL'] ?? '',
    readyAfter,
    processes,
    pidOf: (role) => mainPid(processes(), role),
    isReady: () =>
      fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(3000) }).then(
        ({ ok }) => ok,
        () => false,
      ),
    callerOf: (accountSid, authToken) => createCaller(url, accountSid, authToken),
    stop: () => stop(child),
  };
}

/** A line that texts come in on, and an endpoint that hears of them. */
export async function hostLine(
  service: Service,
  line: { readonly phoneNumber: string; readonly endpoint: string },
  account: { readonly sid: string; readonly caller: Caller } = {
    sid: service.accountSid,
    caller: service.customer,
  },
): Promise<void> {
  accepted(
    await service.admin.post('/admin/HostedNumbers', {
      AccountSid: account.sid,
      PhoneNumber: line.phoneNumber,
    }),
  );
  const subscription = { Url: line.endpoint, Events: 'message/receive', PhoneNumber: line.phoneNumber };
  accepted(await account.caller.post('/Webhooks', subscription));
}

const secret = (): string => randomBytes(16).toString('hex');

async function untilItSaysReady(child: ChildProcess, logFile: string): Promise<void> {
  const said = (): string => readFileSync(logFile, 'utf8');
  await until('npm start is ready', readyTimeoutMs, () => {
    if (child.exitCode !== null) throw new Error(`npm start ended:\n${said()}`);
    return said().includes('is ready, after');
  }).catch(async (err: unknown) => {
    await stop(child);
    throw err;
  });
}

function mainPid(processes: readonly RunningProcess[], role: Role): number {
  const pids = new Set(processes.filter((each) => each.role === role).map(({ pid }) => pid));
  return processes.find((each) => pids.has(each.pid) && !pids.has(each.parent))?.pid ?? 0;
}

function environmentOf(pid: number): Readonly<Record<string, string>> {
  const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s, 2)));
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  await ended;
}

/** The stand-ins take three ports in a row. */
async function threeFreePorts(): Promise<number> {
  for (;;) {
    const first = await freePort();
    const free = await Promise.all([first + 1, first + 2].map(isFree));
    if (free.every(Boolean)) return first;
  }
}
