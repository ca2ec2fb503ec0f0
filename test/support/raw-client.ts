/** Plain HTTP requests to the service, for what the official client never sends. */
import type { Service } from './service.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or the text where it is none. */
  readonly body: Readonly<Record<string, unknown>> & { readonly code?: number };
}

export interface RawRequest {
  /** A stream is sent in chunks, without its length. */
  readonly form?: Readonly<Record<string, string>> | string | FormData | ReadableStream;
  readonly headers?: Readonly<Record<string, string>>;
  /** User and password of Basic authentication; `null` for none. Default: the first account. */
  readonly as?: readonly [user: string, password: string] | null;
}

export type RawClient = (method: string, path: string, request?: RawRequest) => Promise<RawAnswer>;

export function rawClient(service: Pick<Service, 'url' | 'credentials'>): RawClient {
  const { accountSid, authToken } = service.credentials;
  return async (method, path, { form, headers = {}, as = [accountSid, authToken] } = {}) => {
    const streamed = form instanceof ReadableStream;
    const asIs = streamed || form instanceof FormData || typeof form !== 'object';
    const body = asIs ? form : new URLSearchParams(form);
    const urlencoded =
      streamed || typeof body === 'string' ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {};
    const authorization = as === null ? {} : { Authorization: `Basic ${btoa(as.join(':'))}` };
    const response = await fetch(service.url + path, {
      method,
      headers: { ...urlencoded, ...authorization, ...headers },
      ...(body === undefined ? {} : { body }),
      ...(streamed ? { duplex: 'half' } : {}),
    });
    return { status: response.status, headers: response.headers, body: bodyOf(await response.text()) };
  };
}

function bodyOf(text: string): RawAnswer['body'] {
  try {
    return JSON.parse(text) as RawAnswer['body'];
  } catch {
    return { text };
  }
}
