/** A customer's endpoint on a real socket, which does what a test tells it to. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { selfSigned } from './self-signed.ts';

export interface SeenRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Sink {
  /** Origin without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly seen: readonly SeenRequest[];
  /** Connections that were made. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

export type Behaviour = (response: ServerResponse, request: SeenRequest) => void | Promise<void>;

/** Answers with this status, and the headers given. */
export const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

export async function startSink(
  behave: Behaviour,
  options: { readonly tls?: boolean; readonly host?: string } = {},
): Promise<Sink> {
  const seen: SeenRequest[] = [];
  const listener: RequestListener = (request, response) => {
    void readRequest(request).then((read) => {
      seen.push(read);
      return behave(response, read);
    });
  };
  const server = options.tls ? createTlsServer(selfSigned, listener) : createServer(listener);
  let connections = 0;
  server.on('connection', (_socket: Socket) => (connections += 1));
  const host = options.host ?? '127.0.0.1';
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.tls ? 'https' : 'http'}://${host}:${port}`,
    port,
    seen,
    connections: () => connections,
    close: () => closeServer(server),
  };
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const at = Date.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  const { method = '', url = '', headers } = request;
  return { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8'), at };
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
