/**
 * The SMSC simulator of jsmpp: an implementation of SMPP 3.4 by other hands. Maven brings it once into the user's cache
 * folder; Java runs it. Where either is missing the tests with it are skipped and say so, in CI they fail.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { access, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { alone, cacheFolder } from '../../local/cache-folder.ts';
import { freePort } from '../../local/ports.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const version = '3.0.2';
const mainClass = 'org.jsmpp.examples.SMPPServerSimulator';

/** Credentials that the simulator knows. */
export const simulatorCredentials = { systemId: 'j', password: 'jpwd' } as const;

export interface Simulator {
  readonly url: string;
  /** What it has logged so far. */
  log(): string;
  stop(): Promise<void>;
}

/** Folder of the jars; `null`, after saying why, where they cannot be had. Throws in CI. */
export async function findSimulator(): Promise<string | null> {
  try {
    await run('java', ['-version']);
    const folder = await cacheFolder(`jsmpp-${version}`);
    return await alone(folder, () => fetchJars(folder));
  } catch (cause) {
    const message = 'the jsmpp simulator is missing: it needs Java, Maven and Maven Central';
    if (process.env['CI']) throw new Error(message, { cause });
    console.error(`NOT TESTED, ${message}`);
    return null;
  }
}

async function fetchJars(folder: string): Promise<string> {
  const jars = join(folder, 'jars');
  const there = await access(jars).then(
    () => true,
    () => false,
  );
  if (there) return jars;
  await writeFile(join(folder, 'pom.xml'), pom);
  const unfinished = join(folder, 'unfinished');
  await rm(unfinished, { recursive: true, force: true });
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${unfinished}`];
  await run('mvn', ['--quiet', '--batch-mode', ...goal], { cwd: folder, timeout: 300_000 });
  await rename(unfinished, jars);
  return jars;
}

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>hosted-sms</groupId><artifactId>smsc-simulator</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.jsmpp</groupId><artifactId>jsmpp-examples</artifactId><version>${version}</version></dependency>
  </dependencies>
</project>
`;

export async function startSimulator(jars: string, port?: number): Promise<Simulator> {
  const listening = port ?? (await freePort());
  const options = [`-Djsmpp.simulator.port=${listening}`, '-cp', join(jars, '*'), mainClass];
  const child = spawn('java', options, { stdio: ['ignore', 'pipe', 'pipe'] });
  process.once('exit', () => child.kill('SIGKILL'));
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (log += String(data)));
  // Not by connecting: the simulator serves nobody else while it waits for somebody's bind.
  await until(() => log.includes('Listening on port'), { timeoutMs: 60_000 });
  return { url: `smpp://127.0.0.1:${listening}`, log: () => log, stop: () => stop(child) };
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
