/**
 * The product as it runs in production: PostgreSQL, Temporal, worker.ts and serve.ts, each a process of its own that can
 * be killed and started again. The outside world stays up: it is not ours to crash.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../config.ts';
import { migrateDatabase } from '../../db/client.ts';
import type { Running } from '../../local/child-process.ts';
import { startNodeChild } from '../../local/node-child.ts';
import { freePort } from '../../local/ports.ts';
import { startPostgres } from '../../local/postgres.ts';
import { startTemporal } from '../../local/temporal.ts';
import type { Local } from '../../local/server.tsx';
import { shareBundle } from './bundle.ts';
import {
  newCredentials,
  outsideWorld,
  productEnvironment,
  startStandIns,
  type Credentials,
} from './installation.ts';
import { until } from './until.ts';

export const processNames = ['postgres', 'temporal', 'worker', 'api'] as const;
export type ProcessName = (typeof processNames)[number];

export interface Processes {
  /** Origin of the API. */
  readonly url: string;
  readonly credentials: Credentials;
  readonly local: Local;
  readonly env: Readonly<Record<string, string>>;
  pid(name: ProcessName): number;
  /** SIGKILL; resolves when the process is gone. */
  kill(name: ProcessName): Promise<void>;
  /** Starts one that was killed; resolves when it is ready. */
  start(name: ProcessName): Promise<void>;
  stop(): Promise<void>;
}

const silent = (): void => {};
const program = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));

export async function startProcesses(more: Readonly<Record<string, string>> = {}): Promise<Processes> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hosted-sms-processes-'));
  // PostgreSQL runs as another user where this one is root.
  await chmod(dataDir, 0o755);
  await shareBundle(dataDir);
  const [postgresPort, temporalPort, apiPort] = [await freePort(), await freePort(), await freePort()];
  const openPostgres = () =>
    startPostgres({ dataDir: join(dataDir, 'postgres'), port: postgresPort, log: silent });
  const running = new Map<ProcessName, Running>();
  const postgres = await openPostgres();
  running.set('postgres', postgres);
  await migrateDatabase(postgres.url);

  const credentials = newCredentials();
  const base = {
    ...productEnvironment({ databaseUrl: postgres.url, dataDir, apiPort, credentials }),
    TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
    LOG_LEVEL: 'warn',
  };
  const local = await startStandIns(base);
  const env: Record<string, string> = { ...base, ...outsideWorld(local), ...more };
  const { temporal: settings } = readConfig(env);
  const launch = async (file: string, logName: string): Promise<Running> => {
    const logFile = join(dataDir, 'logs', `${logName}.log`);
    const child = await startNodeChild({ program: program(file), env: { ...process.env, ...env }, logFile });
    const outcome = await Promise.race([child.ready.then(() => null), child.ended]);
    if (outcome !== null) throw new Error(`${file} ended: ${outcome}`);
    return child;
  };
  const starts: Record<ProcessName, () => Promise<Running>> = {
    postgres: openPostgres,
    temporal: () =>
      startTemporal({
        dataDir: join(dataDir, 'temporal'),
        port: temporalPort,
        uiPort: null,
        namespace: settings.namespace,
        searchAttributes: settings.searchAttributes,
        dynamicConfig: settings.localServer.dynamicConfig,
        sqlitePragmas: settings.localServer.sqlitePragmas,
        log: silent,
      }),
    worker: () => launch('worker.ts', 'worker'),
    api: () => launch('serve.ts', 'api'),
  };
  const stopped = new Set<Running>();
  const restarts = new Map<ProcessName, Promise<void>>();
  // Both as the supervisor of `npm start`: a start that fails is tried again (PostgreSQL refuses while a session of the
  // one that was killed still ends), and so is a process that ends by itself (postgres.js throws where nobody can catch
  // it when a transaction loses its connection, its issue 1208).
  const start = async (name: ProcessName): Promise<void> => {
    const begun = await until(() => starts[name](), { timeoutMs: 60_000, what: `${name} to start` });
    running.set(name, begun);
    void begun.ended.then((reason) => {
      if (stopped.has(begun)) return;
      console.error(`[processes] ${name} ended by itself and is started again: ${reason}`);
      restarts.set(name, start(name));
    });
  };
  await start('temporal');
  await Promise.all([start('worker'), start('api')]);

  return {
    url: env['PUBLIC_URL'] ?? '',
    credentials,
    local,
    env,
    pid: (name) => running.get(name)?.pid ?? 0,
    kill: async (name) => {
      await restarts.get(name);
      const victim = running.get(name);
      if (!victim) return;
      stopped.add(victim);
      process.kill(victim.pid, 'SIGKILL');
      await victim.ended;
    },
    start,
    stop: async () => {
      await Promise.all(restarts.values());
      for (const victim of running.values()) stopped.add(victim);
      for (const name of processNames.toReversed()) await running.get(name)?.stop();
      await local.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
