/** Ports of this machine: which are free, and words for the one that is not. */
import { randomInt } from 'node:crypto';
import { createConnection, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const loopback = '127.0.0.1';

/** Below the ports that systems give away by themselves, to connections and to servers that ask for any. */
const ownPorts = { from: 20_000, to: 32_000 } as const;
const given = new Set<number>();

/** A port nobody listens on, and that nobody gets by accident before the server it is meant for has it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ownPorts.from, ownPorts.to);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

/** Tells whether this process could listen there. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, loopback, () => server.close(() => resolve(true)));
  });
}

/** Waits until somebody listens there. Rejects after `timeoutMs`, or when `signal` says that nobody will. */
export async function untilListening(port: number, timeoutMs: number, signal?: AbortSignal): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await answers(port))) {
    signal?.throwIfAborted();
    if (Date.now() > deadline) throw new Error(`nothing answers on port ${port}`);
    await pause(25);
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: loopback });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.destroy());
  });
}
