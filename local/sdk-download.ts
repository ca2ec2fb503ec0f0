/**
 * Lets the SDK download its development server or its time-skipping test server into a folder, as its testing library
 * does. A program of its own (`sdk-download.ts <dev-server|time-skipping> <folder>`): the SDK's native part takes long to
 * load and is wanted only when the server is missing.
 */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { run } from './child-process.ts';
import { readsTypeScript } from './node-child.ts';

export type SdkServer = 'dev-server' | 'time-skipping';

/** The most a download may take. Milliseconds. */
const downloadTimeoutMs = 5 * 60_000;
const keepForMs = 10 * 365 * 86_400_000;
const sdkVersion = (
  createRequire(import.meta.url)('@temporalio/worker/package.json') as { readonly version: string }
).version;
const fileNames: Readonly<Record<SdkServer, string>> = {
  'dev-server': `temporal-sdk-typescript-${sdkVersion}`,
  'time-skipping': `temporal-test-server-sdk-typescript-${sdkVersion}`,
};

/** Resolves with the name of the file in `folder`. Rejects where the SDK's download site cannot be reached. */
export async function downloadWithSdk(server: SdkServer, folder: string): Promise<string> {
  const program = fileURLToPath(import.meta.url);
  await run(process.execPath, [...readsTypeScript, program, server, folder], {
    timeoutMs: downloadTimeoutMs,
  });
  return fileNames[server] + (process.platform === 'win32' ? '.exe' : '');
}

/** Downloading is a part of starting; the server is stopped at once. */
async function download(server: SdkServer, downloadDir: string): Promise<void> {
  const { Runtime } = await import('@temporalio/worker');
  const exe = {
    type: 'cached-download',
    downloadDir,
    version: 'default',
    ttl: keepForMs,
    sdkName: 'sdk-typescript',
    sdkVersion,
  } as const;
  const runtime = Runtime.instance();
  const common = { exe, port: null, extraArgs: [] };
  const started = await runtime.createEphemeralServer(
    server === 'time-skipping'
      ? { type: server, ...common }
      : {
          type: server,
          ...common,
          namespace: 'default',
          ip: '127.0.0.1',
          uiPort: null,
          dbFilename: null,
          ui: false,
          log: { format: 'pretty', level: 'error' },
        },
  );
  await runtime.shutdownEphemeralServer(started);
}

const [, program, server, folder] = process.argv;
if (program && import.meta.url === pathToFileURL(program).href && folder) {
  await download(server === 'time-skipping' ? server : 'dev-server', folder).catch((err: unknown) => {
    console.error(err instanceof Error ? err.message : String(err));
    process.exit(1);
  });
}
