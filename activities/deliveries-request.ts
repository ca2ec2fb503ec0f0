/**
 * What goes out for a delivery: a JSON event in the form of Standard Webhooks, or a callback in Twilio's form.
 * Source: service.md §6.1, domain.md §2.4 and §6.3, standard-webhooks `spec/standard-webhooks.md`.
 */
import type { DeliveryToAttempt } from '../db/reads/deliveries.ts';
import { callbackEndpoint } from '../db/writes/events.ts';
import {
  eventContentType,
  userAgent,
  type eventHeaders,
  type HeadersOf,
} from '../domain/delivery-headers.ts';
import type { EndpointRequest } from '../gateways/endpoint.ts';
import type { Vault } from '../security/vault.ts';
import { webhookHeaders } from '../security/webhook-signature.ts';
import { permanentFailure } from './failures.ts';
import { signedFormRequest } from './signed-form-request.ts';

export interface DeliveryRequest extends EndpointRequest {
  /** What is kept of the URL with the attempt: without the event's fields, which are to be forgotten with the event. */
  readonly address: string;
}

interface Attempt {
  readonly at: Date;
  readonly attemptNumber: number;
  readonly vault: Vault;
}

type Subscription = NonNullable<DeliveryToAttempt['subscription']>;

/** Whose limits count. */
export function endpointKeyOf(target: DeliveryToAttempt): string {
  if (target.subscription) return target.subscription.sid;
  return callbackEndpoint(target.delivery.accountSid, callbackOf(target).url).endpointKey;
}

export function buildRequest(target: DeliveryToAttempt, attempt: Attempt): DeliveryRequest {
  return target.subscription
    ? eventRequest(target, target.subscription, attempt)
    : callbackRequest(target, attempt);
}

/**
 * `{url}/{event}`, the exact text of the event as body. For GET, which has no body, the fields of the event are in the
 * query, and the signature covers that query instead.
 */
function eventRequest(
  { delivery, event }: DeliveryToAttempt,
  subscription: Subscription,
  { at, attemptNumber, vault }: Attempt,
): DeliveryRequest {
  const { method, headers } = subscription;
  const url = new URL(subscription.url);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${delivery.kind}`;
  const address = url.toString();
  const inQuery = method === 'GET' ? queryOf(event.payload) : null;
  for (const [name, value] of inQuery ?? []) url.searchParams.append(name, value);
  const body = inQuery ? url.searchParams.toString() : event.payload;
  const ours: HeadersOf<typeof eventHeaders> = {
    'user-agent': userAgent,
    ...(inQuery ? {} : { 'content-type': eventContentType }),
    // The event's sid, so that a repeated or replayed event is known again; the delivery's tells replays apart.
    ...webhookHeaders({ id: event.sid, at, body, secrets: secretsOf(subscription, at, vault) }),
    'webhook-delivery': delivery.sid,
    'webhook-attempt': String(attemptNumber),
    ...(delivery.lineSequence === null ? {} : { 'webhook-line-sequence': String(delivery.lineSequence) }),
  };
  return {
    address,
    method,
    url: url.toString(),
    body: inQuery ? null : body,
    // The customer's own come first: none of ours can be overridden. Stored in lower case.
    headers: { ...headers, ...ours },
  };
}

/** The present secret, and those before it while their rotation lasts. */
function secretsOf(subscription: Subscription, at: Date, vault: Vault): string[] {
  const { secretSealed, previousSecrets } = subscription;
  const previous = previousSecrets.filter(({ until }) => Date.parse(until) > at.getTime());
  return [secretSealed, ...previous.map(({ sealed }) => sealed)].map((sealed) => vault.open(sealed));
}

function queryOf(payload: string): [string, string][] {
  const fields: unknown = JSON.parse(payload);
  return Object.entries(Object(fields) as Record<string, unknown>).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}

function callbackRequest(target: DeliveryToAttempt, { vault }: Attempt): DeliveryRequest {
  const { delivery, event } = target;
  const { url, authTokenSealed } = callbackOf(target);
  const address = new URL(url);
  address.hash = '';
  const request = signedFormRequest({
    authToken: vault.open(authTokenSealed),
    url,
    method: delivery.method,
    form: event.payload,
    headers: { 'i-twilio-idempotency-token': delivery.sid },
  });
  return { ...request, address: address.href };
}

function callbackOf({ delivery, authTokenSealed }: DeliveryToAttempt) {
  const { url } = delivery;
  if (url === null || authTokenSealed === null)
    throw permanentFailure('The callback has no address or no account', 'CallbackIncomplete');
  return { url, authTokenSealed };
}
