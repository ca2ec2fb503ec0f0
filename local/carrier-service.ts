/** The carrier's own calls to the service over HTTP: incoming texts and receipts. */
import { Agent, request } from 'undici';
import type { ServiceAnswer } from './carrier-network.ts';
import type { IncomingRow, OutgoingRow } from './carrier-store.ts';

export interface CarrierService {
  bringText(text: IncomingRow): Promise<ServiceAnswer>;
  /** True when the service took it, or says that it never will. */
  bringReceipt(text: OutgoingRow): Promise<boolean>;
  close(): Promise<void>;
}

/** Time the service has to answer. Milliseconds. */
const patienceMs = 15_000;
/** Twilio's "unreachable destination handset". */
const unreachable = '30003';

export function createCarrierService(options: { publicUrl: string; token: string }): CarrierService {
  const authorization = `Basic ${Buffer.from(`carrier:${options.token}`).toString('base64')}`;
  const dispatcher = new Agent({ connections: 50, headersTimeout: patienceMs, bodyTimeout: patienceMs });

  const post = async (url: string, form: URLSearchParams): Promise<{ status: number; body: string }> => {
    const answer = await request(url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
      dispatcher,
      signal: AbortSignal.timeout(patienceMs),
    });
    return { status: answer.statusCode, body: await answer.body.text() };
  };

  return {
    bringText: async ({ sid, from, to, body, mediaUrls }) => {
      const form = new URLSearchParams({ MessageSid: sid, From: from, To: to, Body: body });
      for (const url of mediaUrls) form.append('MediaUrl', url);
      try {
        const answer = await post(`${options.publicUrl}/carrier/messages`, form);
        const words = `${answer.status} ${answer.body.slice(0, 500)}`.trim();
        return { taken: isSuccess(answer.status), bounced: isFinal(answer.status), words };
      } catch (err) {
        return { taken: false, bounced: false, words: err instanceof Error ? err.message : 'no answer' };
      }
    },
    bringReceipt: async ({ sid, from, to, state, statusCallback }) => {
      if (statusCallback === null) return true;
      const delivered = state === 'delivered';
      const form = new URLSearchParams({
        MessageSid: sid,
        MessageStatus: delivered ? 'delivered' : 'undelivered',
        From: from,
        To: to,
      });
      if (!delivered) form.set('ErrorCode', unreachable);
      const { status } = await post(statusCallback, form);
      return isSuccess(status) || isFinal(status);
    },
    close: () => dispatcher.destroy(),
  };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
/** Wrong for ever: bad input, or a number that the service does not host. */
const isFinal = (status: number): boolean => [400, 404, 410].includes(status);
