/** A message centre whose every answer a test decides, and a gateway with a listener that keeps what it is told. */
import type { AddressInfo } from 'node:net';
import smpp, { type Pdu, type Session } from 'smpp';
import type { ReceivedReceipt, ReceivedText } from '../../domain/ports.ts';
import type { CarrierGateway, OutgoingText } from '../../gateways/carrier.ts';
import { createSmppCarrier, type SmppCarrierOptions } from '../../gateways/smpp.ts';
import { carryOctets } from '../../gateways/smpp-protocol.ts';
import { until } from './until.ts';

export interface ScriptedSmsc {
  readonly url: string;
  /** Everything that arrived, in order. */
  readonly received: Pdu[];
  /** The latest connection; waits for one. */
  session(): Promise<Session>;
  connectionCount(): number;
  /** Sends a request and resolves to the status of its answer; `null` where the connection ends first. */
  request(command: string, fields: Readonly<Record<string, unknown>>): Promise<number | null>;
  close(): Promise<void>;
}

/** `answer`: the response to a request; `null` leaves it without one. */
export async function startScriptedSmsc(
  answer: (pdu: Pdu, session: Session) => Pdu | null = accept,
  port = 0,
): Promise<ScriptedSmsc> {
  carryOctets();
  const sessions: Session[] = [];
  const received: Pdu[] = [];
  const server = smpp.createServer((session) => {
    sessions.push(session);
    session.on('error', () => session.destroy());
    session.on('pdu', (pdu: Pdu) => {
      received.push(pdu);
      const response = pdu.isResponse() ? null : answer(pdu, session);
      if (response) session.send(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const bound = (): Promise<Session> =>
    until(() => received.some(({ command }) => command === 'bind_transceiver') && sessions.at(-1));
  return {
    url: `smpp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    session: bound,
    connectionCount: () => sessions.length,
    request: async (command, fields) => {
      const session = await bound();
      return new Promise((resolve) => {
        session.once('close', () => resolve(null));
        const sent = session.send(new smpp.PDU(command, fields), (pdu) => resolve(pdu.command_status));
        if (!sent) resolve(null);
      });
    },
    close: async () => {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What a well-meaning message centre answers. */
export const accept = (pdu: Pdu): Pdu | null =>
  pdu.response(pdu.command === 'submit_sm' ? { message_id: nextId() } : {});

let lastId = 0xab00;
const nextId = (): string => (lastId += 1).toString(16);

export interface ListeningGateway extends CarrierGateway {
  readonly texts: ReceivedText[];
  readonly receipts: ReceivedReceipt[];
}

/**
 * A gateway that comes back soon and has more patience than a machine stalls. `onText` runs before a text is kept; while it
 * rejects, nothing is.
 */
export function connectGateway(
  url: string,
  {
    onText,
    ...options
  }: Partial<SmppCarrierOptions> & { onText?: (text: ReceivedText) => Promise<void> } = {},
): ListeningGateway {
  const texts: ReceivedText[] = [];
  const receipts: ReceivedReceipt[] = [];
  const gateway = createSmppCarrier({
    url,
    systemId: 'tester',
    password: 'secret',
    window: 10,
    enquireLinkMs: 30_000,
    reconnectMs: 20,
    responseTimeoutMs: 20_000,
    reassemblyMs: 60_000,
    longTexts: 'parts',
    defaultAlphabet: 'gsm',
    log: { info: () => null, warn: () => null },
    listener: {
      onText: async (text) => {
        await onText?.(text);
        texts.push(text);
      },
      onReceipt: async (receipt) => {
        receipts.push(receipt);
      },
    },
    ...options,
  });
  return { ...gateway, texts, receipts };
}

let lastKey = 0;

/** A text to send; each has a key of its own unless it is given one. */
export function textToSend(text: Partial<OutgoingText> = {}): OutgoingText {
  return {
    key: `SM${(lastKey += 1)}`,
    from: '+14155550100',
    to: '+14155550199',
    body: 'hello',
    mediaUrls: [],
    validityPeriodSeconds: null,
    ...text,
  };
}

/** Fields of a deliver_sm from a handset. */
export function delivery(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    source_addr_ton: 1,
    source_addr_npi: 1,
    source_addr: '14155550199',
    dest_addr_ton: 1,
    dest_addr_npi: 1,
    destination_addr: '14155550100',
    data_coding: 0,
    ...fields,
  };
}

/** A part of a long text, GSM alphabet, with an 8-bit reference. */
export function part(
  reference: number,
  total: number,
  sequence: number,
  text: string,
): ReturnType<typeof delivery> {
  const header = Buffer.from([5, 0, 3, reference, total, sequence]);
  return delivery({ esm_class: 0x40, short_message: Buffer.concat([header, Buffer.from(text, 'latin1')]) });
}
