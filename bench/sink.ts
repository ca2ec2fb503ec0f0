/** Customers' endpoints: what arrived, when and how often. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Arrival {
  /** Of the first request. `performance.now()` */
  readonly at: number;
  /** Requests that brought it. */
  count: number;
  /** `webhook-id` of each; one where all is well. */
  readonly ids: Set<string>;
}

export interface Sink {
  /** Endpoint that answers 200 at once. */
  readonly url: string;
  /** Endpoint that takes requests and never answers. */
  readonly hangingUrl: string;
  /** By the token in the text; see `textWith`. */
  readonly arrivals: ReadonlyMap<string, Arrival>;
  /** Requests, repeated ones included. */
  readonly requests: () => number;
  readonly hanging: () => number;
  close(): Promise<void>;
}

/** A text that the sink knows again, as long as real ones often are. */
export const textWith = (token: string): string =>
  `bench ${token}: your parcel is on its way and arrives tomorrow between nine and eleven. Reply STATUS for news of it.`;

export async function startSink(): Promise<Sink> {
  const arrivals = new Map<string, Arrival>();
  const held = new Set<ServerResponse>();
  let requests = 0;
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/hang')) {
      held.add(response);
      response.once('close', () => held.delete(response));
      request.resume();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(200).end();
      requests += 1;
      note(arrivals, Buffer.concat(chunks).toString('utf8'), String(request.headers['webhook-id']));
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/ok`,
    hangingUrl: `http://127.0.0.1:${port}/hang`,
    arrivals,
    requests: () => requests,
    hanging: () => held.size,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function note(arrivals: Map<string, Arrival>, body: string, id: string): void {
  const token = /bench ([\w-]+):/.exec(body)?.[1];
  if (token === undefined) return;
  const arrival = arrivals.get(token) ?? { at: performance.now(), count: 0, ids: new Set<string>() };
  arrival.count += 1;
  arrival.ids.add(id);
  arrivals.set(token, arrival);
}
