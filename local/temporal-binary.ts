/** Finds the Temporal CLI, whose `server start-dev` is the local server; gets it where the machine has none. */
import { access, chmod, constants, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { alone, cacheFolder, withProgress } from './cache-folder.ts';
import { run } from './child-process.ts';
import { downloadWithSdk } from './sdk-download.ts';

/** Version that `go install` builds: the newest whose module builds. Source: temporal.md §1.1. */
const cliVersion = '1.5.1';
const cliModule = 'github.com/temporalio/cli';
const exe = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
/** A build takes 3 minutes on two idle cores. Milliseconds. */
const buildTimeoutMs = 30 * 60_000;

type Log = (line: string) => void;

/**
 * Path of a `temporal` that runs: TEMPORAL_CLI_PATH, the PATH, our cache, the SDK's download, `go install`. Rejects with
 * what to install when none of them works.
 */
export async function findTemporalBinary(log: Log): Promise<string> {
  const given = process.env['TEMPORAL_CLI_PATH'];
  if (given) {
    await checkRuns(given, `TEMPORAL_CLI_PATH: ${given}`);
    return given;
  }
  const folder = await cacheFolder('bin');
  const cached = join(folder, exe);
  return (
    (await onPath()) ?? ((await isProgram(cached)) ? cached : alone(folder, () => fetchInto(folder, log)))
  );
}

async function fetchInto(folder: string, log: Log): Promise<string> {
  const target = join(folder, exe);
  // Another process may have brought it while this one waited for its turn.
  if (await isProgram(target)) return target;
  const failures: string[] = [];
  for (const [what, source] of [
    ['the download of the Temporal SDK', download],
    [`go install ${cliModule}@v${cliVersion} (minutes, once)`, build],
  ] as const) {
    log(`no Temporal server here yet, trying ${what}`);
    const temporary = await mkdtemp(join(folder, 'new-'));
    try {
      const file = await withProgress(what, log, source(temporary));
      await chmod(file, 0o755);
      await checkRuns(file, what);
      await rename(file, target);
      log(`kept for every later start: ${target}`);
      return target;
    } catch (err) {
      failures.push(`  ${what}: ${firstLine(err)}`);
      log(`${what} did not work: ${firstLine(err)}`);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }
  throw new Error(missing(failures));
}

async function download(folder: string): Promise<string> {
  return join(folder, await downloadWithSdk('dev-server', folder));
}

async function build(folder: string): Promise<string> {
  await run('go', ['version']).catch(() => {
    throw new Error('there is no Go on this machine');
  });
  const version = `-X ${cliModule}/temporalcli.Version=${cliVersion}`;
  const args = ['install', '-ldflags', `-s -w ${version}`, `${cliModule}/cmd/temporal@v${cliVersion}`];
  await run('go', args, { env: { ...process.env, GOBIN: folder }, cwd: folder, timeoutMs: buildTimeoutMs });
  return join(folder, exe);
}

async function onPath(): Promise<string | null> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, exe);
    if (
      folder !== '' &&
      (await isProgram(file)) &&
      (await checkRuns(file, file).then(
        () => true,
        () => false,
      ))
    )
      return file;
  }
  return null;
}

/** Any program may be called temporal. */
async function checkRuns(file: string, what: string): Promise<void> {
  const printed = await run(file, ['--version'], { timeoutMs: 30_000 });
  if (!/temporal/i.test(printed)) throw new Error(`${what} is not the Temporal CLI`);
}

function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

const firstLine = (err: unknown): string =>
  (err instanceof Error ? err.message : String(err)).split('\n')[0] ?? '';

function missing(failures: readonly string[]): string {
  return [
    'There is no Temporal server on this machine, and none could be got:',
    ...failures,
    'Do one of these, then start again:',
    '  - install the Temporal CLI (https://docs.temporal.io/cli) so that `temporal` is on your PATH',
    '  - TEMPORAL_CLI_PATH=/path/to/temporal',
    '  - TEMPORAL_ADDRESS=host:7233, a Temporal server that runs already',
    `  - install Go 1.24 or newer, which builds it: go install ${cliModule}/cmd/temporal@v${cliVersion}`,
  ].join('\n');
}
