/** The official clients of Twilio: each version is fetched once into the user's cache folder and driven unchanged. */
import { execFile } from 'node:child_process';
import { access, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { alone, cacheFolder } from '../../local/cache-folder.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
/** Time for fetching one client, and for its whole story. Milliseconds. */
const fetchTimeout = 300_000;
const storyTimeout = 120_000;

export const languages = ['node', 'python', 'java'] as const;
export type Language = (typeof languages)[number];

export interface OfficialClient {
  readonly language: Language;
  readonly version: string;
}

/** Every version the project promises; the newest of each language is the last one. Source: spec/clients.json. */
export const officialClients: readonly OfficialClient[] = [
  ...of('node', ['3.28.0', '3.84.1', '4.23.0', '5.13.1', '6.2.0']),
  ...of('python', ['6.63.2', '7.17.0', '9.13.0']),
  ...of('java', ['8.31.1', '9.14.1', '10.6.4', '13.0.1']),
];

export const newestClients: readonly OfficialClient[] = languages.flatMap((language) =>
  officialClients.filter((client) => client.language === language).slice(-1),
);

/** What the story needs: a service, credentials and numbers that nobody has used. */
export interface StoryEnvironment {
  readonly BASE_URL: string;
  readonly ACCOUNT_SID: string;
  readonly AUTH_TOKEN: string;
  /** Three numbers to order, with commas. */
  readonly PHONE_NUMBERS: string;
  /** A completed number to release. */
  readonly NUMBER_SID: string;
}

export interface StepResult {
  readonly step: string;
  /** Why it failed; `null`: it did not. */
  readonly failure: string | null;
}

/** Fetches the client where it is not there yet, and plays the story. Throws when it cannot be fetched or started. */
export async function playStory(client: OfficialClient, env: StoryEnvironment): Promise<StepResult[]> {
  const folder = await cacheFolder(join('conformance', `${client.language}-${client.version}`));
  const kit = kits[client.language];
  await alone(folder, () => fetchOnce(folder, () => kit.fetch(folder, client.version)));
  const [command, ...args] = kit.command(folder);
  if (command === undefined) throw new Error('a kit without a command');
  const options = { cwd: folder, timeout: storyTimeout, env: { ...process.env, ...env, CLIENT_DIR: folder } };
  const { stdout } = await run(command, args, options);
  return stdout.split('\n').flatMap(resultOf);
}

function of(language: Language, versions: readonly string[]): OfficialClient[] {
  return versions.map((version) => ({ language, version }));
}

function resultOf(line: string): StepResult[] {
  const [, ok, failed, failure] = /^(?:ok (.+)|FAIL (.+?): (.*))$/.exec(line) ?? [];
  if (ok !== undefined) return [{ step: ok, failure: null }];
  return failed === undefined ? [] : [{ step: failed, failure: failure ?? '' }];
}

interface Kit {
  fetch(folder: string, version: string): Promise<unknown>;
  command(folder: string): readonly string[];
}

const kits: Record<Language, Kit> = {
  node: {
    fetch: async (folder, version) => {
      await writeFile(join(folder, 'package.json'), '{"private":true}');
      const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `twilio@${version}`];
      return run('npm', args, { cwd: folder, timeout: fetchTimeout });
    },
    command: () => [process.execPath, join(here, 'client.cjs')],
  },
  python: {
    fetch: async (folder, version) => {
      await run('python3', ['-m', 'venv', join(folder, 'venv')], { timeout: fetchTimeout });
      // The oldest clients use what setuptools brought along before Python 3.12.
      const args = ['install', '--quiet', `twilio==${version}`, 'setuptools<81'];
      return run(join(folder, 'venv/bin/pip'), args, { timeout: fetchTimeout });
    },
    command: (folder) => [join(folder, 'venv/bin/python'), join(here, 'client.py')],
  },
  java: {
    fetch: async (folder, version) => {
      await writeFile(join(folder, 'pom.xml'), pom(version));
      const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${join(folder, 'jars')}`];
      return run('mvn', ['--quiet', '--batch-mode', ...goal], { cwd: folder, timeout: fetchTimeout });
    },
    // Java compiles a single file by itself.
    command: (folder) => ['java', '-cp', join(folder, 'jars', '*'), join(here, 'Client.java')],
  },
};

const pom = (version: string): string => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>hosted-sms</groupId><artifactId>conformance</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>com.twilio.sdk</groupId><artifactId>twilio</artifactId><version>${version}</version></dependency>
  </dependencies>
</project>
`;

/** A fetch that was interrupted leaves no mark and is made again. */
async function fetchOnce(folder: string, fetch: () => Promise<unknown>): Promise<void> {
  const mark = join(folder, '.complete');
  const there = await access(mark).then(
    () => true,
    () => false,
  );
  if (there) return;
  for (const name of ['node_modules', 'venv', 'jars'])
    await rm(join(folder, name), { recursive: true, force: true });
  await fetch();
  await writeFile(mark, '');
}
