/** A program of ours as a child process: its output goes to a log file, and it ends when its parent does. */
import { closeSync, openSync, statSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { start, type Running } from './child-process.ts';

export interface NodeChildOptions {
  /** Absolute path of a .ts file. */
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
}

export interface NodeChild extends Running {
  /** Fulfilled when the program says that it is ready. */
  readonly ready: Promise<true>;
}

/** A log that has grown larger than this is put aside at the next start. Bytes. */
const logLimitBytes = 20 * 1024 * 1024;
/** With these Node runs a .ts file, from whatever directory. */
export const readsTypeScript = ['--import', new URL('../typescript.js', import.meta.url).href] as const;
/** Helper threads as V8 finds apt for the machine (package.json's scripts say the same): Node's four disturb two cores. */
const nodeOptions = ['--v8-pool-size=0', ...readsTypeScript];
const stopHow = { signal: 'SIGTERM', graceMs: 15_000 } as const;

export async function startNodeChild({ program, env, logFile }: NodeChildOptions): Promise<NodeChild> {
  await mkdir(dirname(logFile), { recursive: true });
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > logLimitBytes)
    await rename(logFile, `${logFile}.1`);
  const output = openSync(logFile, 'a');
  const started = start(
    process.execPath,
    [...nodeOptions, program],
    // The channel is how the child learns that its parent is gone.
    { env, cwd: dirname(program), stdio: ['ignore', output, output, 'ipc'] },
    stopHow,
  );
  closeSync(output);
  const ready = new Promise<true>((resolve) => started.child.once('message', () => resolve(true)));
  return {
    pid: started.pid,
    ready,
    ended: started.ended.then(async (reason) => `${reason}${await lastWords(logFile)}`),
    stop: () => started.stop(),
  };
}

/** What a program that died said last, in short. */
async function lastWords(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8').catch(() => '')).trimEnd().split('\n');
  const fatal = lines.slice(-20).findLast((line) => line.includes('"level":60') || /error/i.test(line));
  return fatal === undefined ? '' : `: ${messageOf(fatal).slice(0, 300)}`;
}

function messageOf(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    return [msg, err?.message].filter(Boolean).join(': ');
  } catch {
    return line.trim();
  }
}
