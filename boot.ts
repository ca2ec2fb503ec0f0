/** What each process does before its own work: log, reach Temporal and Postgres however late they come, stop in order. */
import { setTimeout as pause } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { sql } from 'drizzle-orm';
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { DefaultLogger, NativeConnection, Runtime, type LogLevel } from '@temporalio/worker';
import { ConfigError, type Config, type Environment } from './config.ts';
import { openDatabase, type Database } from './db/client.ts';
import { withoutParameters } from './db/errors.ts';

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
      err: (err: unknown) => pino.stdSerializers.err(withoutParameters(err) as Error),
      error: wordsOf,
    },
  };
  return to === undefined ? pino(options) : pino(options, to);
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
export function connectTemporal({ env, temporal }: Config, log: Logger): Promise<NativeConnection> {
  const address = env.temporalAddress ?? `127.0.0.1:${temporal.localServer.port}`;
  const options = { ...env.temporalConnection, address };
  return untilReachable(`Temporal at ${address}`, log, () => NativeConnection.connect(options));
}

/** Waits until the database takes connections. */
export async function connectDatabase(env: Environment, log: Logger): Promise<Database> {
  const database = openDatabase(required('DATABASE_URL', env.databaseUrl));
  await untilReachable('Postgres', log, () => database.db.execute(sql`select 1`));
  return database;
}

/** A value that only the environment can give. Throws a ConfigError that names it. */
export function required(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new ConfigError(`${name} has to be set`);
  return value;
}

/** Resolves when this process is asked to end: by signal, or because its parent is gone. */
export function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
    if (process.send) process.once('disconnect', () => resolve('the parent process ended'));
  });
}

const pinoLevels: Readonly<Record<LogLevel, 'trace' | 'debug' | 'info' | 'warn' | 'error'>> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

async function untilReachable<T>(what: string, log: Logger, attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (err) {
      if (tries % triesPerWord === 1) log.info({ err: withoutParameters(err) }, `waiting for ${what}`);
      await pause(retryPauseMs);
    }
  }
}
