/** Measures a floor: its processes are started for it and ended after it. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readsTypeScript } from '../../local/node-child.ts';
import type { ClosedLoad, LoadResult } from '../load.ts';
import { measure, type Measured } from '../measure.ts';

export type FloorShape = 'one-activity' | 'update-with-start';

/** The load on bare workflows, client and worker in two processes as the product's are. */
export async function measureFloor(
  address: string,
  shape: FloorShape,
  load: ClosedLoad,
): Promise<Measured<LoadResult>> {
  const worker = startProgram('worker.ts', [address]);
  try {
    await wordOf(worker);
    const client = startProgram('client.ts', [address, shape, JSON.stringify(load)]);
    await wordOf(client);
    return await measure(async () => {
      client.send('go');
      return (await wordOf(client)) as LoadResult;
    });
  } finally {
    await end(worker);
  }
}

export interface BareRoute {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** A route that answers this JSON. */
export async function startBareRoute(document: string): Promise<BareRoute> {
  const server = startProgram('web.ts', [], 'pipe');
  server.stdin?.end(document);
  const port = await wordOf(server);
  return { url: `http://127.0.0.1:${String(port)}`, pid: server.pid ?? 0, stop: () => end(server) };
}

function startProgram(
  file: string,
  args: readonly string[],
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    execArgv: [...readsTypeScript],
    stdio: [input, 'inherit', 'inherit', 'ipc'],
  });
}

/** The next thing a program says. Rejects when it ends instead. */
async function wordOf(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const word = once(child, 'message', over).then(([said]: unknown[]) => said);
  const ended = once(child, 'exit', over).then(([code]: unknown[]) => {
    throw new Error(`a process of the floor ended with ${String(code)}`);
  });
  try {
    return await Promise.race([word, ended]);
  } finally {
    over.abort();
    await Promise.allSettled([word, ended]);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}
