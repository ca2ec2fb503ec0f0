import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import twilio from 'twilio';
import { createHttpVoice } from '../../gateways/voice-http.ts';
import { createCallsApi } from '../../local/calls-api.ts';
import { createPhoneNetwork, type PhoneNetwork } from '../../local/phone-network.ts';
import { createPhoneRoutes } from '../../local/phone-routes.tsx';
import { until } from '../support/until.ts';

const accountSid = 'AC00000000000000000000000000000001';
const authToken = 'voice-token';
const callee = '+14155550123';
const document =
  '<Response><Gather numDigits="6" timeout="30" action="/digits"><Say>code?</Say></Gather></Response>';

interface Posted {
  readonly url: string;
  readonly form: Record<string, string>;
  readonly signature: string;
}

let dataDir: string;
let network: PhoneNetwork;
let posted: Posted[];
const open: (() => Promise<unknown>)[] = [];

function listen(app: Hono): Promise<string> {
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }: AddressInfo) =>
      resolve(`http://127.0.0.1:${port}`),
    );
    open.push(() => new Promise((done) => server.close(done)));
  });
}

/** The network behind its HTTP ports, and a customer that keeps what it is asked. */
async function startNetwork(): Promise<{ readonly url: string; readonly customer: string }> {
  network = createPhoneNetwork({ dataDir, authToken, speechMsPerCharacter: 0 });
  open.push(() => network.stop());
  const app = new Hono()
    .route('/', createCallsApi(network, { accountSid, authToken }))
    .route('/', createPhoneRoutes(network));
  const customer = new Hono().post('*', async (ctx) => {
    const form = (await ctx.req.parseBody()) as Record<string, string>;
    posted.push({ url: ctx.req.url, form, signature: ctx.req.header('x-twilio-signature') ?? '' });
    return ctx.body(ctx.req.path === '/voice' ? document : '<Response/>', 200, {
      'Content-Type': 'text/xml',
    });
  });
  return { url: await listen(app), customer: await listen(customer) };
}

const voiceAt = (url: string) => createHttpVoice({ url, accountSid, authToken, from: '+15005550006' });
const callTo = (customer: string, key = 'HR1/1') => ({
  to: callee,
  key,
  url: `${customer}/voice?prompt=1`,
  statusCallback: `${customer}/status`,
  sendDigits: null,
});

function control(
  url: string,
  callSid: string,
  name: string,
  form: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/calls/${callSid}/${name}`, { method: 'POST', body: new URLSearchParams(form) });
}

const statuses = (): (string | undefined)[] =>
  posted.filter(({ url }) => url.endsWith('/status')).map(({ form }) => form['CallStatus']);

async function place(): Promise<{
  readonly url: string;
  readonly callSid: string;
  readonly customer: string;
}> {
  const { url, customer } = await startNetwork();
  const placed = await voiceAt(url).placeCall(callTo(customer));
  if ('refused' in placed) throw new Error(placed.refused);
  return { url, customer, callSid: placed.callSid };
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'phone-'));
  posted = [];
});
afterEach(async () => {
  for (let close = open.pop(); close; close = open.pop()) await close();
  await rm(dataDir, { recursive: true });
});

describe('a call over the local phone network, placed by our own voice gateway', () => {
  it('rings, is answered, takes digits, and reports each step once, signed as Twilio signs', async () => {
    const { url, callSid } = await place();
    const [ringing] = (await (await fetch(`${url}/calls`)).json()) as Record<string, string>[];
    expect(ringing).toMatchObject({ sid: callSid, to: callee, from: '+15005550006', state: 'ringing' });
    expect(await (await control(url, callSid, 'answer')).json()).toMatchObject({ state: 'in-progress' });
    await control(url, callSid, 'digits', { Digits: '123456' });
    await until(() => statuses().includes('completed'));
    expect(statuses()).toEqual(['initiated', 'ringing', 'in-progress', 'completed']);
    expect(posted.find((request) => request.url.endsWith('/digits'))?.form).toMatchObject({
      Digits: '123456',
    });
    for (const request of posted)
      expect(twilio.validateRequest(authToken, request.signature, request.url, request.form)).toBe(true);
  });

  it.each([
    ['reject', 'busy'],
    ['hangup', 'busy'],
  ])('ends by %s of the person called as %s', async (name, status) => {
    const { url, callSid } = await place();
    await control(url, callSid, name);
    await until(() => statuses().includes(status));
    expect(await voiceAt(url).fetchStatus(callSid)).toBe(status);
  });

  it('is hung up by the caller in the middle of a prompt', async () => {
    const { url, callSid } = await place();
    await control(url, callSid, 'answer');
    await voiceAt(url).hangUp(callSid);
    await until(() => statuses().includes('completed'));
  });

  it('may be hung up once it is over: the network refuses, and its end is what was wanted', async () => {
    const { url, callSid } = await place();
    await control(url, callSid, 'reject');
    await until(() => statuses().includes('busy'));
    const client = twilio(accountSid, authToken);
    const path = `${url}/2010-04-01/Accounts/${accountSid}/Calls/${callSid}.json`;
    const refused = await client.request({ method: 'post', uri: path, data: { Status: 'completed' } });
    expect(refused).toMatchObject({ statusCode: 400, body: { code: 21220 } });
    await expect(voiceAt(url).hangUp(callSid)).resolves.toBeUndefined();
  });

  it.each([
    ['busy', 'busy'],
    ['no-answer', 'no-answer'],
    ['failed', 'failed'],
  ])('to a number set to %s ends as %s by itself', async (behaviour, status) => {
    const { url, customer } = await startNetwork();
    await fetch(`${url}/phone/numbers/${callee}`, {
      method: 'POST',
      body: new URLSearchParams({ Behaviour: behaviour }),
    });
    await voiceAt(url).placeCall(callTo(customer));
    await until(() => statuses().includes(status));
  });

  it('is one call however often the same key is sent', async () => {
    const { url, customer, callSid } = await place();
    expect(await voiceAt(url).placeCall(callTo(customer))).toEqual({ callSid });
    expect(await voiceAt(url).placeCall(callTo(customer, 'HR1/2'))).not.toEqual({ callSid });
  });

  it('that a restart of the network cuts off is reported as over after it', async () => {
    const { callSid, customer } = await place();
    await until(() => statuses().includes('ringing'));
    await network.stop();
    network = createPhoneNetwork({ dataDir, authToken, speechMsPerCharacter: 0 });
    open.push(() => network.stop());
    await until(() => posted.some(({ form }) => form['CallStatus'] === 'canceled'));
    expect(network.find(callSid)?.statusCallback).toBe(`${customer}/status`);
  });

  it('cannot be controlled in a state that does not allow it', async () => {
    const { url, callSid } = await place();
    expect((await control(url, callSid, 'digits', { Digits: '1' })).status).toBe(409);
    expect((await control(url, `CA${'0'.repeat(32)}`, 'answer')).status).toBe(404);
  });

  it('is refused without the account’s credentials, and not hung up', async () => {
    const { url, customer, callSid } = await place();
    const stranger = createHttpVoice({ url, accountSid, authToken: 'wrong', from: '+15005550006' });
    await expect(stranger.placeCall(callTo(customer))).resolves.toHaveProperty('refused');
    await expect(stranger.hangUp(callSid)).rejects.toThrow('status 401');
    expect(await voiceAt(url).fetchStatus(callSid)).toBe('ringing');
  });
});
