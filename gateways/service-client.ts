/** The HTTP client for the services we depend on: one request, a short JSON answer, a hard time limit. */
import { request, type Dispatcher } from 'undici';
import { errorInWords } from './endpoint-errors.ts';
import { heldTimeout } from './held-timeout.ts';

/** Time a service has to answer completely. Milliseconds. Source: decision 0009. */
const serviceTimeoutMs = 10_000;
/** Bytes of an answer that are read; a longer one is refused. */
const answerLimitBytes = 65_536;

/** Trouble that may pass: no answer, or one that asks to try again. The message is our own, without customer data. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
}

interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the service's address, with its leading slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A form, or an object that is sent as JSON. */
  readonly body?: URLSearchParams | Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
}

export interface ServiceAnswer {
  readonly status: number;
  /** The JSON body; `null` where there is none. */
  readonly body: unknown;
}

export interface ServiceClient {
  /** Any answer at all is a value. Throws GatewayError when there is none. */
  call(request: ServiceRequest): Promise<ServiceAnswer>;
}

export interface ServiceClientOptions {
  /** Subject of every message, such as "The registry". */
  readonly name: string;
  readonly url: string;
  readonly authorization: string;
}

export function createServiceClient({ name, url, authorization }: ServiceClientOptions): ServiceClient {
  const base = url.replace(/\/+$/, '');
  return {
    async call({ method, path, headers, body, signal }) {
      const deadline = heldTimeout(serviceTimeoutMs);
      try {
        const answer = await request(base + path, {
          method,
          headers: { authorization, accept: 'application/json', ...contentType(body), ...headers },
          body: body === undefined ? null : encode(body),
          signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        });
        return { status: answer.statusCode, body: parse(await readBody(answer.body)) };
      } catch (err) {
        const why = signal?.aborted
          ? 'it was not waited for any longer'
          : errorInWords(err, serviceTimeoutMs);
        throw new GatewayError(`${name} gave no answer: ${why}`);
      }
    },
  };
}

export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Answers that say "not now": too many requests, a fault on their side, or credentials that an operator can mend. */
export function isPassing(status: number): boolean {
  return status >= 500 || [401, 403, 408, 425, 429].includes(status);
}

const encode = (body: NonNullable<ServiceRequest['body']>): string =>
  body instanceof URLSearchParams ? body.toString() : JSON.stringify(body);

function contentType(body: ServiceRequest['body']): Record<string, string> {
  if (body === undefined) return {};
  const form = body instanceof URLSearchParams;
  return { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' };
}

async function readBody(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > answerLimitBytes) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A body that is no JSON counts as none: the status still says what there is to say. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
