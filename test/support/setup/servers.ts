/**
 * Before the tests that need servers: one PostgreSQL and one Temporal for all of them. Started once a run, however many
 * projects ask; what belongs to a test file alone (database, task queues, ports) is made by service.ts.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { readConfig } from '../../../config.ts';
import { migrateDatabase } from '../../../db/client.ts';
import { freePort } from '../../../local/ports.ts';
import { startPostgres } from '../../../local/postgres.ts';
import { startTemporal } from '../../../local/temporal.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the server's own database, from which the tests' databases are made. */
    readonly postgresUrl: string;
    /** host:port */
    readonly temporalAddress: string;
  }
}

/** Database that is migrated once and copied for every test file (database.ts). */
const templateDatabase = 'template_hosted_sms';

interface Servers {
  readonly postgresUrl: string;
  readonly temporalAddress: string;
  stop(): Promise<void>;
}

/** Projects have modules of their own but share the process: what they share has to hang on the process. */
const shared = globalThis as { testServers?: Promise<Servers>; testServerUsers?: number };

export async function setup(project: TestProject): Promise<void> {
  shared.testServerUsers = (shared.testServerUsers ?? 0) + 1;
  shared.testServers ??= startServers();
  const servers = await shared.testServers;
  project.provide('postgresUrl', servers.postgresUrl);
  project.provide('temporalAddress', servers.temporalAddress);
}

export async function teardown(): Promise<void> {
  shared.testServerUsers = (shared.testServerUsers ?? 0) - 1;
  if (shared.testServerUsers > 0) return;
  const servers = await shared.testServers;
  delete shared.testServers;
  await servers?.stop();
}

async function startServers(): Promise<Servers> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hosted-sms-test-'));
  // PostgreSQL runs as another user where this one is root.
  await chmod(dataDir, 0o755);
  const { temporal: settings } = readConfig({});
  const log = (line: string): void => console.log(`[servers] ${line}`);
  const [database, temporal] = await Promise.all([
    startPostgres({ dataDir: join(dataDir, 'postgres'), port: await freePort(), durable: false, log }),
    startTemporal({
      dataDir: null,
      port: await freePort(),
      uiPort: null,
      namespace: settings.namespace,
      searchAttributes: settings.searchAttributes,
      dynamicConfig: settings.localServer.dynamicConfig,
      sqlitePragmas: settings.localServer.sqlitePragmas,
      log,
    }),
  ]);
  await createTemplate(database.url);
  return {
    postgresUrl: database.url,
    temporalAddress: temporal.address,
    stop: async () => {
      await Promise.all([database.stop(), temporal.stop()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function createTemplate(serverUrl: string): Promise<void> {
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await server.unsafe(`create database ${templateDatabase}`);
  await server.end();
  const url = new URL(serverUrl);
  url.pathname = templateDatabase;
  await migrateDatabase(url.href);
}
