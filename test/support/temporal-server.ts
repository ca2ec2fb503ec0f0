/** A Temporal server in memory with client and worker connection, for what needs one and nothing else. */
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { readConfig } from '../../config.ts';
import { freePort } from '../../local/ports.ts';
import { startTemporal } from '../../local/temporal.ts';
import { until } from './until.ts';

export interface TestTemporal {
  readonly address: string;
  readonly client: Client;
  readonly connection: NativeConnection;
  stop(): Promise<void>;
}

/** `dynamicConfig` is added to the product's own. */
export async function startTestTemporal(
  dynamicConfig: Readonly<Record<string, number>> = {},
): Promise<TestTemporal> {
  const { temporal: settings } = readConfig({});
  const server = await startTemporal({
    dataDir: null,
    port: await freePort(),
    uiPort: null,
    namespace: settings.namespace,
    searchAttributes: settings.searchAttributes,
    dynamicConfig: { ...settings.localServer.dynamicConfig, ...dynamicConfig },
    sqlitePragmas: settings.localServer.sqlitePragmas,
    log: console.log,
  });
  // Its port answers a moment before it takes requests.
  const { address } = server;
  const connection = await until(() => NativeConnection.connect({ address }), {
    what: `Temporal at ${address}`,
  });
  return {
    address,
    client: new Client({ connection, namespace: settings.namespace }),
    connection,
    stop: async () => {
      await connection.close();
      await server.stop();
    },
  };
}
