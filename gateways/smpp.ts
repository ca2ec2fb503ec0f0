/**
 * A carrier over SMPP 3.4: one transceiver bind, submissions within a window, texts and receipts to the listener.
 * SMPP has no idempotency key; what this gateway does about it is in decision 0019.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { CarrierGateway, CarrierListener, OutgoingText, Submission } from './carrier.ts';
import { GatewayError } from './service-client.ts';
import { noAnswer, type SmppAnswer } from './smpp-connection.ts';
import { createInbox } from './smpp-inbox.ts';
import { createLink } from './smpp-link.ts';
import { carryOctets, commandStatus, statusName } from './smpp-protocol.ts';
import { plainId } from './smpp-receipt.ts';
import {
  isPassingStatus,
  refusal,
  type SubmissionStyle,
  submissionFields,
  tooManyParts,
} from './smpp-submission.ts';
import { createWindow } from './smpp-window.ts';

export interface SmppCarrierOptions extends SubmissionStyle {
  /** `smpp://host:port`, or `ssmpp://host:port` for TLS. */
  readonly url: string;
  readonly systemId: string;
  readonly password: string;
  /** Submissions that may wait for their answer at a time. */
  readonly window: number;
  readonly enquireLinkMs: number;
  readonly reconnectMs: number;
  readonly responseTimeoutMs: number;
  readonly reassemblyMs: number;
  readonly listener: CarrierListener;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** How long a throttled submission keeps its place in the window, so that the next one comes later. Milliseconds. */
const throttlePauseMs = 1000;
/** How long an answer may come late: until then the text is not submitted again. As Kannel's `wait-ack`. Milliseconds. */
const lateAnswerMs = 60_000;
/** Texts whose accepted parts are remembered. */
const acceptedLimit = 10_000;

/** Binds in the background at once and stays bound until closed. */
export function createSmppCarrier(options: SmppCarrierOptions): CarrierGateway {
  carryOctets();
  const { responseTimeoutMs, listener, log } = options;
  // Half of our own patience is well within that of any SMSC.
  const answerWithinMs = responseTimeoutMs / 2;
  const inbox = createInbox({ ...options, answerWithinMs, listener, log });
  const link = createLink({ ...options, onDelivery: (delivery) => inbox.take(delivery) });
  const window = createWindow({ size: options.window, waitMs: responseTimeoutMs });
  // Message ids of the parts that the SMSC took, by key: a submission made again goes on where it stopped.
  const accepted = new LRUCache<string, string[]>({ max: acceptedLimit });
  const running = new Map<string, Promise<Submission>>();

  const submitPart = async (
    fields: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<SmppAnswer> => {
    const leave = await window.enter(signal);
    let keepPlaceMs = 0;
    try {
      const connection = await link.connection();
      const answer = await connection.request('submit_sm', fields, Math.max(lateAnswerMs, responseTimeoutMs));
      if (!isPassingStatus(answer.status)) return answer;
      keepPlaceMs = throttlePauseMs;
      throw new GatewayError(`The carrier cannot take the text now: ${statusName(answer.status)}`);
    } finally {
      if (keepPlaceMs > 0) setTimeout(leave, keepPlaceMs).unref();
      else leave();
    }
  };

  const submitParts = async (text: OutgoingText, signal?: AbortSignal): Promise<Submission> => {
    const requests = submissionFields(text, options);
    if (!requests) return tooManyParts;
    const ids = accepted.get(text.key) ?? [];
    accepted.set(text.key, ids);
    for (const fields of requests.slice(ids.length)) {
      const { status, messageId } = await submitPart(fields, signal);
      if (status !== commandStatus.ok) return refusal(status);
      ids.push(messageId);
    }
    const carrierId = plainId(ids.at(-1) ?? '');
    return { kind: 'accepted', carrierId: carrierId || text.key, receiptFollows: carrierId !== '' };
  };

  const start = (text: OutgoingText, signal?: AbortSignal): Promise<Submission> => {
    const started = submitParts(text, signal).finally(() => running.delete(text.key));
    running.set(text.key, started);
    // Nobody may be waiting any more when it fails.
    started.catch(() => null);
    return started;
  };

  /** A place and an answer each have their time. Who comes again waits for the answer that is still to come. */
  const inTime = async (submission: Promise<Submission>): Promise<Submission> => {
    const over = new AbortController();
    const late = pause(2 * responseTimeoutMs, null, over).then(() => {
      throw new GatewayError(`The carrier did not answer submit_sm: ${noAnswer}`);
    });
    try {
      return await Promise.race([submission, late]);
    } finally {
      over.abort();
      late.catch(() => null);
    }
  };

  return {
    submit: (text, signal) => inTime(running.get(text.key) ?? start(text, signal)),
    close: async () => {
      // An SMSC that answers nothing does not hold up the end.
      const patience = pause(responseTimeoutMs, null, { ref: false });
      await Promise.race([Promise.allSettled(running.values()), patience]);
      inbox.close();
      await link.close();
    },
  };
}
