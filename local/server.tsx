/** Everything that stands in for the outside world, in one process behind one HTTP port. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { isLive } from './call-record.ts';
import { createCallsApi } from './calls-api.ts';
import { createCarrier } from './carrier.ts';
import { createMailRoutes } from './mail-routes.tsx';
import { createMailbox } from './mailbox.ts';
import { IndexPage } from './pages/index.tsx';
import { createAssets, sendPage } from './pages/layout.tsx';
import { createPhoneNetwork } from './phone-network.ts';
import { createPhoneRoutes } from './phone-routes.tsx';
import { createRegistryRoutes } from './registry-routes.tsx';
import { createRegistry } from './registry.ts';

export interface LocalOptions {
  /** Ports; 0 takes a free one. */
  readonly port: number;
  readonly smtpPort: number;
  readonly smppPort: number;
  /** Folder of the state. */
  readonly dataDir: string;
  /** Origin of the service, where texts and receipts go. */
  readonly publicUrl: string;
  /** The account at the voice provider, and the token that signs its requests. */
  readonly accountSid: string;
  readonly voiceAuthToken: string;
  readonly registryToken: string;
  readonly carrierToken: string;
  /** User name of the service at the carrier. */
  readonly systemId: string;
  readonly routeTestNumber: string;
  /** How fast a callee hears text; 0 is at once. Milliseconds per character. */
  readonly speechMsPerCharacter: number;
}

export interface Local {
  /** Origin of the HTTP server: base of the voice, registry and carrier gateways. */
  readonly url: string;
  readonly port: number;
  readonly smtpPort: number;
  readonly smtpUrl: string;
  readonly smppPort: number;
  stop(): Promise<void>;
}

const host = '127.0.0.1';

/** Resolves when all ports listen. Rejects when one cannot. */
export async function startLocal(options: LocalOptions): Promise<Local> {
  const { publicUrl, accountSid, voiceAuthToken: authToken, speechMsPerCharacter } = options;
  const dataDir = join(options.dataDir, 'local');
  const network = createPhoneNetwork({ dataDir, authToken, speechMsPerCharacter });
  const mailbox = createMailbox(dataDir);
  const carrier = createCarrier({ ...options, dataDir });
  const smtpPort = await mailbox.start(options.smtpPort);
  const smppPort = await carrier.start();

  const app = new Hono();
  app.get('/', (ctx) => {
    const liveCalls = network.calls().filter(isLive).length;
    const mails = mailbox.list().length;
    return sendPage(ctx, <IndexPage {...{ liveCalls, mails, publicUrl, smtpPort, smppPort }} />);
  });
  app.route('/assets', createAssets());
  app.route('/', createPhoneRoutes(network));
  app.route('/', createCallsApi(network, { accountSid, authToken }));
  app.route('/', createMailRoutes(mailbox));
  app.route('/', createRegistryRoutes(createRegistry(dataDir), options.registryToken));
  app.route('/', carrier.app);

  const { server, port } = await listen(app, options.port);
  return {
    url: `http://${host}:${port}`,
    port,
    smtpPort,
    smtpUrl: `smtp://${host}:${smtpPort}`,
    smppPort,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      if ('closeAllConnections' in server) server.closeAllConnections();
      await Promise.all([closed, network.stop(), mailbox.stop(), carrier.stop()]);
    },
  };
}

function listen(app: Hono, port: number): Promise<{ server: ReturnType<typeof serve>; port: number }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname: host }, (info: AddressInfo) =>
      resolve({ server, port: info.port }),
    );
    server.once('error', reject);
  });
}
