/** One bound connection to an SMSC: requests with their answers, and the SMSC's own requests. Ends for good when anything is wrong. */
import smpp, { type Pdu, type Session } from 'smpp';
import { GatewayError } from './service-client.ts';
import { type Delivery, readDelivery } from './smpp-delivery.ts';
import { commandStatus, statusName } from './smpp-protocol.ts';

export interface ConnectionOptions {
  /** `smpp://host:port`, or `ssmpp://host:port` for TLS. */
  readonly url: string;
  readonly systemId: string;
  readonly password: string;
  /** Time the SMSC has for the connection and for each answer. Milliseconds. */
  readonly responseTimeoutMs: number;
  /** Milliseconds between enquire_link requests. */
  readonly enquireLinkMs: number;
  /**
   * Takes what the SMSC brings; resolves to the command status to answer with. `sent` tells afterwards whether the
   * answer left, as far as this side can know.
   */
  readonly onDelivery: (delivery: Delivery) => Promise<DeliveryAnswer>;
}

export interface DeliveryAnswer {
  readonly status: number;
  readonly sent?: (sent: boolean) => void;
}

export interface SmppAnswer {
  readonly status: number;
  readonly messageId: string;
}

export interface SmppConnection {
  /**
   * Any answer is a value. Throws GatewayError when none comes, by default within the response time: what became of the
   * request is unknown then.
   */
  request(
    command: string,
    fields?: Readonly<Record<string, unknown>>,
    patienceMs?: number,
  ): Promise<SmppAnswer>;
  /** Resolves, with the reason, when the connection is over. */
  readonly closed: Promise<string>;
  /** Answers what is still to be answered, unbinds, hangs up. */
  close(): Promise<void>;
}

/** Why a request failed that the SMSC said nothing to. */
export const noAnswer = 'no answer in time';

/** Default ports. Source: the IANA registry for smpp; the library's own for TLS. */
const defaultPort = { plain: 2775, tls: 3550 } as const;
/** Interface version 3.4. Source: SMPP 3.4 §5.2.4. */
const interfaceVersion = 0x34;

/** Connects and binds as transceiver. Throws GatewayError when that fails. */
export async function openConnection(options: ConnectionOptions): Promise<SmppConnection> {
  const connection = createConnection(connect(options.url), options);
  const { systemId, password } = options;
  const bind = { system_id: systemId, password, interface_version: interfaceVersion };
  try {
    const { status } = await connection.request('bind_transceiver', bind);
    if (status !== commandStatus.ok)
      throw new GatewayError(`The carrier refused the bind: ${statusName(status)}`);
  } catch (err) {
    connection.destroy('the bind failed');
    throw err;
  }
  connection.keepAlive();
  return connection;
}

function connect(url: string): Session {
  const { protocol, hostname, port } = new URL(url);
  const tls = protocol === 'ssmpp:';
  const host = hostname.replace(/^\[|\]$/g, '');
  return smpp.connect({ host, port: Number(port) || (tls ? defaultPort.tls : defaultPort.plain), tls });
}

interface OpenConnection extends SmppConnection {
  /** Asks regularly whether the SMSC is there; silence ends the connection. */
  keepAlive(): void;
  destroy(reason: string): void;
}

function createConnection(session: Session, options: ConnectionOptions): OpenConnection {
  const unanswered = new Set<(reason: string) => void>();
  const answering = new Set<Promise<void>>();
  let reason = 'the SMSC hung up';
  let keepAlive: NodeJS.Timeout | undefined;

  const closed = new Promise<string>((resolve) => {
    session.on('close', () => {
      clearInterval(keepAlive);
      resolve(reason);
      for (const fail of unanswered) fail(reason);
    });
  });
  const destroy = (why: string): void => {
    reason = why;
    session.destroy();
  };

  const request: SmppConnection['request'] = (command, fields, patienceMs = options.responseTimeoutMs) =>
    new Promise((resolve, reject) => {
      const pdu = new smpp.PDU(command, fields);
      const settle = (): void => {
        clearTimeout(timer);
        unanswered.delete(fail);
      };
      const fail = (why: string): void => {
        settle();
        reject(new GatewayError(`The carrier did not answer ${command}: ${why}`));
      };
      const timer = setTimeout(fail, patienceMs, noAnswer);
      unanswered.add(fail);
      const sent = session.send(pdu, (answer) => {
        settle();
        resolve(readAnswer(answer));
      });
      if (!sent) fail('the connection is closed');
    });

  session.socket.setNoDelay(true);
  // The library stops reading after a PDU it cannot parse: what follows has no known beginning. A new bind has.
  session.on('error', (err: Error & { code?: string }) => destroy(err.code ?? 'a PDU that is none'));
  session.on('pdu', (pdu: Pdu) => {
    const answered = answerRequest(session, pdu, options.onDelivery)
      .catch((err: unknown) => destroy(err instanceof Error ? err.name : 'an answer that could not be sent'))
      .finally(() => answering.delete(answered));
    answering.add(answered);
  });

  return {
    request,
    closed,
    destroy,
    keepAlive: () => {
      const enquire = (): void => {
        request('enquire_link').catch(() => destroy('the SMSC fell silent'));
      };
      keepAlive = setInterval(enquire, options.enquireLinkMs);
    },
    close: async () => {
      await Promise.all(answering);
      reason = 'unbound';
      await request('unbind').catch(() => null);
      session.close();
      const forced = setTimeout(() => session.destroy(), options.responseTimeoutMs);
      await closed;
      clearTimeout(forced);
    },
  };
}

/** Answers what the SMSC asks. Deliveries are answered when they are safe; the SMSC repeats those that fail. */
async function answerRequest(
  session: Session,
  pdu: Pdu,
  onDelivery: ConnectionOptions['onDelivery'],
): Promise<void> {
  if (pdu.isResponse()) return;
  switch (pdu.command) {
    case 'deliver_sm':
    case 'data_sm': {
      const { status, sent } = await onDelivery(readDelivery(pdu));
      const left = session.send(pdu.response({ command_status: status }));
      sent?.(left && session.socket.writable);
      return;
    }
    case 'enquire_link':
      session.send(pdu.response());
      return;
    case 'unbind':
      session.send(pdu.response());
      session.close();
      return;
    case 'unknown':
      session.send(pdu.response({ command_status: commandStatus.invalidCommand }));
      return;
    default:
    // alert_notification and outbind have no answer; nothing else comes from an SMSC.
  }
}

/** A generic_nack, or a refusal without a body, has no message id. */
function readAnswer(pdu: Pdu): SmppAnswer {
  const messageId = pdu['message_id'];
  return { status: pdu.command_status, messageId: typeof messageId === 'string' ? messageId : '' };
}
