/** Chooses the carrier by configuration. */
import type { Logger } from 'pino';
import type { Settings } from '../settings.ts';
import type { CarrierGateway, CarrierListener } from './carrier.ts';
import { createHttpCarrier } from './carrier-http.ts';
import { createSmppCarrier } from './smpp.ts';

export interface CarrierGatewayOptions {
  readonly settings: Settings['gateways']['carrier'];
  /** HTTP: password of our requests and of the carrier's. SMPP: password of the bind. */
  readonly token: string;
  /** HTTP: where the carrier posts its receipts. */
  readonly receiptUrl: string;
  /** SMPP: takes what comes over the bind. */
  readonly listener: CarrierListener;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** An SMPP carrier binds at once: make one per process that shall receive, and close it at the end. */
export function createCarrierGateway(options: CarrierGatewayOptions): CarrierGateway {
  const { settings, token, receiptUrl, listener, log } = options;
  const { url, systemId } = settings;
  if (settings.protocol === 'http') return createHttpCarrier({ url, systemId, token, receiptUrl });
  return createSmppCarrier({
    url,
    systemId,
    password: token,
    window: settings.window,
    enquireLinkMs: settings.enquireLink,
    reconnectMs: settings.reconnect,
    responseTimeoutMs: settings.responseTimeout,
    reassemblyMs: settings.reassembly,
    longTexts: settings.longTexts,
    defaultAlphabet: settings.defaultAlphabet,
    listener,
    log,
  });
}
