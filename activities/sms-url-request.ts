/** One request to a customer's SmsUrl, Twilio's way: parameters, signature, idempotency token. Source: domain.md §2.4, §2.5. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { mediaOf, type ReplyContext } from '../db/reads/messages.ts';
import { callbackContentType, userAgent } from '../domain/delivery-headers.ts';
import { keywordOf } from '../domain/opt-out.ts';
import type { SmsUrlCall } from '../domain/ports.ts';
import type { EndpointClient, EndpointRequest } from '../gateways/endpoint.ts';
import { derivedSid } from '../security/derived-sid.ts';
import { signRequest } from '../security/request-signature.ts';
import type { ActivityDeps } from './deps.ts';

export interface SmsUrlDeps extends Pick<ActivityDeps, 'db' | 'vault' | 'settings' | 'publicUrl'> {
  /** One per process, guarded, with the time limit of SmsUrl and room for `maxTwimlBytes` (sms-url-answer.ts). */
  readonly smsUrls: EndpointClient;
}

/** Where the conversation with the customer's server stands. */
export interface Conversation {
  readonly context: ReplyContext;
  /** From 1. */
  readonly step: number;
  readonly call: SmsUrlCall;
}

export async function buildSmsUrlRequest(
  deps: SmsUrlDeps,
  { context, step, call }: Conversation,
): Promise<EndpointRequest> {
  const authToken = deps.vault.open(context.authTokenSealed);
  const form = { ...(await parametersOf(deps, context)), ...call.parameters };
  const headers = {
    accept: 'text/xml, application/xml, text/plain;q=0.5',
    'user-agent': userAgent,
    'i-twilio-idempotency-token': derivedSid('event', context.message.sid, 'sms-url', String(step)),
  };
  if (call.method === 'GET') {
    const url = new URL(call.url);
    for (const [name, value] of Object.entries(form)) url.searchParams.append(name, value);
    const signature = signRequest(authToken, url.href);
    return {
      method: 'GET',
      url: url.href,
      headers: { ...headers, 'x-twilio-signature': signature },
      body: null,
    };
  }
  return {
    method: 'POST',
    url: call.url,
    headers: {
      ...headers,
      'content-type': callbackContentType,
      'x-twilio-signature': signRequest(authToken, call.url, form),
    },
    body: new URLSearchParams(form).toString(),
  };
}

/** The parameters every request about an inbound text carries. Places are not known here and stay empty. */
async function parametersOf(
  { db, publicUrl }: SmsUrlDeps,
  { message, changedOptOut }: ReplyContext,
): Promise<Record<string, string>> {
  const media = await mediaOf(db, message.sid, { withBody: false });
  const keyword = keywordOf(message.body);
  const mediaPath = `${publicUrl}/2010-04-01/Accounts/${message.accountSid}/Messages/${message.sid}/Media`;
  return {
    MessageSid: message.sid,
    SmsSid: message.sid,
    SmsMessageSid: message.sid,
    AccountSid: message.accountSid,
    From: message.contact,
    To: message.line,
    Body: message.body,
    NumMedia: String(media.length),
    NumSegments: String(message.numSegments),
    SmsStatus: 'received',
    ApiVersion: '2010-04-01',
    ...placeOf('From', message.contact),
    ...placeOf('To', message.line),
    ...(keyword === null || (keyword === 'START' && !changedOptOut) ? {} : { OptOutType: keyword }),
    ...Object.fromEntries(
      media.flatMap(({ sid, contentType }, place) => [
        [`MediaUrl${place}`, `${mediaPath}/${sid}`],
        [`MediaContentType${place}`, contentType],
      ]),
    ),
  };
}

function placeOf(party: 'From' | 'To', phoneNumber: string): Record<string, string> {
  const country = parsePhoneNumberFromString(phoneNumber)?.country ?? '';
  return { [`${party}City`]: '', [`${party}State`]: '', [`${party}Zip`]: '', [`${party}Country`]: country };
}
