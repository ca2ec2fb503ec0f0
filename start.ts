/** Everything on one machine, by one command: servers, stand-ins, worker and API, kept running until Ctrl-C. */
import { mkdir } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ConfigError, forLocalTemporal, readConfig, type Config } from './config.ts';
import { printAddresses } from './local/addresses.ts';
import type { Running } from './local/child-process.ts';
import { createConsole } from './local/console.ts';
import { startNodeChild, type NodeChild } from './local/node-child.ts';
import { freePort, isFree } from './local/ports.ts';
import { startPostgres } from './local/postgres.ts';
import { claim, type RunFile } from './local/run-file.ts';
import { keepSecrets } from './local/secrets.ts';
import { supervise, type Supervised } from './local/supervisor.ts';
import { startTemporal } from './local/temporal.ts';
import { childEnvironment } from './start-environment.ts';
import { workflowBundle } from './workflow-bundle.ts';

const out = createConsole((line) => console.log(line));
const startedAt = Date.now() - process.uptime() * 1000;
/** Time a port may take to be let go by what an earlier start left behind. Milliseconds. */
const portPatienceMs = 5000;
/** Time that what is being started has to get there before it is stopped. Milliseconds. */
const openingPatienceMs = 5000;
const readyTimeoutMs = 90_000;
/** Two interrupts this close are one Ctrl-C: the terminal sends one, and npm passes on another. Milliseconds. */
const sameInterruptMs = 1000;

/** What runs, in the order in which it was started, and what is being started. */
const running: Supervised<Running>[] = [];
const opening: Promise<unknown>[] = [];
const stopping = new AbortController();

async function main(): Promise<void> {
  const config = readConfig();
  const dataDir = resolve(config.env.dataDir);
  onSignals();
  out.line(`Hosted SMS starts, its data in ${dataDir}`);
  await mkdir(dataDir, { recursive: true });
  const run = await claim(dataDir, 'start.ts', (line) => out.line(`  ${line}`));
  await checkPorts(config);
  const secrets = await keepSecrets(dataDir, process.env);
  const env = childEnvironment(config, { dataDir, secrets, given: process.env });

  const launch = (name: string, file: string, env: NodeJS.ProcessEnv): Promise<void> =>
    out.step(name, async () => ready(await child(name, file, env, dataDir, run)));
  const servers = Promise.all([
    openPostgres(config, dataDir),
    openTemporal(config, dataDir, run),
    // Otherwise worker and API would both make it, at the first start.
    out.step('workflows', () => workflowBundle(join(dataDir, 'cache'), stopping.signal)),
  ]);
  const [[, temporal]] = await Promise.all([
    servers,
    launch('outside world', './local/main.ts', env),
    servers.then(([databaseUrl, { address }]) => {
      const own = config.env.temporalAddress === undefined;
      const reaching = own ? forLocalTemporal(env, address) : { ...env, TEMPORAL_ADDRESS: address };
      const full = { ...reaching, DATABASE_URL: databaseUrl };
      return Promise.all([launch('worker', './worker.ts', full), launch('API', './serve.ts', full)]);
    }),
  ]);
  await untilHealthy(config.env.port);
  if (stopping.signal.aborted) return;
  printAddresses(out, {
    publicUrl: config.env.publicUrl,
    localPort: config.env.localPort,
    temporalAddress: temporal.address.replace('127.0.0.1', 'localhost'),
    temporalUiPort: config.env.temporalAddress === undefined ? config.temporal.localServer.uiPort : null,
    temporalCli: temporal.cli,
    dataDir,
    secrets,
    privateWebhooks: env['ALLOW_PRIVATE_WEBHOOKS'] === 'true',
    seconds: (Date.now() - startedAt) / 1000,
  });
}

async function openPostgres({ env }: Config, dataDir: string): Promise<string> {
  if (env.databaseUrl !== undefined) return env.databaseUrl;
  const log = out.about('PostgreSQL');
  // The port stays the same over restarts, so that the others find it again.
  const port = await freePort();
  const begin = () => startPostgres({ dataDir: join(dataDir, 'postgres'), port, log });
  const server = await out.step('PostgreSQL', () => keep(begin, log));
  return server.current().url;
}

interface OpenTemporal {
  readonly address: string;
  /** Path of the CLI where the PATH does not lead to it. */
  readonly cli: string | null;
}

async function openTemporal({ env, temporal }: Config, dataDir: string, run: RunFile): Promise<OpenTemporal> {
  if (env.temporalAddress !== undefined) return { address: env.temporalAddress, cli: null };
  const log = out.about('Temporal');
  const { namespace, searchAttributes, localServer } = temporal;
  const options = { ...localServer, namespace, searchAttributes, log, dataDir: join(dataDir, 'temporal') };
  const begin = async () => {
    const started = await startTemporal(options);
    await run.note('Temporal', started.pid, options.dataDir);
    return started;
  };
  const server = await out.step('Temporal', () => keep(begin, log));
  const { address, cli } = server.current();
  const found = (process.env['PATH'] ?? '').split(delimiter).includes(dirname(cli));
  return { address, cli: found ? null : cli };
}

function child(
  name: string,
  file: string,
  env: NodeJS.ProcessEnv,
  dataDir: string,
  run: RunFile,
): Promise<Supervised<NodeChild>> {
  const program = fileURLToPath(new URL(file, import.meta.url));
  const logFile = join(dataDir, 'logs', `${name.replace(' ', '-').toLowerCase()}.log`);
  const begin = async (): Promise<NodeChild> => {
    const started = await startNodeChild({ program, env, logFile });
    await run.note(name, started.pid, program);
    return started;
  };
  return keep(begin, out.about(name));
}

/** Starts it, and has it started again whenever it dies, until everything is stopped. */
async function keep<T extends Running>(
  begin: () => Promise<T>,
  log: (line: string) => void,
): Promise<Supervised<T>> {
  const supervising = supervise(begin, log);
  opening.push(supervising);
  const supervised = await supervising;
  running.push(supervised);
  return supervised;
}

/** Waits until a child says that it is ready; when one dies before, its successor may say so. */
async function ready(supervised: Supervised<NodeChild>): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  while (!(await Promise.race([supervised.current().ready, pause(200, false)]))) {
    if (Date.now() > deadline)
      throw new Error(`it is not ready after ${readyTimeoutMs / 1000} s; see the logs`);
  }
}

async function untilHealthy(port: number): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  for (let answer = 'no answer'; !stopping.signal.aborted; await pause(50)) {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
    if (response?.ok) return;
    answer = (await response?.text()) ?? answer;
    if (Date.now() > deadline) throw new Error(`the API is not ready: ${answer}`);
  }
}

/** Throws in words about the first port that somebody else has. */
async function checkPorts({ env, temporal }: Config): Promise<void> {
  const { port, uiPort } = temporal.localServer;
  const wanted: (readonly [number, string])[] = [
    [env.port, 'PORT'],
    [env.localPort, 'LOCAL_PORT'],
    [env.localPort + 1, 'LOCAL_PORT, SMTP is one above it'],
    [env.localPort + 2, 'LOCAL_PORT, SMPP is two above it'],
  ];
  if (env.temporalAddress === undefined)
    wanted.push(
      [port, 'HOSTED_SMS_TEMPORAL__LOCAL_SERVER__PORT'],
      [uiPort, 'HOSTED_SMS_TEMPORAL__LOCAL_SERVER__UI_PORT'],
    );
  const deadline = Date.now() + portPatienceMs;
  for (const [port, variable] of wanted) {
    while (!(await isFree(port))) {
      if (Date.now() > deadline)
        throw new ConfigError(`Port ${port} is taken by another program. Choose a free one: ${variable}`);
      await pause(100);
    }
  }
}

/** The first Ctrl-C stops everything in order, a second one at once. */
function onSignals(): void {
  let firstAt = 0;
  const stop = (): void => {
    if (firstAt === 0) {
      firstAt = Date.now();
      out.line('stopping; Ctrl-C again to kill');
      void stopAll().then(() => process.exit(0));
    } else if (Date.now() - firstAt > sameInterruptMs) {
      for (const { current } of running) kill(current().pid);
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}

/** Last started, first stopped: who takes requests before who works for them, and the servers at the end. */
async function stopAll(): Promise<void> {
  stopping.abort();
  await Promise.race([Promise.allSettled(opening), pause(openingPatienceMs)]);
  for (const service of running.toReversed()) await service.stop();
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

main().catch(async (err: unknown) => {
  // A stop that is under way ends the process itself, and what it broke off is no news.
  if (stopping.signal.aborted) return;
  console.error(`\n${err instanceof Error ? err.message : String(err)}`);
  await stopAll();
  process.exit(1);
});
