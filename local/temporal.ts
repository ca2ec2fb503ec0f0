/** A Temporal development server with its Web UI, its database in one SQLite file. */
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { endLeftover, start, type Running } from './child-process.ts';
import { untilListening } from './ports.ts';
import { findTemporalBinary } from './temporal-binary.ts';

export interface TemporalOptions {
  /** Folder of the database, the log and the process id; made where there is none. `null`: in memory, for tests. */
  readonly dataDir: string | null;
  readonly port: number;
  /** `null`: without the Web UI. */
  readonly uiPort: number | null;
  readonly namespace: string;
  /** Made at start, of type Keyword. */
  readonly searchAttributes: readonly string[];
  readonly dynamicConfig: Readonly<Record<string, string | number | boolean>>;
  /** `name=value` */
  readonly sqlitePragmas: readonly string[];
  readonly log: (line: string) => void;
}

export interface Temporal extends Running {
  /** host:port of the gRPC service. */
  readonly address: string;
  /** Path of the CLI the server was started with. */
  readonly cli: string;
}

const startTimeoutMs = 30_000;
/** Growth of the heap between two collections, in percent: a tenth less work for some hundred MB. Go's default is 100. */
const garbagePercent = '300';
const stopHow = { signal: 'SIGTERM', graceMs: 10_000 } as const;

/** Resolves when the port answers. Rejects with what to install, or with the end of the server's log. */
export async function startTemporal(options: TemporalOptions): Promise<Temporal> {
  const { dataDir, port, log } = options;
  const binary = await findTemporalBinary(log);
  const files = dataDir === null ? null : await prepare(dataDir, log);
  const output = files ? openSync(files.log, 'a') : 'ignore';
  const args = commandLineOf(options, files?.database);
  const env = { GOGC: garbagePercent, ...process.env };
  const server = start(binary, args, { env, stdio: ['ignore', output, output] }, stopHow);
  if (typeof output === 'number') closeSync(output);
  if (files) await writeFile(files.pid, String(server.pid));

  const gone = new AbortController();
  void server.ended.then((reason) => gone.abort(new Error(`it ended with ${reason}`)));
  try {
    await untilListening(port, startTimeoutMs, gone.signal);
  } catch (err) {
    await server.stop();
    const said = files ? (await readFile(files.log, 'utf8')).slice(-2000) : '';
    throw new Error(`Temporal did not start: ${(err as Error).message}\n${said}`, { cause: err });
  }
  const { pid, ended } = server;
  return { pid, ended, stop: () => server.stop(), address: `127.0.0.1:${port}`, cli: binary };
}

interface Files {
  readonly database: string;
  readonly log: string;
  readonly pid: string;
}

/** A server that outlived the process that started it (kill -9) still has the database open. */
async function prepare(dataDir: string, log: (line: string) => void): Promise<Files> {
  await mkdir(dataDir, { recursive: true });
  const files = {
    database: resolve(dataDir, 'temporal.db'),
    log: join(dataDir, 'temporal.log'),
    pid: join(dataDir, 'temporal.pid'),
  };
  const pid = Number(await readFile(files.pid, 'utf8').catch(() => '0'));
  if (pid > 0 && (await endLeftover(pid, files.database, stopHow)))
    log('stopped a Temporal server that an earlier start left behind');
  await writeFile(files.log, '');
  return files;
}

function commandLineOf(options: TemporalOptions, database: string | undefined): string[] {
  const { port, uiPort, namespace, searchAttributes, dynamicConfig, sqlitePragmas } = options;
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--namespace', namespace];
  args.push('--log-format', 'json', '--log-level', 'warn');
  if (uiPort === null) args.push('--headless');
  else args.push('--ui-port', String(uiPort));
  for (const name of searchAttributes) args.push('--search-attribute', `${name}=Keyword`);
  for (const [key, value] of Object.entries(dynamicConfig))
    args.push('--dynamic-config-value', `${key}=${JSON.stringify(value)}`);
  if (database === undefined) return args;
  args.push('--db-filename', database);
  for (const pragma of sqlitePragmas) args.push('--sqlite-pragma', pragma);
  return args;
}
