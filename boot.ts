/** What each process does before its own work: log, reach Temporal and Postgres however late they come, stop in order. */
import { setTimeout as pause } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { sql } from 'drizzle-orm';
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { DefaultLogger, NativeConnection, Runtime, type LogLevel } from '@temporalio/worker';
import { ConfigError, readConfig, type Config } from './config.ts';
import { openDatabase, type Database } from './db/client.ts';
import { refusedLogin, withoutParameters } from './db/errors.ts';
import { demand } from './requirements.ts';

/** Pause between two tries to reach a server that is not there yet. Milliseconds. */
const retryPauseMs = 250;
/** Tries between two lines in the log. */
const triesPerWord = 40;

/** `to`: default is standard output. */
export function createLogger(name: string, level: string, to?: DestinationStream): Logger {
  const options: LoggerOptions = {
    name,
    level,
    base: { name, pid: process.pid },
    serializers: {
      // A failed statement quotes its parameters: phone numbers and codes have no place in a log.
      err: withoutSecrets,
      error: wordsOf,
    },
  };
  return to === undefined ? pino(options) : pino(options, to);
}

/** An error under `err`, without a URL that could not be read: Node keeps it with the error, and its password with it. */
function withoutSecrets(err: unknown): unknown {
  if (!isNativeError(err)) return err;
  const { input: _url, base: _base, ...told } = pino.stdSerializers.err(withoutParameters(err) as Error);
  return told;
}

/** An error as the SDK logs it, under `error`. Its fields besides these may hold payloads of a workflow. */
function wordsOf(error: unknown): unknown {
  if (!isNativeError(error)) return error;
  const { name, message, stack, cause } = withoutParameters(error) as Error;
  return { type: name, message, stack, ...(cause === undefined ? {} : { cause: wordsOf(cause) }) };
}

/**
 * Sends what the SDK, workflows and activities log through our logger. Once per process, before any connection.
 * What the SDK tells of itself is for its own developers; it is kept for `LOG_LEVEL=debug`.
 */
export function installTemporalRuntime(log: Logger): void {
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('DEBUG', ({ level, message, meta }) => {
      const ownWord = meta?.['sdkComponent'] === 'worker' && level === 'INFO';
      log[ownWord ? 'debug' : pinoLevels[level]]({ ...meta }, message);
    }),
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
  });
}

/** Waits until the server answers. */
export function connectTemporal(config: Config, log: Logger): Promise<NativeConnection> {
  const { TEMPORAL_ADDRESS: address } = demand(config, ['TEMPORAL_ADDRESS']);
  const options = { ...config.env.temporalConnection, address };
  return untilReachable(`Temporal at ${address}`, log, () => NativeConnection.connect(options));
}

/** Waits until the database takes connections. Throws a ConfigError when it refuses to know us. */
export async function connectDatabase(config: Config, log: Logger): Promise<Database> {
  const database = openDatabase(demand(config, ['DATABASE_URL']).DATABASE_URL);
  await untilReachable('PostgreSQL', log, () =>
    database.db.execute(sql`select 1`).catch((err: unknown) => {
      const code = refusedLogin(err);
      if (code === null) throw err;
      throw new ConfigError(
        `DATABASE_URL: PostgreSQL ${loginRefusals[code] ?? 'refuses the login'} (${code})`,
      );
    }),
  );
  return database;
}

const loginRefusals: Readonly<Record<string, string>> = {
  '28P01': 'refuses the password or the user',
  '3D000': 'has no such database',
};

const pinoLevels: Readonly<Record<LogLevel, 'trace' | 'debug' | 'info' | 'warn' | 'error'>> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/** Tries until it works. What the configuration would have to be changed for is not tried again. */
export async function untilReachable<T>(what: string, log: Logger, attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (err) {
      if (err instanceof ConfigError) throw err;
      if (tries % triesPerWord === 1) log.warn({ err }, `waiting for ${what}`);
      await pause(retryPauseMs);
    }
  }
}

/** What a process of the product is given. */
export interface Process {
  readonly config: Config;
  readonly log: Logger;
  /** Fulfilled with the reason when the process is asked to end: by signal, or because its parent is gone. */
  readonly stopped: Promise<string>;
  /** Waits for what the process needs before its work. When it is asked to end meanwhile, it ends at once. */
  readonly unlessStopped: <T>(work: Promise<T>) => Promise<T>;
}

/** Runs a process from its configuration to its exit code; the log hears why it ended. */
export function runProcess(name: 'API' | 'worker', main: (process: Process) => Promise<void>): void {
  const logName = name.toLowerCase();
  const begin = async (): Promise<void> => {
    const config = readConfig();
    const log = createLogger(logName, config.env.logLevel);
    installTemporalRuntime(log);
    const stopped = untilStopped();
    const unlessStopped = <T>(work: Promise<T>): Promise<T> => {
      const end = stopped.then((reason): never => {
        log.info({ reason }, 'stopping before the start was over');
        // What is half open or waited for holds nothing that has to be kept.
        process.exit(0);
      });
      return Promise.race([work, end]);
    };
    await main({ config, log, stopped, unlessStopped });
  };
  begin().then(
    () => process.exit(0),
    (err: unknown) => {
      createLogger(logName, 'fatal').fatal({ err }, `the ${name} could not go on`);
      process.exit(1);
    },
  );
}

function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
    if (process.send) process.once('disconnect', () => resolve('the parent process ended'));
  });
}
