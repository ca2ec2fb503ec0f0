/** A PostgreSQL of our own on this machine: made on first use, started, stopped, and picked up again after a crash. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { run, start, type Running } from './child-process.ts';
import { writeAtomically } from './json-file.ts';
import { preparePostgresHome, type PostgresHome } from './postgres-home.ts';

export interface PostgresOptions {
  /** Folder of this database; made where there is none. */
  readonly dataDir: string;
  readonly port: number;
  readonly log: (line: string) => void;
  /** False gives up safety from power failure for speed (fsync off): tests. Default: true. */
  readonly durable?: boolean;
}

export interface Postgres extends Running {
  /** Connection string, password included. */
  readonly url: string;
}

/** Name of the role and of the database. */
const role = 'app';
/** The most a start may take; recovery after a crash is part of it. Milliseconds. */
const startTimeoutMs = 60_000;

/** Resolves when the server takes connections. Rejects with the server's own words. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, port, log, durable = true } = options;
  const home = await preparePostgresHome(dataDir, log);
  const password = await passwordOf(dataDir);
  if (existsSync(join(home.cluster, 'PG_VERSION'))) await stopLeftover(home, log);
  else await createCluster(home, password, log);

  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
  ];
  if (!durable) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off');
  const args = ['-D', home.cluster, ...settings.flatMap((setting) => ['-c', setting])];
  // Fast shutdown: sessions are ended, nothing is lost.
  const stopHow = { signal: 'SIGINT', graceMs: 15_000 } as const;
  const server = start(join(home.native, 'bin', 'postgres'), args, processOptions(home, 'pipe'), stopHow);
  await untilReady(server.child.stderr, server);
  return {
    pid: server.pid,
    ended: server.ended,
    stop: () => server.stop(),
    url: `postgres://${role}:${password}@127.0.0.1:${port}/postgres`,
  };
}

/** Made beside and renamed, so that a cluster is whole or not there. */
async function createCluster(
  home: PostgresHome,
  password: string,
  log: (line: string) => void,
): Promise<void> {
  log('making a database (once)');
  const { native, cluster, user } = home;
  const passwordFile = `${cluster}.password`;
  const unfinished = `${cluster}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' });
  try {
    if (user) await Promise.all([passwordFile, unfinished].map((path) => chown(path, user.uid, user.gid)));
    // The built-in locale, so that the order of texts does not depend on the machine.
    const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
    const login = ['-U', role, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
    const args = ['-D', unfinished, '-E', 'UTF8', ...login, ...locale];
    await run(join(native, 'bin', 'initdb'), args, processOptions(home, 'ignore'));
    await rename(unfinished, cluster);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** A server that outlived the process that started it (kill -9) still holds the cluster. */
async function stopLeftover(home: PostgresHome, log: (line: string) => void): Promise<void> {
  const control = (...args: string[]): Promise<string> =>
    run(join(home.native, 'bin', 'pg_ctl'), [...args, '-D', home.cluster], processOptions(home, 'ignore'));
  const alive = await control('status').then(
    () => true,
    () => false,
  );
  if (!alive) return;
  log('stopping a server that an earlier start left behind');
  await control('stop', '-m', 'fast', '-w');
}

async function untilReady(stderr: Readable | null, server: Running): Promise<void> {
  let said = '';
  const ready = new Promise<void>((resolve) => {
    // Read to the end of the server's life: a full pipe would stop it.
    stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4000);
      if (said.includes('ready to accept connections')) resolve();
    });
  });
  const timeout = AbortSignal.timeout(startTimeoutMs);
  const failed = Promise.race([server.ended, once(timeout, 'abort').then(() => 'no answer')]);
  const failure = await Promise.race([ready.then(() => null), failed]);
  if (failure === null) return;
  await server.stop();
  throw new Error(`PostgreSQL did not start (${failure}):\n${said.trim()}`);
}

/** Kept beside the cluster, for us alone. */
async function passwordOf(dataDir: string): Promise<string> {
  const file = join(dataDir, 'password');
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept !== null) return kept;
  const password = randomBytes(24).toString('hex');
  await writeAtomically(file, password);
  return password;
}

function processOptions({ user }: PostgresHome, input: 'pipe' | 'ignore'): object {
  return {
    ...user,
    // The cluster's user may not be allowed where we are.
    cwd: '/',
    env: { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' },
    stdio: input === 'pipe' ? ['ignore', 'ignore', 'pipe'] : ['ignore', 'pipe', 'pipe'],
  };
}
