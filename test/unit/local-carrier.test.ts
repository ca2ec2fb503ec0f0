import { mkdtemp } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpCarrier } from '../../gateways/carrier-http.ts';
import { type Carrier, createCarrier } from '../../local/carrier.ts';
import { connectGateway, textToSend } from '../support/smpp.ts';
import { until } from '../support/until.ts';

const hosted = '+14155550100';
const handset = '+14155550199';
const routeTestNumber = '+15005550009';
const token = 'token';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  while (open.length > 0) await open.pop()?.();
});

/** What the carrier brought to the service, and what the service answers. */
interface Service {
  readonly url: string;
  readonly texts: Record<string, unknown>[];
  readonly receipts: Record<string, unknown>[];
  status: number;
}

async function startService(): Promise<Service> {
  const service: Service = { url: '', texts: [], receipts: [], status: 200 };
  const app = new Hono();
  const keep = (into: Record<string, unknown>[]) =>
    app.post(into === service.texts ? '/carrier/messages' : '/carrier/receipts', async (ctx) => {
      const authorization = ctx.req.header('authorization');
      into.push({ ...(await ctx.req.parseBody()), authorization });
      return ctx.body(null, service.status as 200);
    });
  keep(service.texts);
  keep(service.receipts);
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  open.push(() => new Promise((resolve) => server.close(resolve)));
  return Object.assign(service, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

async function startCarrier(publicUrl: string, dataDir?: string) {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'carrier-')));
  const options = { publicUrl, carrierToken: token, systemId: 'tester', routeTestNumber, smppPort: 0 };
  const carrier = createCarrier({ ...options, dataDir: folder });
  const port = await carrier.start();
  let running = true;
  const stop = async (): Promise<void> => {
    if (running) await carrier.stop();
    running = false;
  };
  open.push(stop);
  return { carrier, stop, dataDir: folder, smppUrl: `smpp://127.0.0.1:${port}` };
}

const form = (fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
  headers,
});
const submit = (carrier: Carrier, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  carrier.app.request('/2010-04-01/Accounts/tester/Messages.json', {
    ...form(
      { From: hosted, To: handset, Body: 'hello', ...fields },
      {
        authorization: `Basic ${Buffer.from(`tester:${token}`).toString('base64')}`,
        ...headers,
      },
    ),
  });
const send = (carrier: Carrier, body: string) =>
  carrier.app.request('/messages', form({ From: handset, To: hosted, Body: body }));
const receivedBy = async (carrier: Carrier, to = handset): Promise<{ sid: string; body: string }[]> => {
  const response = await carrier.app.request(`/messages?to=${encodeURIComponent(to)}`);
  return (await response.json()) as { sid: string; body: string }[];
};

describe('the local carrier over HTTP (brief: carrier protocol)', () => {
  it('takes a text once per Idempotency-Key, carries it to the handset and reports it', async () => {
    const service = await startService();
    const { carrier } = await startCarrier(service.url);
    const fields = { StatusCallback: `${service.url}/carrier/receipts` };
    const first = await submit(carrier, fields, { 'idempotency-key': 'SM1' });
    const second = await submit(carrier, fields, { 'idempotency-key': 'SM1' });
    expect(first.status).toBe(201);
    const accepted = (await first.json()) as { sid: string };
    expect(await second.json()).toEqual(accepted);
    const [receipt] = await until(() => service.receipts.length > 0 && service.receipts);
    expect(receipt).toMatchObject({ MessageSid: accepted.sid, MessageStatus: 'delivered' });
    expect(receipt?.['authorization']).toBe(`Basic ${Buffer.from(`carrier:${token}`).toString('base64')}`);
    expect(await receivedBy(carrier)).toMatchObject([{ sid: accepted.sid, body: 'hello' }]);
    expect(service.receipts).toHaveLength(1);
  });

  it('speaks the protocol that the gateway speaks', async () => {
    const service = await startService();
    const { carrier } = await startCarrier(service.url);
    const server = serve({ fetch: carrier.app.fetch, port: 0, hostname: '127.0.0.1' });
    await new Promise((resolve) => server.once('listening', resolve));
    open.push(() => new Promise((resolve) => server.close(resolve)));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const receiptUrl = `${service.url}/carrier/receipts`;
    const gateway = createHttpCarrier({ url, systemId: 'tester', token, receiptUrl });
    const accepted = await gateway.submit(textToSend());
    expect(accepted).toMatchObject({ kind: 'accepted' });
    await expect(gateway.submit(textToSend({ to: '+14155559993' }))).resolves.toMatchObject({
      kind: 'refused',
      errorCode: 30005,
    });
    await expect(gateway.submit(textToSend({ to: '+14155559995' }))).rejects.toThrow('429');
    const [receipt] = await until(() => service.receipts.length > 0 && service.receipts);
    expect(receipt?.['MessageSid']).toBe(accepted.kind === 'accepted' && accepted.carrierId);
  });

  it('lets nobody submit without its credentials, and refuses incomplete texts', async () => {
    const { carrier } = await startCarrier('http://127.0.0.1:9');
    expect((await submit(carrier, {}, { authorization: 'Basic eDp5' })).status).toBe(401);
    expect((await submit(carrier, { To: '' })).status).toBe(400);
  });

  it('lets a handset behave as its last digits, or a script, say', async () => {
    const service = await startService();
    const { carrier } = await startCarrier(service.url);
    const callback = { StatusCallback: `${service.url}/carrier/receipts` };
    await carrier.app.request(`/handsets/${handset}`, form({ Behaviour: 'undelivered' }));
    await submit(carrier, callback);
    const [receipt] = await until(() => service.receipts.length > 0 && service.receipts);
    expect(receipt).toMatchObject({ MessageStatus: 'undelivered', ErrorCode: '30003' });
    expect(await receivedBy(carrier)).toEqual([]);
    await submit(carrier, { ...callback, To: '+14155559992' });
    await until(async () => (await receivedBy(carrier, '+14155559992')).length === 1);
    expect(service.receipts).toHaveLength(1);
    expect((await carrier.app.request(`/handsets/${handset}`, form({ Behaviour: 'x' }))).status).toBe(400);
  });

  it('brings a text until the service takes it, and tells what it answered', async () => {
    const service = await startService();
    const { carrier } = await startCarrier(service.url);
    service.status = 503;
    const response = await send(carrier, 'hi');
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({ state: 'waiting', attempts: 1, answer: '503' });
    service.status = 204;
    await until(() => service.texts.length === 2);
    const [first, second] = service.texts;
    expect(first).toMatchObject({ From: handset, To: hosted, Body: 'hi' });
    expect(second?.['MessageSid']).toBe(first?.['MessageSid']);
    expect((await send(carrier, 'again')).status).toBe(201);
  });

  it('gives up a text for a number that the service does not host', async () => {
    const service = await startService();
    const { carrier } = await startCarrier(service.url);
    service.status = 404;
    expect((await send(carrier, 'hi')).status).toBe(409);
  });

  it('keeps, over a restart, what it has taken on', async () => {
    const service = await startService();
    const one = await startCarrier('http://127.0.0.1:9');
    await submit(one.carrier, { StatusCallback: `${service.url}/carrier/receipts` });
    expect((await send(one.carrier, 'hi')).status).toBe(202);
    await one.stop();
    const two = await startCarrier(service.url, one.dataDir);
    await until(() => service.texts.length === 1 && service.receipts.length === 1);
    expect(await receivedBy(two.carrier)).toMatchObject([{ body: 'hello' }]);
  });

  it('sends route tests back to where they came from', async () => {
    const service = await startService();
    const { carrier } = await startCarrier(service.url);
    await submit(carrier, { To: routeTestNumber, Body: 'route-test HR1 1' });
    const [text] = await until(() => service.texts.length > 0 && service.texts);
    expect(text).toMatchObject({ From: routeTestNumber, To: hosted, Body: 'route-test HR1 1' });
  });

  it('shows the handsets and their texts, escaped', async () => {
    const service = await startService();
    const { carrier } = await startCarrier(service.url);
    await submit(carrier, { Body: '<b>bold</b>' });
    await until(async () => (await receivedBy(carrier)).length === 1);
    const page = await (await carrier.app.request('/handsets')).text();
    expect(page).toContain(handset);
    expect(page).toContain('&lt;b&gt;bold&lt;/b&gt;');
  });

  it('sends what a person writes on the page, and comes back to the handset', async () => {
    const service = await startService();
    const { carrier } = await startCarrier(service.url);
    const written = await carrier.app.request(
      '/handsets/texts',
      form({ From: handset, To: hosted, Body: 'from the page' }),
    );
    expect(written.headers.get('location')).toBe('/handsets?number=%2B14155550199');
    expect(service.texts).toMatchObject([{ From: handset, To: hosted, Body: 'from the page' }]);
  });
});

describe('the local carrier over SMPP', () => {
  const long = 'Grüße, 日本語, 😀😀 '.repeat(20);

  it('carries texts of any length and alphabet, and reports each once', async () => {
    const { carrier, smppUrl } = await startCarrier('http://127.0.0.1:9');
    const gateway = connectGateway(smppUrl, { password: token });
    open.push(() => gateway.close());
    const bodies = ['hello €', long, 'x'.repeat(1600)];
    const submissions = await Promise.all(bodies.map((body) => gateway.submit(textToSend({ body }))));
    const received = await until(async () => {
      const texts = await receivedBy(carrier);
      return texts.length === 3 && texts;
    });
    expect(received.map(({ body }) => body).sort()).toEqual([...bodies].sort());
    await until(() => gateway.receipts.length === 3);
    const ids = submissions.map((submission) => submission.kind === 'accepted' && submission.carrierId);
    expect(new Set(gateway.receipts.map(({ carrierId }) => carrierId))).toEqual(new Set(ids));
  });

  it('brings texts to the bound service instead of calling it', async () => {
    const service = await startService();
    const { carrier, smppUrl } = await startCarrier(service.url);
    const gateway = connectGateway(smppUrl, { password: token });
    open.push(() => gateway.close());
    await gateway.submit(textToSend());
    expect((await send(carrier, long)).status).toBe(201);
    expect(gateway.texts).toMatchObject([{ from: handset, to: hosted, body: long.trimEnd() + ' ' }]);
    expect(service.texts).toEqual([]);
  });

  it('brings a text again, under the same identifier, that was not acknowledged', async () => {
    const { carrier, smppUrl } = await startCarrier('http://127.0.0.1:9');
    const ids: string[] = [];
    const onText = async ({ carrierId }: { carrierId: string }): Promise<void> => {
      if (ids.push(carrierId) === 1) throw new Error('database down');
    };
    const gateway = connectGateway(smppUrl, { password: token, onText });
    open.push(() => gateway.close());
    await gateway.submit(textToSend());
    expect((await send(carrier, 'hi')).status).toBe(202);
    await until(() => gateway.texts.length === 1);
    expect(ids[1]).toBe(ids[0]);
  });

  it('refuses, throttles and fails as the handset does', async () => {
    const { smppUrl } = await startCarrier('http://127.0.0.1:9');
    const gateway = connectGateway(smppUrl, { password: token });
    open.push(() => gateway.close());
    await expect(gateway.submit(textToSend({ to: '+14155559993' }))).resolves.toMatchObject({
      kind: 'refused',
      errorCode: 30005,
    });
    await expect(gateway.submit(textToSend({ to: '+14155559995' }))).rejects.toThrow('ESME_RTHROTTLED');
    await gateway.submit(textToSend({ to: '+14155559991' }));
    await until(() => gateway.receipts.length === 1);
    expect(gateway.receipts).toMatchObject([{ state: 'failed', errorCode: 30003 }]);
  });

  it('lets nobody bind without its credentials', async () => {
    const { smppUrl } = await startCarrier('http://127.0.0.1:9');
    const gateway = connectGateway(smppUrl, { password: 'wrong', responseTimeoutMs: 200 });
    open.push(() => gateway.close());
    await expect(gateway.submit(textToSend())).rejects.toThrow('not connected');
  });

  it('keeps, over a restart, the long texts that it acknowledged', async () => {
    const one = await startCarrier('http://127.0.0.1:9');
    const gateway = connectGateway(one.smppUrl, { password: token });
    open.push(() => gateway.close());
    await gateway.submit(textToSend({ body: long }));
    await one.stop();
    const two = await startCarrier('http://127.0.0.1:9', one.dataDir);
    await until(async () => (await receivedBy(two.carrier)).some(({ body }) => body === long));
  });
});
