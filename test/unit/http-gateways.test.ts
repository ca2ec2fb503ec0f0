import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpCarrier } from '../../gateways/carrier-http.ts';
import { createHttpRegistry } from '../../gateways/registry-http.ts';
import { createHttpVoice } from '../../gateways/voice-http.ts';

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

let server: Server;
let url: string;
let seen: Seen[];
/** What the service answers, to some requests something else; `null`: nothing at all. */
let answer: Answer | ((method: string) => Answer) | null;

beforeEach(async () => {
  seen = [];
  answer = { status: 200 };
  server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url: path = '', headers } = request;
  seen.push({ method, path, headers, body: await text(request) });
  if (answer === null) return;
  const { status, body } = typeof answer === 'function' ? answer(method) : answer;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

const number = '+14155550100';
const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('the registry over HTTP', () => {
  const registry = () => createHttpRegistry({ url: `${url}/registry`, token: 'registry-token' });

  it('asks with its token and reads the answer', async () => {
    answer = {
      status: 200,
      body: { eligible: true, reason: null, holder: 'Other Carrier', lineType: 'landline' },
    };
    await expect(registry().checkEligibility(number)).resolves.toEqual({
      kind: 'eligible',
      holder: 'Other Carrier',
    });
    expect(seen[0]).toMatchObject({ method: 'GET', path: `/registry/eligibility/${number}` });
    expect(seen[0]?.headers.authorization).toBe('Bearer registry-token');
  });

  it('tells why a number is not eligible, and that an unknown number is not', async () => {
    const refusal = { reason: 'It is a mobile number', holder: null, lineType: 'mobile' };
    answer = { status: 200, body: { eligible: false, ...refusal } };
    await expect(registry().checkEligibility(number)).resolves.toEqual({ kind: 'ineligible', ...refusal });
    answer = { status: 404 };
    await expect(registry().checkEligibility(number)).resolves.toMatchObject({ kind: 'ineligible' });
  });

  it.each([500, 503, 429, 401])('throws on status %i, so that it is asked again', async (status) => {
    answer = { status };
    await expect(registry().checkEligibility(number)).rejects.toThrow(`status ${status}`);
    await expect(registry().register({ phoneNumber: number, key: 'k', documentSid: null })).rejects.toThrow();
  });

  it('throws when the answer is not as agreed, and never quotes the number', async () => {
    answer = { status: 200, body: { eligible: 'yes' } };
    const failure = await registry()
      .checkEligibility(number)
      .catch((err: unknown) => err);
    expect(String(failure)).toContain('not as agreed');
    expect(String(failure)).not.toContain('415');
  });

  it('stops waiting when it is told to', async () => {
    answer = null;
    await expect(registry().checkEligibility(number, AbortSignal.timeout(50))).rejects.toThrow(
      'not waited for',
    );
  });

  it('registers with a key and tells acceptance, delay and rejection apart', async () => {
    answer = { status: 202, body: { state: 'pending', reason: null } };
    const registration = { phoneNumber: number, key: 'HR1/1', documentSid: 'PX1' };
    await expect(registry().register(registration)).resolves.toEqual({ state: 'pending' });
    expect(seen[0]).toMatchObject({ method: 'PUT', path: `/registry/registrations/${number}` });
    expect(seen[0]?.headers['idempotency-key']).toBe('HR1/1');
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ documentSid: 'PX1' });

    answer = { status: 200, body: { state: 'accepted' } };
    await expect(registry().fetchRegistration(number)).resolves.toEqual({ state: 'accepted' });
    answer = { status: 409, body: { reason: 'A newer letter exists' } };
    await expect(registry().register(registration)).resolves.toEqual({
      state: 'rejected',
      reason: 'A newer letter exists',
    });
  });

  it('takes a registration that is gone already for removed', async () => {
    answer = { status: 404 };
    await expect(registry().deregister(number, 'HR1')).resolves.toBeUndefined();
    answer = { status: 500 };
    await expect(registry().deregister(number, 'HR1')).rejects.toThrow();
  });
});

describe('the voice provider over HTTP', () => {
  const voice = () =>
    createHttpVoice({ url, accountSid: 'AC1', authToken: 'voice-token', from: '+15005550006' });
  const call = {
    to: number,
    key: 'HR1/1',
    url: 'http://us/voice?prompt=1',
    statusCallback: 'http://us/status',
    sendDigits: 'ww12',
  };

  it('places a call as the Calls API wants it, with a key that places it once', async () => {
    const sid = `CA${'0'.repeat(32)}`;
    answer = { status: 201, body: { sid, status: 'queued' } };
    await expect(voice().placeCall(call)).resolves.toEqual({ callSid: sid });
    expect(seen[0]).toMatchObject({ method: 'POST', path: '/2010-04-01/Accounts/AC1/Calls.json' });
    expect(seen[0]?.headers).toMatchObject({
      authorization: basic('AC1', 'voice-token'),
      'idempotency-key': 'HR1/1',
      'content-type': 'application/x-www-form-urlencoded',
    });
    const form = new URLSearchParams(seen[0]?.body);
    expect(form.get('SendDigits')).toBe('ww12');
    expect(form.get('Url')).toBe(call.url);
    expect(form.getAll('StatusCallbackEvent')).toEqual(['initiated', 'ringing', 'answered', 'completed']);
  });

  it('tells a refusal in its own words, with the code and without the number', async () => {
    answer = { status: 400, body: { code: 21211, message: `The number ${number} is not valid` } };
    await expect(voice().placeCall(call)).resolves.toEqual({
      refused: 'The voice provider refused the call (error 21211)',
    });
  });

  it.each([401, 403])('tells the waiting client at once that status %i places no call', async (status) => {
    answer = { status, body: { code: 20003, message: 'Authenticate' } };
    await expect(voice().placeCall(call)).resolves.toHaveProperty('refused');
  });

  it.each([
    408, 425, 429, 500, 503,
  ])('throws on status %i, so that the call is placed later', async (status) => {
    answer = { status };
    await expect(voice().placeCall(call)).rejects.toThrow();
  });

  const refusing = (status: number, state: Answer) => (method: string) =>
    method === 'POST' ? { status, body: { code: 21220 } } : state;

  it('hangs up, and does not mind that the call is over or unknown, however the provider says so', async () => {
    const over = { status: 200, body: { status: 'completed' } };
    for (const one of [{ status: 200 }, { status: 404 }, refusing(400, over), refusing(409, over)]) {
      answer = one;
      await expect(voice().hangUp('CA1')).resolves.toBeUndefined();
    }
    expect(seen[0]).toMatchObject({
      path: '/2010-04-01/Accounts/AC1/Calls/CA1.json',
      body: 'Status=completed',
    });
  });

  it.each([
    401, 403, 408, 425, 429, 500,
  ])('throws on status %i, so that no live call is left', async (status) => {
    answer = { status };
    await expect(voice().hangUp('CA1')).rejects.toThrow(`status ${status}`);
    await expect(voice().fetchStatus('CA1')).rejects.toThrow(`status ${status}`);
  });

  it('hangs up again where the provider refuses and the call is still on', async () => {
    answer = refusing(400, { status: 200, body: { status: 'in-progress' } });
    await expect(voice().hangUp('CA1')).rejects.toThrow('status 400');
  });

  it('reads how a call stands; one that the provider does not know has failed', async () => {
    answer = { status: 200, body: { status: 'no-answer' } };
    await expect(voice().fetchStatus('CA1')).resolves.toBe('no-answer');
    answer = { status: 404 };
    await expect(voice().fetchStatus('CA1')).resolves.toBe('failed');
  });
});

describe('the carrier over HTTP', () => {
  const carrier = () =>
    createHttpCarrier({
      url,
      systemId: 'hosted-sms',
      token: 'carrier-token',
      receiptUrl: 'http://us/receipts',
    });
  const message = {
    key: 'SM1',
    from: number,
    to: '+14155550199',
    body: 'Grüße ✓',
    mediaUrls: ['http://us/1.png', 'http://us/2.png'],
    validityPeriodSeconds: 600,
  };

  it('submits a text with its media, its validity and where receipts go', async () => {
    answer = { status: 201, body: { sid: 'SMcarrier', status: 'queued' } };
    await expect(carrier().submit(message)).resolves.toEqual({
      kind: 'accepted',
      carrierId: 'SMcarrier',
      receiptFollows: true,
    });
    expect(seen[0]).toMatchObject({ path: '/2010-04-01/Accounts/hosted-sms/Messages.json' });
    expect(seen[0]?.headers).toMatchObject({
      authorization: basic('hosted-sms', 'carrier-token'),
      'idempotency-key': 'SM1',
    });
    const form = new URLSearchParams(seen[0]?.body);
    expect(form.get('Body')).toBe('Grüße ✓');
    expect(form.getAll('MediaUrl')).toEqual(message.mediaUrls);
    expect(form.get('ValidityPeriod')).toBe('600');
    expect(form.get('StatusCallback')).toBe('http://us/receipts');
  });

  it('tells a refusal with its code', async () => {
    answer = { status: 400, body: { code: 21612, message: 'no route' } };
    await expect(carrier().submit(message)).resolves.toMatchObject({ kind: 'refused', errorCode: 21612 });
  });

  it.each([429, 500])('throws on status %i, so that it is submitted again', async (status) => {
    answer = { status };
    await expect(carrier().submit(message)).rejects.toThrow(`status ${status}`);
  });

  it('throws when nobody answers', async () => {
    server.closeAllConnections();
    server.close();
    await expect(carrier().submit(message)).rejects.toThrow('The carrier gave no answer');
  });
});
