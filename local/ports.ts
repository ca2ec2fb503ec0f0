/** Ports of this machine: which are free, and words for the one that is not. */
import { createConnection, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const loopback = '127.0.0.1';

/** A port nobody listens on now, chosen by the operating system. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, loopback, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
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
