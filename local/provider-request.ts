/** Requests a telephone provider makes to its customer: forms, signed with X-Twilio-Signature. */
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

export interface SignedRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly parameters: Readonly<Record<string, string>>;
}

export interface ProviderClient {
  /** The answer's body. Rejects after the last of `tries`, or when `signal` is aborted. */
  send(
    request: SignedRequest,
    how: { readonly tries: number; readonly signal?: AbortSignal },
  ): Promise<string>;
}

/** Time a customer has to answer. Milliseconds. Source: Twilio's limit for voice webhooks. */
const timeoutMs = 15_000;
const firstPauseMs = 250;

/** `authToken` is the account's at the provider: it signs. */
export function createProviderClient(authToken: string): ProviderClient {
  return {
    async send(request, { tries, signal }) {
      for (let count = 1; ; count++) {
        try {
          return await sendOnce(request, authToken, signal);
        } catch (err) {
          signal?.throwIfAborted();
          if (count >= tries || err instanceof RefusedError) throw err;
          await pause(firstPauseMs * 2 ** (count - 1), undefined, signal ? { signal } : {});
        }
      }
    },
  };
}

/** An answer that will not change when it is asked for again. */
class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

async function sendOnce(request: SignedRequest, authToken: string, signal?: AbortSignal): Promise<string> {
  const { method, parameters } = request;
  const form = new URLSearchParams(parameters);
  const url = method === 'POST' ? request.url : withQuery(request.url, form);
  const signature = sign(authToken, url, method === 'POST' ? parameters : {});
  const deadline = AbortSignal.timeout(timeoutMs);
  // A listener holds it: the collector takes a part of `AbortSignal.any` that has none (Node's issue 57736).
  deadline.addEventListener('abort', () => {}, { once: true });
  const answer = await fetch(url, {
    method,
    headers: { 'x-twilio-signature': signature, 'user-agent': 'TwilioProxy/1.1 (local stand-in)' },
    body: method === 'POST' ? form : null,
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  });
  const body = await answer.text();
  if (answer.ok) return body;
  const words = `${new URL(url).pathname} answered with status ${answer.status}`;
  throw answer.status < 500 && answer.status !== 429 ? new RefusedError(words) : new Error(words);
}

/** Base64 HMAC-SHA1 over the address and the sorted parameters. Source: Twilio, "Validating requests". */
export function sign(authToken: string, url: string, parameters: Readonly<Record<string, string>>): string {
  const sorted = Object.keys(parameters).sort();
  const signed = url + sorted.map((name) => name + parameters[name]).join('');
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64');
}

function withQuery(url: string, form: URLSearchParams): string {
  const target = new URL(url);
  for (const [name, value] of form) target.searchParams.append(name, value);
  return target.href;
}
