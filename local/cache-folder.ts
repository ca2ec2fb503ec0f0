/** The user's cache folder: what takes long to get is kept there for every checkout. */
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive } from './child-process.ts';

/** `{cache}/hosted-sms/{name}`; made where there is none. */
export async function cacheFolder(name: string): Promise<string> {
  const folder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'hosted-sms', name);
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Does the work while no other process does it in this folder. */
export async function alone<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const file = join(folder, '.lock');
  while (!(await take(file))) await pause(500);
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EEXIST') throw err;
  }
  // The one who took it may have been killed. Its file is empty for a moment while it takes it.
  const holder = await readFile(file, 'utf8').catch(() => '');
  if (holder !== '' && !isAlive(Number(holder))) await rm(file, { force: true });
  return false;
}

/** Says every 15 seconds that the work goes on, and for how long it has. */
export async function withProgress<T>(
  what: string,
  log: (line: string) => void,
  work: Promise<T>,
): Promise<T> {
  const startedAt = Date.now();
  const timer = setInterval(() => {
    log(`${what}: still at it after ${Math.round((Date.now() - startedAt) / 1000)} s`);
  }, 15_000);
  return work.finally(() => clearInterval(timer));
}
