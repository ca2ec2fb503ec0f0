/**
 * The local carrier: takes texts from the service over Twilio-shaped HTTP or SMPP, carries them to handsets, and brings
 * back receipts and replies. Everything it has taken on outlives the process.
 */
import type { Hono } from 'hono';
import { createCarrierApi } from './carrier-api.ts';
import { createNetwork, type Verdict } from './carrier-network.ts';
import { createPartsBin } from './carrier-parts.ts';
import { createCarrierService } from './carrier-service.ts';
import { openCarrierStore } from './carrier-store.ts';
import { createSmsc, newMessageId, smscStatus, type Submission } from './smsc.ts';

export interface CarrierOptions {
  readonly dataDir: string;
  /** Origin of the service, without a slash at the end. */
  readonly publicUrl: string;
  /** Password in both directions, and of the SMPP bind. */
  readonly carrierToken: string;
  /** User name of the service at the carrier. */
  readonly systemId: string;
  /** Handset that sends route tests back. E.164. */
  readonly routeTestNumber: string;
  /** `0` takes a free port. */
  readonly smppPort: number;
}

export interface Carrier {
  readonly app: Hono;
  /** Listens for SMPP and goes on with what was under way. Resolves to the SMPP port. */
  start(): Promise<number>;
  stop(): Promise<void>;
}

const statusOf: Readonly<Record<Verdict, number>> = {
  taken: smscStatus.ok,
  refused: smscStatus.invalidDestination,
  throttled: smscStatus.throttled,
};

export function createCarrier(options: CarrierOptions): Carrier {
  const { dataDir, publicUrl, carrierToken, systemId, routeTestNumber, smppPort } = options;
  const store = openCarrierStore(dataDir);
  const service = createCarrierService({ publicUrl, token: carrierToken });
  const parts = createPartsBin(store.parts);

  const takeSubmission = async (submission: Submission): Promise<{ status: number; messageId: string }> => {
    const { from, to } = submission;
    const verdict = await network.judge({ from, to, body: submission.octets.toString('base64') });
    if (verdict !== 'taken') return { status: statusOf[verdict], messageId: '' };
    const messageId = newMessageId();
    const whole = parts.add(messageId, submission);
    if (whole)
      network.carry({ via: 'smpp', key: null, from, to, mediaUrls: [], statusCallback: null, ...whole });
    return { status: smscStatus.ok, messageId };
  };

  const smsc = createSmsc({ systemId, password: carrierToken, onSubmission: takeSubmission });
  const network = createNetwork({
    store,
    routeTestNumber,
    bringText: async (text) => {
      if (!smsc.hasReceiver()) return service.bringText(text);
      const taken = await smsc.bringText(text);
      return {
        taken,
        bounced: false,
        words: taken ? 'deliver_sm acknowledged' : 'deliver_sm not acknowledged',
      };
    },
    bringReceipt: (text) =>
      text.via === 'http'
        ? service.bringReceipt(text)
        : smsc.bringReceipt({
            messageId: text.sid,
            from: text.to,
            to: text.from,
            delivered: text.state === 'delivered',
          }),
  });

  return {
    app: createCarrierApi({ network, store, systemId, token: carrierToken }),
    start: async () => {
      const port = await smsc.listen(smppPort);
      network.resume();
      return port;
    },
    stop: async () => {
      network.stop();
      await smsc.stop();
      await service.close();
      store.close();
    },
  };
}
