/** The official Twilio client, unmodified but for where it points. */
import twilio from 'twilio';
import type { Service } from './service.ts';

export type TwilioClient = twilio.Twilio;

export function twilioFor(
  service: Pick<Service, 'url' | 'credentials'>,
  { sid, token }: { readonly sid: string; readonly token: string } = {
    sid: service.credentials.accountSid,
    token: service.credentials.authToken,
  },
): TwilioClient {
  const client = twilio(sid, token);
  client.preview.baseUrl = service.url;
  client.api.baseUrl = service.url;
  return client;
}

export interface TwilioRefusal {
  readonly status: number;
  readonly code: number;
}

/** The error a client raises; fails where it raises none. */
export async function refusal(call: Promise<unknown>): Promise<TwilioRefusal> {
  try {
    await call;
  } catch (err) {
    const { status, code } = err as TwilioRefusal;
    return { status, code };
  }
  throw new Error('the call was not refused');
}
