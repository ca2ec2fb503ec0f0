/** A carrier over Twilio-shaped HTTP. Receipts and incoming texts come to the API's /carrier. Protocol: docs/gateways.md. */
import { z } from 'zod';
import { undeliveredError } from '../domain/message.ts';
import type { CarrierGateway, OutgoingText } from './carrier.ts';
import { basicAuthorization, createServiceClient, GatewayError, isPassing } from './service-client.ts';

const acceptedAnswer = z.object({ sid: z.string().min(1) });
const errorAnswer = z.object({ code: z.number().int() });

export interface HttpCarrierOptions {
  readonly url: string;
  /** User name, and the account in the path. */
  readonly systemId: string;
  readonly token: string;
  /** Where the carrier posts its receipts. */
  readonly receiptUrl: string;
}

export function createHttpCarrier({ url, systemId, token, receiptUrl }: HttpCarrierOptions): CarrierGateway {
  const client = createServiceClient({
    name: 'The carrier',
    url: `${url}/2010-04-01/Accounts/${encodeURIComponent(systemId)}`,
    authorization: basicAuthorization(systemId, token),
  });

  return {
    async submit(text, signal) {
      const { status, body } = await client.call({
        method: 'POST',
        path: '/Messages.json',
        headers: { 'idempotency-key': text.key },
        body: messageForm(text, receiptUrl),
        signal,
      });
      if (status >= 400 && !isPassing(status)) {
        const errorCode = errorAnswer.safeParse(body).data?.code ?? undeliveredError;
        return { kind: 'refused', errorCode, reason: `The carrier refused the text (error ${errorCode})` };
      }
      const accepted = acceptedAnswer.safeParse(body).data;
      if (status >= 300 || !accepted)
        throw new GatewayError(`The carrier answered with status ${status}, or not as agreed`);
      return { kind: 'accepted', carrierId: accepted.sid, receiptFollows: true };
    },
    close: () => Promise.resolve(),
  };
}

function messageForm(text: OutgoingText, receiptUrl: string): URLSearchParams {
  const form = new URLSearchParams({
    From: text.from,
    To: text.to,
    Body: text.body,
    StatusCallback: receiptUrl,
  });
  for (const url of text.mediaUrls) form.append('MediaUrl', url);
  if (text.validityPeriodSeconds !== null) form.set('ValidityPeriod', String(text.validityPeriodSeconds));
  return form;
}
