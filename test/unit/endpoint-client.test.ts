/** What endpoints do to us, over real sockets, and what is made of it (service.md §7 rules 1 and 2; issue 4). */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEndpointClient, retryAfterOf, type EndpointAnswer } from '../../gateways/endpoint.ts';
import { createEndpointGuard } from '../../gateways/endpoint-guard.ts';
import type { Resolve } from '../../gateways/endpoint-names.ts';
import { answer, startSink, type Behaviour, type Sink } from '../support/sink.ts';

/** Out of reach of a machine that stalls, for what is not about lateness. */
const patientMs = 30_000;
/** For endpoints that never get done. The code has one clock for all of it, so any limit shows it. */
const brief = { ms: 600, words: '600 ms' };
/** Long enough for what drips to arrive before. */
const dripping = { ms: 3_000, words: '3 s' };
const headBytes = 1_024;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function sink(behave: Behaviour, options: { tls?: boolean } = {}): Promise<Sink> {
  const started = await startSink(behave, options);
  closers.push(started.close);
  return started;
}

async function rawServer(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Writes a piece again and again until the socket is gone; answers how often so far. */
function drip(socket: Socket, piece: string): () => number {
  let pieces = 0;
  const timer = setInterval(() => {
    socket.write(piece);
    pieces += 1;
  }, 50);
  socket.on('close', () => clearInterval(timer));
  return () => pieces;
}

function client(options: { allowPrivate?: boolean; resolve?: Resolve; timeoutMs?: number } = {}) {
  const { allowPrivate = true, resolve, timeoutMs = patientMs } = options;
  const guard = createEndpointGuard({ allowPrivate, ...(resolve ? { resolve } : {}) });
  const made = createEndpointClient({ guard, timeoutMs, headBytes });
  closers.push(made.close);
  return made;
}

const post = (url: string, on = client()): Promise<EndpointAnswer> =>
  on.send({ method: 'POST', url, headers: { 'content-type': 'application/json' }, body: '{"a":1}' });

describe('an answer', () => {
  it.each([200, 201, 204, 299])('of %i is a success', async (status) => {
    const { url } = await sink(answer(status));
    expect(await post(url)).toMatchObject({ ok: true, httpStatus: status, error: null });
  });

  it.each([400, 401, 404, 410, 429, 500, 502, 503])('of %i is a failure with its status', async (status) => {
    const { url } = await sink(answer(status, {}, 'no'));
    expect(await post(url)).toMatchObject({ ok: false, httpStatus: status, error: null, head: 'no' });
  });

  it.each([301, 302, 307, 308])('of %i is a failure, and nobody goes where it points', async (status) => {
    const other = await sink(answer(200));
    const { url } = await sink(answer(status, { location: other.url }));
    expect(await post(url)).toMatchObject({
      ok: false,
      httpStatus: status,
      error: 'redirects are not followed',
    });
    expect(other.seen).toEqual([]);
  });

  it('with Retry-After hands it on', async () => {
    const { url } = await sink(answer(429, { 'retry-after': '120' }));
    const before = Date.now();
    const { httpStatus, retryAfter } = await post(url);
    expect(httpStatus).toBe(429);
    expect(retryAfter?.getTime()).toBeGreaterThan(before + 119_000);
  });

  it('is kept only by its first bytes, and counts by its status, however large it is', async () => {
    let sent = 0;
    const { url } = await sink((response) => {
      response.writeHead(200);
      const more = (): void => {
        for (let i = 0; i < 16 && !response.destroyed; i++) {
          sent += 65_536;
          if (!response.write('x'.repeat(65_536))) break;
        }
      };
      response.on('drain', more);
      more();
    });
    const result = await post(url);
    expect(result).toMatchObject({ ok: true, httpStatus: 200 });
    expect(result.head).toHaveLength(headBytes);
    expect(sent).toBeLessThan(20_000_000);
  });

  it('with a NUL character can be stored', async () => {
    const { url } = await sink(answer(500, {}, 'a\u0000b'));
    expect((await post(url)).head).toBe('a\uFFFDb');
  });
});

describe('no complete answer in time is a failure', () => {
  async function lateAnswer(
    { ms, words }: typeof brief,
    onSocket: (socket: Socket) => void,
  ): Promise<EndpointAnswer> {
    const result = await post(await rawServer(onSocket), client({ timeoutMs: ms }));
    expect(result).toMatchObject({ ok: false, error: `no complete answer within ${words}` });
    // A timer may fire a little early.
    expect(result.durationMs).toBeGreaterThanOrEqual(ms - 20);
    return result;
  }

  it('when the endpoint says nothing', async () => {
    expect(await lateAnswer(brief, () => {})).toMatchObject({ httpStatus: null });
  });

  it('when its headers drip', async () => {
    let pieces = (): number => 0;
    const result = await lateAnswer(dripping, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      pieces = drip(socket, 'x-slow: 1\r\n');
    });
    expect(result).toMatchObject({ httpStatus: null });
    expect(pieces()).toBeGreaterThan(1);
  });

  it('when its body drips, although the status was 200', async () => {
    let pieces = (): number => 0;
    const result = await lateAnswer(dripping, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      pieces = drip(socket, '.');
    });
    expect(result).toMatchObject({ httpStatus: 200 });
    expect(pieces()).toBeGreaterThan(1);
  });
});

describe('a connection that fails is a failure in our own words', () => {
  it('reset', async () => {
    const url = await rawServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await post(url)).toMatchObject({
      ok: false,
      httpStatus: null,
      error: 'connection closed before the answer was complete',
    });
  });

  it('closed in the middle of the body', async () => {
    const url = await rawServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')),
    );
    expect(await post(url)).toMatchObject({
      ok: false,
      httpStatus: 200,
      error: 'connection closed before the answer was complete',
    });
  });

  it('reset in the middle of a body that tells no length', async () => {
    const url = await rawServer((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhalf');
        setTimeout(() => socket.resetAndDestroy(), 20);
      }),
    );
    expect(await post(url)).toMatchObject({
      ok: false,
      httpStatus: 200,
      error: 'connection closed before the answer was complete',
    });
  });

  it('and none where a body that tells no length ends with its connection', async () => {
    const url = await rawServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nall of it')),
    );
    expect(await post(url)).toMatchObject({ ok: true, httpStatus: 200, head: 'all of it', error: null });
  });

  it('refused', async () => {
    const { url, close } = await startSink(answer(200));
    await close();
    expect(await post(url)).toMatchObject({ ok: false, error: 'connection refused' });
  });

  it('not HTTP', async () => {
    const url = await rawServer((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')));
    expect(await post(url)).toMatchObject({ ok: false, error: 'the answer is not valid HTTP' });
  });

  it('headers without end', async () => {
    const url = await rawServer((socket) =>
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(10_000)}`)),
    );
    expect(await post(url)).toMatchObject({ ok: false, error: "the answer's headers are too large" });
  });

  it('a certificate that nobody vouches for', async () => {
    const { url } = await sink(answer(200), { tls: true });
    expect(await post(url)).toMatchObject({ ok: false, error: 'TLS: the certificate is self-signed' });
  });

  it('TLS spoken to a plain server', async () => {
    const { port } = await sink(answer(200));
    expect(await post(`https://127.0.0.1:${port}`)).toMatchObject({
      ok: false,
      error: 'TLS: no secure connection could be agreed',
    });
  });

  it('a name that does not resolve', async () => {
    const resolve: Resolve = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    const result = await post('http://nowhere.example/', client({ resolve }));
    expect(result).toMatchObject({ ok: false, error: 'the name does not resolve' });
  });

  it('a name server that hangs', async () => {
    const resolve: Resolve = () => new Promise(() => {});
    const result = await post('http://slow.example/', client({ resolve, timeoutMs: brief.ms }));
    expect(result).toMatchObject({ ok: false, error: `no complete answer within ${brief.words}` });
  });
});

describe('an address that is not public gets no request', () => {
  it.each([
    (port: number) => `http://127.0.0.1:${port}/`,
    (port: number) => `http://2130706433:${port}/`,
    (port: number) => `http://0x7f.1:${port}/`,
    (port: number) => `http://[::ffff:127.0.0.1]:${port}/`,
    (port: number) => `http://localhost:${port}/`,
  ])('%s', async (urlOf) => {
    const { port, connections } = await sink(answer(200));
    const result = await post(urlOf(port), client({ allowPrivate: false }));
    expect(result.ok).toBe(false);
    expect(result.error).toMatch(/^not called: .*not public/);
    expect(connections()).toBe(0);
  });

  it('when the name is public as it is saved and private as it is called (rebinding)', async () => {
    const { port, connections } = await sink(answer(200));
    let asked = 0;
    const resolve: Resolve = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }];
    };
    const guard = createEndpointGuard({ allowPrivate: false, resolve });
    const url = `http://rebind.example:${port}/`;
    expect(await guard.checkUrl(url)).toBeNull();
    const made = createEndpointClient({ guard, timeoutMs: patientMs, headBytes });
    closers.push(made.close);
    const result = await post(url, made);
    expect(result.error).toBe('not called: the name stands for an address that is not public (loopback)');
    expect(connections()).toBe(0);
    expect(asked).toBe(2);
  });

  it('when only one of several addresses of the name is private', async () => {
    const { port, connections } = await sink(answer(200));
    const resolve: Resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const result = await post(`http://mixed.example:${port}/`, client({ allowPrivate: false, resolve }));
    expect(result.error).toMatch(/not public \(loopback\)/);
    expect(connections()).toBe(0);
  });
});

describe('the connection', () => {
  it('goes to the very address that was checked, with the name as Host', async () => {
    const { port, seen } = await sink(answer(200));
    let asked = 0;
    const resolve: Resolve = async () => {
      asked += 1;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    expect(await post(`http://customer.example:${port}/hook`, client({ resolve }))).toMatchObject({
      ok: true,
    });
    expect(asked).toBe(1);
    expect(seen).toMatchObject([
      { method: 'POST', path: '/hook', headers: { host: `customer.example:${port}` } },
    ]);
    expect(seen[0]?.headers['content-length']).toBe('7');
  });

  it('is kept for the next request', async () => {
    const { url, connections } = await sink(answer(200));
    const on = client();
    for (let i = 0; i < 5; i++) await post(url, on);
    // The second request may be out before the first connection is free again.
    expect(connections()).toBeLessThanOrEqual(2);
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  it.each([
    [null, undefined],
    ['120', '2026-03-01T12:02:00.000Z'],
    ['0', '2026-03-01T12:00:00.000Z'],
    ['Sun, 01 Mar 2026 12:05:00 GMT', '2026-03-01T12:05:00.000Z'],
    ['Sun, 01 Mar 2026 11:00:00 GMT', '2026-03-01T12:00:00.000Z'],
    ['-100000-01-01T00:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['99999999999999999999', '2027-03-02T12:00:00.000Z'],
    ['Tue, 01 Jan 99999 00:00:00 GMT', '2027-03-02T12:00:00.000Z'],
    ['soon', undefined],
  ])('%s: until %s', (header, moment) => expect(retryAfterOf(header, now)?.toISOString()).toBe(moment));

  it('in the form without a zone is GMT, wherever the service runs', () => {
    vi.stubEnv('TZ', 'America/New_York');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(new Date('2026-03-01T12:00:00').getUTCHours()).toBe(17);
    expect(retryAfterOf('Sun Mar  1 12:05:00 2026', now)?.toISOString()).toBe('2026-03-01T12:05:00.000Z');
  });
});
