/** The box that `npm start` ends with: where everything is, and what to log in with. */
import type { Console } from './console.ts';
import type { Secrets } from './secrets.ts';

export interface Addresses {
  readonly publicUrl: string;
  readonly localPort: number;
  /** host:port of the Temporal service. */
  readonly temporalAddress: string;
  /** `null` where the server is somebody else's. */
  readonly temporalUiPort: number | null;
  /** Path of the `temporal` CLI where a shell would not find it by its name. */
  readonly temporalCli: string | null;
  readonly dataDir: string;
  readonly secrets: Secrets;
  readonly privateWebhooks: boolean;
  readonly seconds: number;
}

export function printAddresses(out: Console, addresses: Addresses): void {
  const { publicUrl, localPort, temporalUiPort, temporalCli, dataDir } = addresses;
  const { secrets, privateWebhooks, seconds } = addresses;
  const local = `http://localhost:${localPort}`;
  out.line('');
  out.box(`Hosted SMS is ready, after ${seconds.toFixed(1)} s`, [
    [
      ['API', publicUrl],
      ['API reference', `${publicUrl}/docs`],
      ['Console', `${publicUrl}/console`],
      ['Temporal', addresses.temporalAddress],
      ...(temporalUiPort === null
        ? []
        : [['Temporal Web UI', `http://localhost:${temporalUiPort}`] as const]),
      ...(temporalCli === null ? [] : [['temporal CLI', temporalCli] as const]),
    ],
    [
      ['Phone', `${local}/phone`],
      ['Mailbox', `${local}/mail`],
      ['Handsets', `${local}/handsets`],
      ['Registry', `${local}/registry`],
    ],
    [
      ['AccountSid', secrets.ACCOUNT_SID],
      ['AuthToken', secrets.AUTH_TOKEN],
      ['Administrator', `admin:${secrets.ADMIN_TOKEN}`],
      ['Carrier', `carrier:${secrets.CARRIER_TOKEN}`],
    ],
    [
      ['Data, logs', `${dataDir}, ${dataDir}/logs`],
      [
        'Webhooks',
        privateWebhooks ? 'private and loopback addresses allowed (local use)' : 'public addresses only',
      ],
      ['Stop', 'Ctrl-C; the next start goes on where this one stopped'],
    ],
  ]);
}
