/** Which processes a start has begun, written down so that the next start can end what a crash left behind. */
import { join } from 'node:path';
import { commandLine, endLeftover, isAlive } from './child-process.ts';
import { openJsonFile } from './json-file.ts';

export interface RunFile {
  /** `mark`: what the command line of the process contains and no other's does. */
  note(name: string, pid: number, mark: string): Promise<void>;
}

interface State {
  pid: number;
  readonly children: Record<string, { readonly pid: number; readonly mark: string }>;
}

const stopHow = { signal: 'SIGTERM', graceMs: 5000 } as const;

/**
 * Claims `dataDir` for this process; `mark` is in its command line. Rejects when another start runs there; ends the
 * children of one that was killed.
 */
export async function claim(dataDir: string, mark: string, log: (line: string) => void): Promise<RunFile> {
  const file = openJsonFile<State>(join(dataDir, 'run.json'), { pid: 0, children: {} });
  const { state } = file;
  const { pid } = state;
  if (pid > 0 && pid !== process.pid && isAlive(pid) && (await commandLine(pid)).includes(mark))
    throw new Error(
      `It runs already in ${dataDir}, as process ${pid}. Stop that one, or set DATA_DIR to another folder.`,
    );
  const leftovers = Object.entries(state.children);
  await Promise.all(
    leftovers.map(async ([name, child]) => {
      if (await endLeftover(child.pid, child.mark, stopHow))
        log(`ended ${name}, left behind by an earlier start`);
      delete state.children[name];
    }),
  );
  state.pid = process.pid;
  await file.save();
  return {
    async note(name, pid, mark) {
      state.children[name] = { pid, mark };
      await file.save();
    },
  };
}
