/** State of a stand-in as one JSON file: read once, written whole, never seen half. */
import { mkdirSync, readFileSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface JsonFile<T> {
  /** The state itself; change it in place, then `save`. */
  readonly state: T;
  /** Fulfilled when the state as it is now is on the disk. Saves that meet are written together. */
  save(): Promise<void>;
}

/** Opens the file, or begins with `initial` where there is none. Throws on a file that is not JSON. */
export function openJsonFile<T>(file: string, initial: T): JsonFile<T> {
  mkdirSync(dirname(file), { recursive: true });
  // Written by `save` of the same T; nothing else writes there.
  const state = (readJson(file) as T | null) ?? initial;
  let running: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | null = null;
  return {
    state,
    save() {
      waiting ??= running.then(() => {
        waiting = null;
        const writing = writeAtomically(file, JSON.stringify(state, null, 1));
        // A write that fails is told to those who wait for it; the next one is made all the same.
        running = writing.catch(() => undefined);
        return writing;
      });
      return waiting;
    },
  };
}

/** Written beside, flushed, renamed: after a crash the file is the old one or the new one. */
export async function writeAtomically(file: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, content, { mode: 0o600 });
  const handle = await open(temporary, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is not JSON; remove it to begin anew`, { cause });
  }
}
