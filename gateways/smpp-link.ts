/** Keeps a bind to the SMSC: makes it again, with growing delays, whenever it is lost, and lends it to submissions. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { GatewayError } from './service-client.ts';
import { type ConnectionOptions, openConnection, type SmppConnection } from './smpp-connection.ts';

export interface LinkOptions extends ConnectionOptions {
  /** Wait before the first new bind; it doubles with each failure. Milliseconds. */
  readonly reconnectMs: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

export interface SmppLink {
  /** The bound connection, as soon as there is one. Throws GatewayError when none comes in time. */
  connection(): Promise<SmppConnection>;
  /** Unbinds and stays away. */
  close(): Promise<void>;
}

/** The longest wait between two binds. Milliseconds. Source: decision 0019. */
const longestReconnectMs = 60_000;

/** Starts to bind at once, in the background. */
export function createLink(options: LinkOptions): SmppLink {
  const { log, reconnectMs, responseTimeoutMs } = options;
  const closing = new AbortController();
  let bound: SmppConnection | null = null;
  const waiting = new Set<(connection: SmppConnection) => void>();

  /** Binds, and returns when that bind has ended. Tells whether there was one. */
  const bindOnce = async (): Promise<boolean> => {
    try {
      const connection = await openConnection(options);
      if (closing.signal.aborted) {
        await connection.close();
        return true;
      }
      bound = connection;
      log.info('The carrier is connected');
      for (const take of waiting) take(connection);
      const reason = await connection.closed;
      if (!closing.signal.aborted) log.warn({ reason }, 'The connection to the carrier ended');
      return true;
    } catch (err) {
      log.warn({ reason: err instanceof Error ? err.message : String(err) }, 'The carrier is out of reach');
      return false;
    } finally {
      bound = null;
    }
  };

  const keepBound = async (): Promise<void> => {
    let delayMs = reconnectMs;
    while (!closing.signal.aborted) {
      if (await bindOnce()) delayMs = reconnectMs;
      if (closing.signal.aborted) return;
      // Spread over half to the whole delay: several workers must not come back in step.
      const jittered = delayMs * (0.5 + Math.random() / 2);
      await pause(jittered, undefined, { signal: closing.signal }).catch(() => null);
      delayMs = Math.min(delayMs * 2, longestReconnectMs);
    }
  };
  const running = keepBound();

  return {
    connection: () =>
      new Promise((resolve, reject) => {
        if (closing.signal.aborted) return reject(new GatewayError('The carrier is closed'));
        if (bound) return resolve(bound);
        const take = (connection: SmppConnection): void => {
          clearTimeout(timer);
          waiting.delete(take);
          resolve(connection);
        };
        const timer = setTimeout(() => {
          waiting.delete(take);
          reject(new GatewayError('The carrier is not connected'));
        }, responseTimeoutMs);
        waiting.add(take);
      }),
    close: async () => {
      closing.abort();
      await bound?.close();
      await running;
    },
  };
}
