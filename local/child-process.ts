/** Programs we start: how they are awaited, stopped, and known again by their id. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** A program that runs. */
export interface Running {
  readonly pid: number;
  /** Fulfilled when it has ended, with the reason in words. */
  readonly ended: Promise<string>;
  /** Asks it to end and waits; after `graceMs` it is killed. */
  stop(): Promise<void>;
}

export interface StopHow {
  readonly signal: NodeJS.Signals;
  readonly graceMs: number;
}

/** Starts a program in a process group of its own, so that Ctrl-C reaches only the one that started it. */
export function start(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
  { signal, graceMs }: StopHow,
): Running & { readonly child: ChildProcess } {
  const child = spawn(command, args, { ...options, detached: true });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (err) => resolve(err.message));
    child.once('exit', (code, killedBy) => resolve(killedBy ?? `exit code ${code}`));
  });
  return {
    child,
    pid: child.pid ?? 0,
    ended,
    async stop() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      if (!(await within(graceMs, ended))) child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs a program to its end. Resolves with what it printed; rejects with the end of what it complained about. */
export function run(
  command: string,
  args: readonly string[],
  options: SpawnOptions & { readonly timeoutMs?: number } = {},
): Promise<string> {
  const { timeoutMs, ...spawnOptions } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      ...spawnOptions,
    });
    let printed = '';
    let complaint = '';
    child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${command} ended with ${signal ?? code}: ${(complaint || printed).trim()}`));
    });
  });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    // Alive, and somebody else's.
    return (err as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Ends a program that an earlier start left behind. Does nothing unless the process with that id carries `mark` in its
 * command line: ids are given out again.
 */
export async function endLeftover(pid: number, mark: string, { signal, graceMs }: StopHow): Promise<boolean> {
  if (!isAlive(pid) || !(await commandLine(pid)).includes(mark)) return false;
  process.kill(pid, signal);
  const deadline = Date.now() + graceMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
    await pause(50);
  }
  return true;
}

/** Command line of a process; empty where there is none. */
export async function commandLine(pid: number): Promise<string> {
  if (process.platform !== 'linux') return run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => '');
  const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return raw.replaceAll('\0', ' ');
}

async function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const late = pause(ms, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([promise.then(() => true), late]);
  timer.abort();
  return inTime;
}
