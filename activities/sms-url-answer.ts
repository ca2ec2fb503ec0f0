/** What the answer of a customer's SmsUrl leads to: replies, the next request, or an error with Twilio's code. */
import { isOptedOut } from '../db/reads/messages.ts';
import { findNumberInUse } from '../db/reads/incoming-phone-numbers.ts';
import { isHttpUrl } from '../domain/http-url.ts';
import { maxBodyLength, maxMediaUrls, maxSmsUrlRequests, type OutgoingMessage } from '../domain/message.ts';
import { isRecipient, partyOf } from '../domain/party.ts';
import type { SmsUrlCall, SmsUrlOutcome } from '../domain/ports.ts';
import type { EndpointAnswer } from '../gateways/endpoint.ts';
import { derivedSid } from '../security/derived-sid.ts';
import type { Conversation, SmsUrlDeps } from './sms-url-request.ts';
import { parseTwiml, type MessageVerb, type Verb } from './twiml.ts';

/** Bytes of an answer that are read; a longer document is refused (11750). Source: Twilio's limit for TwiML. */
export const maxTwimlBytes = 65_536;

/** Replies that one document may ask for, so that one text does not become thousands. What is over is left out (14107). */
const maxReplies = 10;

export const nothing: SmsUrlOutcome = { replies: [], next: null, errorCode: null };

const twimlTypes: readonly (string | null)[] = ['text/xml', 'application/xml', 'text/html'];

export async function readAnswer(
  deps: SmsUrlDeps,
  conversation: Conversation,
  answer: EndpointAnswer,
): Promise<SmsUrlOutcome> {
  const errorCode = answerFault(answer);
  if (errorCode !== null) return { ...nothing, errorCode, next: fallbackOf(conversation, errorCode) };
  const head = answer.head ?? '';
  if (head.trim() === '') return nothing;
  if (answer.contentType === 'text/plain')
    return execute(deps, conversation, [{ ...emptyMessage, body: head.trim() }]);
  const verbs = twimlTypes.includes(answer.contentType) ? parseTwiml(head) : undefined;
  if (verbs) return execute(deps, conversation, verbs);
  const fault = verbs === undefined ? 12300 : 12100;
  return { ...nothing, errorCode: fault, next: fallbackOf(conversation, fault) };
}

function answerFault(answer: EndpointAnswer): number | null {
  if (answer.httpStatus !== null && !answer.ok && answer.error === null) return 11200;
  if (answer.error !== null) return answer.httpStatus === null ? 11205 : 11200;
  return Buffer.byteLength(answer.head ?? '') >= maxTwimlBytes ? 11750 : null;
}

/** The number's fallback is asked once a text, wherever its answer leads, and told what was wrong where. */
function fallbackOf({ context: { number }, call }: Conversation, errorCode: number): SmsUrlCall | null {
  if (number?.smsFallbackUrl == null || askedFallback(call)) return null;
  return {
    url: number.smsFallbackUrl,
    method: number.smsFallbackMethod === 'GET' ? 'GET' : 'POST',
    parameters: { ErrorCode: String(errorCode), ErrorUrl: call.url },
    fallbackUsed: true,
  };
}

/** A call from the history of a workflow that began before `fallbackUsed` was there tells it by its ErrorUrl. */
function askedFallback({ fallbackUsed, parameters }: SmsUrlCall): boolean {
  return fallbackUsed ?? 'ErrorUrl' in parameters;
}

const emptyMessage: MessageVerb = {
  verb: 'Message',
  to: null,
  from: null,
  body: '',
  mediaUrls: [],
  statusCallback: null,
  action: null,
  method: null,
};

/** Goes through the verbs in order; a Redirect or a Message with an action ends the document. */
async function execute(
  deps: SmsUrlDeps,
  conversation: Conversation,
  verbs: readonly Verb[],
): Promise<SmsUrlOutcome> {
  const replies: OutgoingMessage[] = [];
  let errorCode: number | null = null;
  let asked = 0;
  for (const [place, verb] of verbs.entries()) {
    if (verb.verb === 'unknown') {
      errorCode = 12200;
      continue;
    }
    if (verb.verb === 'Redirect')
      return { replies, errorCode, ...leadTo(verb.url, verb.method, conversation) };
    const reply = toReply(conversation, verb, place);
    // Refused ones count: each is looked up in the database.
    const full = (asked += 1) > maxReplies;
    const fault = full ? 14107 : typeof reply === 'number' ? reply : await replyFault(deps, reply);
    if (fault === null && typeof reply !== 'number') replies.push(reply);
    else errorCode = fault;
    if (verb.action === null) continue;
    const status =
      fault === null ? { MessageStatus: 'queued' } : { MessageStatus: 'invalid', ErrorCode: String(fault) };
    const sid = typeof reply === 'number' ? {} : { MessageSid: reply.sid };
    return { replies, errorCode, ...leadTo(verb.action, verb.method, conversation, { ...sid, ...status }) };
  }
  return { replies, errorCode, next: null };
}

/** The next request; an address that is none ends the conversation, and so does one more than a text may cause. */
function leadTo(
  target: string,
  method: string | null,
  { call, step }: Conversation,
  parameters: Readonly<Record<string, string>> = {},
): { readonly next: SmsUrlCall | null; readonly errorCode?: number } {
  const url = absolute(target, call.url);
  if (url === null) return { next: null, errorCode: 11200 };
  if (step >= maxSmsUrlRequests) return { next: null, errorCode: 14107 };
  const next: SmsUrlCall = {
    url,
    method: method?.toUpperCase() === 'GET' ? 'GET' : 'POST',
    parameters,
    ...(askedFallback(call) ? { fallbackUsed: true } : {}),
  };
  return { next };
}

/** An address of the document as it is called; `null` where it is none that may be. */
function absolute(url: string, base: string): string | null {
  const href = URL.canParse(url, base) ? new URL(url, base).href : '';
  return isHttpUrl(href) ? href : null;
}

/** The message a verb stands for, or the code of what is wrong with it. */
function toReply(
  { context: { message }, call, step }: Conversation,
  verb: MessageVerb,
  place: number,
): OutgoingMessage | number {
  const to = partyOf(verb.to ?? message.contact);
  const from = partyOf(verb.from ?? message.line);
  const mediaUrls = verb.mediaUrls.map((url) => absolute(url, call.url) ?? '');
  if (!isRecipient(to) || to === from) return 14101;
  if (verb.body === '' && mediaUrls.length === 0) return 14103;
  if (
    Array.from(verb.body).length > maxBodyLength ||
    mediaUrls.length > maxMediaUrls ||
    mediaUrls.includes('')
  )
    return 14103;
  const kind = mediaUrls.length > 0 ? 'messageWithMedia' : 'message';
  return {
    sid: derivedSid(kind, message.sid, 'reply', String(step), String(place)),
    accountSid: message.accountSid,
    direction: 'outbound-reply',
    from,
    to,
    body: verb.body,
    mediaUrls,
    statusCallback: verb.statusCallback === null ? null : absolute(verb.statusCallback, call.url),
    sendAt: null,
    validityPeriodSeconds: null,
    inReplyTo: message.sid,
  };
}

/** What speaks against sending it now; the message's own workflow looks again. */
async function replyFault({ db }: SmsUrlDeps, reply: OutgoingMessage): Promise<number | null> {
  const number = await findNumberInUse(db, reply.from);
  if (number?.accountSid !== reply.accountSid) return 14108;
  return (await isOptedOut(db, reply.from, reply.to)) ? 21610 : null;
}
