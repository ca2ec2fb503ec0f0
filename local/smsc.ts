/** A message centre that speaks SMPP 3.4: takes submissions from bound clients, brings them texts and receipts. */
import { randomInt } from 'node:crypto';
import smpp, { type Pdu, type Session } from 'smpp';
import { cutText, type Piece, readHeader } from './smsc-text.ts';

export const smscStatus = {
  ok: 0,
  wrongState: 0x04,
  invalidDestination: 0x0b,
  invalidPassword: 0x0e,
  invalidSystemId: 0x0f,
  throttled: 0x58,
} as const;

/** One submit_sm: a text, or a part of one. */
export interface Submission {
  readonly from: string;
  readonly to: string;
  readonly dataCoding: number;
  readonly octets: Buffer;
  readonly part: { readonly reference: number; readonly total: number; readonly sequence: number } | null;
  readonly wantsReceipt: boolean;
}

export interface SmscOptions {
  readonly systemId: string;
  readonly password: string;
  /** Decides about a submission; resolves to the command status, and the message id where it is taken. */
  readonly onSubmission: (submission: Submission) => Promise<{ status: number; messageId: string }>;
}

interface ReceiptToBring {
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly delivered: boolean;
}

export interface Smsc {
  /** Resolves to the port. `0` takes a free one. */
  listen(port: number): Promise<number>;
  /** A client is bound that takes deliveries. */
  hasReceiver(): boolean;
  /** True when the client acknowledged every piece. A repetition brings only what is left. */
  bringText(text: { sid: string; from: string; to: string; body: string }): Promise<boolean>;
  bringReceipt(receipt: ReceiptToBring): Promise<boolean>;
  stop(): Promise<void>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Time a client has for an answer. Milliseconds. */
const patienceMs = 10_000;
const international = { ton: 1, npi: 1 } as const;

export function createSmsc({ systemId, password, onSubmission }: SmscOptions): Smsc {
  carryOctets();
  const sessions = new Set<Session>();
  const receivers = new Set<Session>();
  const acknowledged = new Map<string, Set<number>>();

  const bindStatus = (pdu: Pdu): number => {
    if (pdu['system_id'] !== systemId) return smscStatus.invalidSystemId;
    return pdu['password'] === password ? smscStatus.ok : smscStatus.invalidPassword;
  };

  const serve = async (session: Session, pdu: Pdu, bound: Set<string>): Promise<void> => {
    switch (pdu.command) {
      case 'bind_transceiver':
      case 'bind_receiver':
      case 'bind_transmitter': {
        const status = bindStatus(pdu);
        session.send(pdu.response({ command_status: status, system_id: 'local-smsc' }));
        if (status === smscStatus.ok) bound.add(pdu.command);
        if (status === smscStatus.ok && pdu.command !== 'bind_transmitter') receivers.add(session);
        return;
      }
      case 'submit_sm': {
        const maySubmit = bound.has('bind_transceiver') || bound.has('bind_transmitter');
        const { status, messageId } = maySubmit
          ? await onSubmission(readSubmission(pdu))
          : { status: smscStatus.wrongState, messageId: '' };
        session.send(pdu.response({ command_status: status, message_id: messageId }));
        return;
      }
      case 'unbind':
        receivers.delete(session);
        session.send(pdu.response());
        session.close();
        return;
      case 'enquire_link':
      case 'unknown':
        if (!pdu.isResponse()) session.send(pdu.response());
        return;
      default:
    }
  };

  const server = smpp.createServer((session) => {
    const bound = new Set<string>();
    sessions.add(session);
    session.socket.setNoDelay(true);
    // One listener for each delivery that waits for its answer.
    session.setMaxListeners(0);
    session.on('pdu', (pdu: Pdu) => {
      serve(session, pdu, bound).catch(() => session.destroy());
    });
    session.on('error', () => session.destroy());
    session.on('close', () => {
      sessions.delete(session);
      receivers.delete(session);
    });
  });

  /** To the client that has waited longest. */
  const bring = async (fields: Fields): Promise<boolean> => {
    const [session] = receivers;
    if (!session) return false;
    receivers.delete(session);
    receivers.add(session);
    return (await request(session, 'deliver_sm', fields)) === smscStatus.ok;
  };

  return {
    listen: (port) => listen(server, port),
    hasReceiver: () => receivers.size > 0,
    bringText: async ({ sid, from, to, body }) => {
      const taken = acknowledged.get(sid) ?? new Set<number>();
      acknowledged.set(sid, taken);
      const pieces = cutText(body, Number.parseInt(sid.slice(-2), 16));
      const outcomes = await Promise.all(
        pieces.map(async (piece, index) => {
          if (taken.has(index)) return true;
          const done = await bring({
            ...addresses(from, to),
            ...pieceFields(piece),
            receipted_message_id: sid,
          });
          if (done) taken.add(index);
          return done;
        }),
      );
      const done = outcomes.every(Boolean);
      if (done) acknowledged.delete(sid);
      return done;
    },
    bringReceipt: (receipt) => bring(receiptFields(receipt)),
    stop: async () => {
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.destroy();
      await ended;
    },
  };
}

/** Octets as they come: the library would decode texts by tables of its own. */
function carryOctets(): void {
  for (const name of ['submit_sm', 'deliver_sm']) {
    const { id = 0, params = {} } = smpp.commands[name] ?? {};
    const plain = Object.entries(params).map(([key, parameter]) => {
      const { type } = parameter;
      return [key, 'default' in parameter ? { type, default: parameter.default } : { type }];
    });
    smpp.addCommand(name, { id, params: Object.fromEntries(plain) });
  }
  smpp.addTLV('message_payload', { id: 0x0424, type: smpp.types.tlv.buffer });
}

function listen(server: ReturnType<typeof smpp.createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function request(session: Session, command: string, fields: Fields): Promise<number | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMs, null);
    const settle = (status: number | null): void => {
      clearTimeout(timer);
      session.off('close', gone);
      resolve(status);
    };
    const gone = (): void => settle(null);
    session.once('close', gone);
    if (!session.send(new smpp.PDU(command, fields), (answer) => settle(answer.command_status))) gone();
  });
}

function readSubmission(pdu: Pdu): Submission {
  const short = pdu['short_message'];
  const payload = pdu['message_payload'];
  const octets = Buffer.isBuffer(short) && short.length > 0 ? short : payload;
  const whole = Buffer.isBuffer(octets) ? octets : Buffer.alloc(0);
  const part = Number(pdu['esm_class']) & 0x40 ? readHeader(whole) : null;
  return {
    from: numberOf(pdu['source_addr'], pdu['source_addr_ton']),
    to: numberOf(pdu['destination_addr'], pdu['dest_addr_ton']),
    dataCoding: Number(pdu['data_coding'] ?? 0),
    octets: part ? whole.subarray(6) : whole,
    part,
    wantsReceipt: (Number(pdu['registered_delivery']) & 1) === 1,
  };
}

const numberOf = (address: unknown, ton: unknown): string =>
  ton === international.ton ? `+${String(address)}` : String(address);

function addresses(from: string, to: string): Fields {
  return {
    source_addr_ton: international.ton,
    source_addr_npi: international.npi,
    source_addr: from.replace('+', ''),
    dest_addr_ton: international.ton,
    dest_addr_npi: international.npi,
    destination_addr: to.replace('+', ''),
  };
}

const pieceFields = ({ dataCoding, header, octets }: Piece): Fields => ({
  data_coding: dataCoding,
  esm_class: header.length > 0 ? 0x40 : 0,
  short_message: Buffer.concat([header, octets]),
});

/** The form that SMPP 3.4, appendix B, gives and every message centre follows. */
function receiptFields({ messageId, from, to, delivered }: ReceiptToBring): Fields {
  const minute = new Date().toISOString().replaceAll(/\D/g, '').slice(2, 12);
  const [state, word, error, count] = delivered ? [2, 'DELIVRD', '000', '001'] : [5, 'UNDELIV', '001', '000'];
  const text = `id:${messageId} sub:001 dlvrd:${count} submit date:${minute} done date:${minute} stat:${word} err:${error} text:`;
  return {
    ...addresses(from, to),
    esm_class: 0x04,
    data_coding: 0,
    short_message: Buffer.from(text, 'latin1'),
    receipted_message_id: messageId,
    message_state: state,
    // GSM network, absent subscriber.
    ...(delivered ? {} : { network_error_code: Buffer.from([3, 0, 6]) }),
  };
}

/** A new message id: hexadecimal, as most message centres give. */
export const newMessageId = (): string => randomInt(2 ** 40, 2 ** 44).toString(16);
