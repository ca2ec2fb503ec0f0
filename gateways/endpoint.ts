/** The HTTP client that calls customers' endpoints: one request, no redirect, a short answer, a hard time limit. */
import { Agent, buildConnector, request, type Dispatcher } from 'undici';
import { isSuccess } from '../domain/delivery.ts';
import { errorInWords } from './endpoint-errors.ts';
import type { EndpointGuard } from './endpoint-guard.ts';

export interface EndpointRequest {
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for GET. */
  readonly body: string | null;
}

/** How one request came out. Never an exception: whatever an endpoint does is an outcome. */
export interface EndpointAnswer {
  /** A status in the 200 range and an answer that was complete in time, or as long as is read. */
  readonly ok: boolean;
  readonly httpStatus: number | null;
  /** Why there was no proper answer, in our own words. */
  readonly error: string | null;
  /** Until when the answer asks to be left alone; `null` when it asks for nothing. */
  readonly retryAfter: Date | null;
  /** The media type of the answer, in lower case and without parameters. */
  readonly contentType: string | null;
  /** First bytes of the body, as text. */
  readonly head: string | null;
  readonly durationMs: number;
}

export interface EndpointClient {
  send(request: EndpointRequest): Promise<EndpointAnswer>;
  readonly close: () => Promise<void>;
}

export interface EndpointClientOptions {
  readonly guard: EndpointGuard;
  /** Time for name, connection, TLS, headers and body together. Milliseconds. */
  readonly timeoutMs: number;
  /** Bytes of a body that are read; what comes after them does not matter. */
  readonly headBytes: number;
}

/** One client per process: connections are kept and shared, as many per origin as are needed. */
export function createEndpointClient({ guard, timeoutMs, headBytes }: EndpointClientOptions): EndpointClient {
  const agent = new Agent({
    connect: connectorOf(guard, timeoutMs),
    // The signal below is the only clock; undici's own are coarse and start anew with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4_000,
    maxHeaderSize: 16_384,
  });

  return {
    send: async (outgoing) => {
      const started = performance.now();
      const answer = await exchange(agent, guard, outgoing, { timeoutMs, headBytes });
      return { ...answer, durationMs: Math.round(performance.now() - started) };
    },
    close: () => agent.destroy(),
  };
}

/**
 * undici takes a reset for the end of an answer that tells neither its length nor its chunks: what breaks off would count
 * as complete. Under another code it is the error that it is.
 */
function connectorOf({ lookup }: EndpointGuard, timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ lookup, timeout: timeoutMs });
  return (options, callback) =>
    connect(options, (...outcome) => {
      const [, socket] = outcome;
      socket?.prependListener('error', (err: NodeJS.ErrnoException) => {
        if (err.code === 'ECONNRESET') err.code = 'EPIPE';
      });
      callback(...outcome);
    });
}

type Exchange = Omit<EndpointAnswer, 'durationMs'>;
const nothing: Exchange = {
  ok: false,
  httpStatus: null,
  error: null,
  retryAfter: null,
  contentType: null,
  head: null,
};

/** No delivery lives that long. */
const longestRetryAfterMs = 366 * 24 * 60 * 60 * 1_000;

async function exchange(
  agent: Agent,
  guard: EndpointGuard,
  outgoing: EndpointRequest,
  limits: { readonly timeoutMs: number; readonly headBytes: number },
): Promise<Exchange> {
  const fault = guard.urlFault(outgoing.url);
  if (fault !== null) return { ...nothing, error: `not called: ${fault}` };
  const signal = AbortSignal.timeout(limits.timeoutMs);
  let seen = nothing;
  try {
    const response = await request(outgoing.url, {
      dispatcher: agent,
      method: outgoing.method,
      headers: outgoing.headers,
      body: outgoing.body,
      signal,
    });
    seen = {
      ...nothing,
      httpStatus: response.statusCode,
      retryAfter: retryAfterOf(headerOf(response, 'retry-after'), new Date()),
      contentType: mediaTypeOf(response),
    };
    const head = await readHead(response.body, limits.headBytes);
    return { ...seen, ok: isSuccess(response.statusCode), head, error: redirectFault(response) };
  } catch (err) {
    return { ...seen, error: errorInWords(err, limits.timeoutMs) };
  }
}

/** Reads at most so many bytes and lets the rest go. Rejects when the answer breaks off before. */
async function readHead(body: Dispatcher.ResponseData['body'], limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk as Uint8Array);
    chunks.push(bytes);
    length += bytes.length;
    if (length >= limit) break;
  }
  // A NUL is valid in HTTP and not in a text column.
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8').replaceAll('\u0000', '\uFFFD');
}

function redirectFault({ statusCode }: Dispatcher.ResponseData): string | null {
  return statusCode >= 300 && statusCode < 400 ? 'redirects are not followed' : null;
}

function mediaTypeOf(response: Dispatcher.ResponseData): string | null {
  return headerOf(response, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? null;
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** What a Retry-After header asks for, in seconds or as a date; `null` when it says nothing that can be read. */
export function retryAfterOf(header: string | null, now: Date): Date | null {
  if (header === null) return null;
  const at = /^\s*\d+\s*$/.test(header) ? now.getTime() + Number(header) * 1_000 : httpDate(header);
  if (Number.isNaN(at)) return null;
  // A moment that is over asks for nothing more; one far from now is more than a database takes.
  return new Date(Math.min(Math.max(at, now.getTime()), now.getTime() + longestRetryAfterMs));
}

/** The oldest of HTTP's three forms names no zone and is GMT as the others are. Source: RFC 9110 §5.6.7. */
function httpDate(text: string): number {
  return Date.parse(/^\s*[a-z]{3} [a-z]{3} [ \d]\d [\d:]{8} \d{4}\s*$/i.test(text) ? `${text} GMT` : text);
}
