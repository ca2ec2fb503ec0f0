/** One request to a customer's SmsUrl, Twilio's way: parameters, signature, idempotency token. Source: domain.md §2.4, §2.5. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { mediaOf, type ReplyContext } from '../db/reads/messages.ts';
import { keywordOf } from '../domain/opt-out.ts';
import type { SmsUrlCall } from '../domain/ports.ts';
import type { EndpointClient, EndpointRequest } from '../gateways/endpoint.ts';
import { derivedSid } from '../security/derived-sid.ts';
import type { ActivityDeps } from './deps.ts';
import { signedFormRequest } from './signed-form-request.ts';

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
  const form = { ...(await parametersOf(deps, context)), ...call.parameters };
  return signedFormRequest({
    authToken: deps.vault.open(context.authTokenSealed),
    url: call.url,
    method: call.method,
    form: new URLSearchParams(form).toString(),
    headers: {
      accept: 'text/xml, application/xml, text/plain;q=0.5',
      'i-twilio-idempotency-token': derivedSid('event', context.message.sid, 'sms-url', String(step)),
    },
  });
}

/** The parameters every request about an inbound text carries. Places are not known here and stay empty. */
async function parametersOf(
  { db, publicUrl }: SmsUrlDeps,
  { message, changedOptOut }: ReplyContext,
): Promise<Record<string, string>> {
  const media = await mediaOf(db, message.sid, { withBody: false });
  const word = keywordOf(message.body);
  // YES is an everyday answer where nobody had left.
  const keyword = word === 'START' && !changedOptOut ? null : word;
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
    ...(keyword === null ? {} : { OptOutType: keyword }),
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
