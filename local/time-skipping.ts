/** Finds the time-skipping test server, in which seven days pass in a second; builds it from Maven where it is missing. */
import { access, chmod, constants, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alone, cacheFolder } from './cache-folder.ts';
import { run, start } from './child-process.ts';
import { freePort, untilListening } from './ports.ts';
import { downloadWithSdk } from './sdk-download.ts';

/** Source: temporal.md §1.4. */
const serverVersion = '1.38.0';
const mavenTimeoutMs = 10 * 60_000;
/** A first start without a class archive, on a busy machine. Milliseconds. */
const firstStartTimeoutMs = 120_000;
/** The SDK gives a server 5 seconds; these flags and the class archive bring a start below one. */
const javaFlags = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const mainClass = 'io.temporal.testserver.TestServer';

/**
 * TEMPORAL_TEST_SERVER_PATH, our cache, the SDK's download, Maven. `path` is a program that takes a port, as
 * `TestWorkflowEnvironment.createTimeSkipping` wants it; `missing` says what to install.
 */
export async function findTimeSkippingServer(): Promise<
  { readonly path: string } | { readonly missing: string }
> {
  const given = process.env['TEMPORAL_TEST_SERVER_PATH'];
  if (given) return { path: given };
  const folder = await cacheFolder('test-server');
  return alone(folder, async () => {
    const failures: string[] = [];
    for (const source of [downloaded, built]) {
      try {
        return { path: await source(folder) };
      } catch (err) {
        failures.push(err instanceof Error ? (err.message.split('\n')[0] ?? '') : String(err));
      }
    }
    const advice = 'install a JDK and Maven, or set TEMPORAL_TEST_SERVER_PATH';
    return { missing: `There is no time-skipping test server (${failures.join('; ')}): ${advice}` };
  });
}

async function downloaded(folder: string): Promise<string> {
  const target = join(folder, 'temporal-test-server');
  if (await isProgram(target)) return target;
  // Where Maven has brought the server before, no site is asked again at every run.
  const ready = await wrapperFor(folder).catch(() => null);
  if (ready !== null && (await isProgram(ready))) return ready;
  await rename(join(folder, await downloadWithSdk('time-skipping', folder)), target);
  await chmod(target, 0o755);
  return target;
}

/** The archive of classes belongs to one JDK and one class path: it is made here, in a folder named after both. */
async function built(folder: string): Promise<string> {
  const wrapper = await wrapperFor(folder);
  if (await isProgram(wrapper)) return wrapper;
  const home = join(wrapper, '..');
  await rm(home, { recursive: true, force: true });
  await mkdir(home, { recursive: true });
  await fetchJars(home);
  const archive = join(home, 'classes.jsa');
  const classPath = join(home, 'lib', '*');
  await archiveClasses(archive, classPath);
  const flags = [...javaFlags, '-Xshare:auto', `-XX:SharedArchiveFile='${archive}'`].join(' ');
  const script = `#!/bin/sh\nexec java ${flags} -cp '${classPath}' ${mainClass} "$@"\n`;
  // Its presence says that everything else is there.
  await writeFile(`${wrapper}.new`, script, { mode: 0o755 });
  await rename(`${wrapper}.new`, wrapper);
  return wrapper;
}

async function wrapperFor(folder: string): Promise<string> {
  const java = await run('java', ['--version'], { timeoutMs: 30_000 }).catch(() => {
    throw new Error('there is no Java on this machine');
  });
  const version = /\d+(\.\d+)*/.exec(java)?.[0] ?? 'unknown';
  return join(folder, `${serverVersion}-jdk-${version}`, 'time-skipping-server');
}

async function fetchJars(home: string): Promise<void> {
  const pom = join(home, 'pom.xml');
  await writeFile(pom, projectFile);
  const args = [
    '-q',
    '-B',
    '-f',
    pom,
    'dependency:copy-dependencies',
    `-DoutputDirectory=${join(home, 'lib')}`,
  ];
  await run('mvn', args, { timeoutMs: mavenTimeoutMs }).catch((cause: unknown) => {
    throw new Error('Maven could not bring the test server', { cause });
  });
}

/** Java writes the archive when the server that it watched stops. */
async function archiveClasses(archive: string, classPath: string): Promise<void> {
  const port = await freePort();
  const args = [
    ...javaFlags,
    `-XX:ArchiveClassesAtExit=${archive}`,
    '-cp',
    classPath,
    mainClass,
    String(port),
  ];
  const how = { signal: 'SIGTERM', graceMs: firstStartTimeoutMs } as const;
  const server = start('java', args, { stdio: 'ignore' }, how);
  try {
    await untilListening(port, firstStartTimeoutMs);
  } finally {
    await server.stop();
  }
  await access(archive);
}

function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

const projectFile = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>time-skipping-server</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${serverVersion}</version>
  </dependency></dependencies>
</project>
`;
