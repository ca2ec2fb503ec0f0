/** What every request goes through: credentials, bodies, limits, errors. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { rawClient, type RawAnswer, type RawClient } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const orders = '/HostedNumbers/HostedNumberOrders';
let service: Service;
let call: RawClient;

beforeAll(async () => {
  service = await startService();
  call = rawClient(service);
});
afterAll(() => service?.stop());

const newOrder = (): Record<string, string> => ({ PhoneNumber: newPhoneNumber(), SmsCapability: 'true' });

describe('credentials (service.md §5)', () => {
  it.each([
    ['none at all', null],
    ['a wrong token', [`AC${'0'.repeat(32)}`, 'wrong'] as const],
    ['no account', ['admin', 'wrong'] as const],
  ])('%s are answered with 401, code, detail and the way to authenticate', async (_, as) => {
    const { status, body, headers } = await call('GET', orders, { as });
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 20003, status: 401, detail: expect.any(String) });
    expect(headers.get('www-authenticate')).toMatch(/^Basic /);
  });

  it('the token of one account is no key to another', async () => {
    const other = await service.addAccount();
    const answer = await call('GET', orders, { as: [other.sid, service.credentials.authToken] });
    expect(answer.status).toBe(401);
  });

  it('the path of a foreign account is closed, whether it exists or not', async () => {
    const other = await service.addAccount();
    for (const sid of [other.sid, `AC${'0'.repeat(32)}`]) {
      const { status, body } = await call('GET', `/2010-04-01/Accounts/${sid}/Addresses.json`);
      expect({ status, code: body.code }).toEqual({ status: 403, code: 20006 });
    }
  });

  it.each([
    ['GET', '/admin/HostedNumberOrders', 'admin', 'ADMIN_TOKEN'],
    ['POST', '/carrier/messages', 'carrier', 'CARRIER_TOKEN'],
  ])('%s %s without its own credentials says which those are', async (method, path, user, token) => {
    for (const as of [null, ['admin', 'wrong'] as const]) {
      const { status, body } = await call(method, path, { as });
      expect({ status, code: body.code }).toEqual({ status: 401, code: 20003 });
      expect(body['message']).toContain(`use ${user} as user name and the ${token}`);
      expect(body['detail']).toBe(body['message']);
    }
  });

  it("an administrator's token opens administration only", async () => {
    const as = ['admin', service.credentials.adminToken] as const;
    expect((await call('GET', '/admin/HostedNumberOrders', { as })).status).toBe(200);
    expect((await call('GET', orders, { as })).status).toBe(401);
    expect((await call('GET', '/admin/HostedNumberOrders')).status).toBe(401);
  });
});

describe('errors (domain.md §2.6)', () => {
  it('have code, message, more_info and status', async () => {
    const { body } = await call('GET', `${orders}/HR${'0'.repeat(32)}`);
    expect(body).toEqual({
      code: 20404,
      message: expect.any(String),
      more_info: `${service.url}/docs/errors#20404`,
      status: 404,
    });
  });

  it('name a method that a path lacks, and those it has', async () => {
    const { status, body, headers } = await call('PUT', orders);
    expect({ status, code: body.code }).toEqual({ status: 405, code: 20004 });
    expect(headers.get('allow')).toBe('POST, GET');
  });

  it('refuse JSON with 415 and a body over the limit with 413', async () => {
    const json = await call('POST', orders, { form: '{}', headers: { 'Content-Type': 'application/json' } });
    expect(json).toMatchObject({ status: 415, body: { code: 20415 } });
    const large = await call('POST', orders, { form: { FriendlyName: 'x'.repeat(300_000) } });
    expect(large).toMatchObject({ status: 413, body: { code: 20413 } });
  });

  it('refuse a body over the limit that does not say how long it is with 413, and no shorter one', async () => {
    const streamed = (fields: Record<string, string>): Promise<RawAnswer> =>
      call('POST', orders, { form: new Blob([new URLSearchParams(fields).toString()]).stream() });
    const large = await streamed({ ...newOrder(), FriendlyName: 'x'.repeat(300_000) });
    expect(large).toMatchObject({ status: 413, body: { code: 20413 } });
    expect(await streamed(newOrder())).toMatchObject({ status: 201 });
  });

  it.each(['gzip', 'br', 'gzip, identity'])('refuse a body in Content-Encoding %s', async (encoding) => {
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Encoding': encoding,
    };
    const answer = await call('POST', orders, { form: 'not a form', headers });
    expect(answer).toMatchObject({ status: 415, body: { code: 20415 } });
    expect(answer.body['message']).toContain('Content-Encoding');
    const plain = await call('POST', orders, {
      form: newOrder(),
      headers: { 'Content-Encoding': 'Identity' },
    });
    expect(plain.status).toBe(201);
  });

  it.each([
    ['no number', { PhoneNumber: '' }, 22102],
    ['a number that is not E.164', { PhoneNumber: '415-867-5310' }, 22102],
    ['a number of another country', { PhoneNumber: '+442079460958' }, 22103],
    ['a premium number', { PhoneNumber: '+19005551234' }, 22110],
    ['no SMS', { SmsCapability: 'false' }, 22119],
    ['a name that is too long', { FriendlyName: 'x'.repeat(65) }, 22116],
    ['a unique name that is too long', { UniqueName: 'x'.repeat(129) }, 22115],
    ['a unique name like a sid', { UniqueName: `HR${'0'.repeat(32)}` }, 22115],
    ['a bad e-mail address', { Email: 'nobody' }, 22104],
    ['a bad copied address', { CcEmails: 'nobody' }, 22104],
    ['a URL of another scheme', { StatusCallbackUrl: 'ftp://example.com' }, 22105],
    ['another method', { SmsMethod: 'PUT' }, 22106],
    ['no application sid', { SmsApplicationSid: 'x' }, 22108],
    ['an unknown address', { AddressSid: `AD${'0'.repeat(32)}` }, 22109],
    ['an unknown verification type', { VerificationType: 'letter' }, 22120],
    ['a proof without phone-bill', { VerificationDocumentSid: `RI${'0'.repeat(32)}` }, 22118],
    ['somebody else’s account', { AccountSid: `AC${'0'.repeat(32)}` }, 21470],
  ])('an order with %s is refused and leaves nothing behind', async (_, change, code) => {
    const form: Record<string, string> = { ...newOrder(), ...change };
    const { status, body } = await call('POST', orders, { form });
    expect({ status, code: body.code }).toEqual({ status: 400, code });
    const rows =
      await service.sql`select 1 from hosted_number_orders where phone_number = ${form['PhoneNumber'] ?? ''}`;
    expect(rows).toHaveLength(0);
  });
});

describe('bodies as clients old and new send them (domain.md §0.4)', () => {
  it('an order sent as multipart, with a boolean in capitals', async () => {
    const form = new FormData();
    form.append('PhoneNumber', newPhoneNumber());
    form.append('SmsCapability', 'True');
    form.append('CcEmails', 'a@example.com');
    form.append('CcEmails', 'b@example.com');
    const { status, body } = await call('POST', orders, { form });
    expect(status).toBe(201);
    expect(body['cc_emails']).toEqual(['a@example.com', 'b@example.com']);
  });

  it('an order whose number has its plus sign unescaped', async () => {
    const phoneNumber = newPhoneNumber();
    const { status, body } = await call('POST', orders, {
      form: `PhoneNumber=${phoneNumber}&SmsCapability=true`,
    });
    expect(status).toBe(201);
    expect(body['phone_number']).toBe(phoneNumber);
  });

  it('a browser may ask from anywhere, and is told so', async () => {
    const preflight = await call('OPTIONS', orders, { as: null });
    expect(preflight.status).toBe(204);
    expect((await call('GET', orders)).headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('what answers beside the operations', () => {
  it.each([
    '/metrics',
    '/openapi.json',
    '/postman.json',
    '/nowhere',
  ])('%s is taken for data only', async (path) => {
    const { headers } = await call('GET', path, { as: null });
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).not.toBeNull();
  });
});

describe('health and metrics (design.md §5)', () => {
  it('are ready when database, Temporal and a worker are there', async () => {
    expect(await call('GET', '/health/ready', { as: null })).toMatchObject({
      status: 200,
      body: { status: 'ready', postgres: 'ok', temporal: 'ok', worker: 'ok' },
    });
  });

  it('count requests by operation, without identifiers', async () => {
    await call('GET', orders);
    const { body } = await call('GET', '/metrics', { as: null });
    expect(body['text']).toContain('operation="listHostedNumberOrders",status="200"');
    expect(body['text']).not.toContain(service.credentials.accountSid);
  });
});

describe('the description of the API', () => {
  it('is served for OpenAPI and for Postman, with the address of this service', async () => {
    const openapi = await call('GET', '/openapi.json', { as: null });
    expect(openapi).toMatchObject({ status: 200, body: { servers: [{ url: service.url }] } });
    const { status, headers, body } = await call('GET', '/postman.json', { as: null });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    const { variable, ...rest } = body as { variable: { key: string; value: string }[] };
    expect(variable.find(({ key }) => key === 'baseUrl')?.value).toBe(service.url);
    const addresses = [...JSON.stringify(rest).matchAll(/"host":\[("[^"]*")\]/g)].map(([, host]) => host);
    expect(addresses.length).toBeGreaterThan(50);
    expect(new Set(addresses)).toEqual(new Set(['"{{baseUrl}}"', '"{{webhookUrl}}"']));
    const page = await fetch(`${service.url}/docs`);
    expect(await page.text()).toContain('href="/postman.json"');
  });
});

describe('values that PostgreSQL cannot keep', () => {
  it.each([
    ['GET', 'Messages.json?DateSent=0000-01-01'],
    ['GET', 'Messages.json?DateSent%3C=9999-12-31'],
    ['GET', 'Messages.json?DateSent%3E=0001-01-01T00:00:00%2B23:59'],
  ])('%s %s: a time without a year of ours is refused', async (method, path) => {
    const answer = await call(method, `/2010-04-01/Accounts/${service.credentials.accountSid}/${path}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 20001 } });
    expect(answer.body['message']).toContain('1 to 9998');
  });

  it('a replay since such a time is refused, instead of being tried for ever', async () => {
    const { body } = await call('POST', '/Webhooks', { form: { Url: 'https://example.com' } });
    for (const Since of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59'])
      expect(
        await call('POST', `/Webhooks/${String(body['sid'])}/Replay`, { form: { Since } }),
      ).toMatchObject({
        status: 400,
        body: { code: 20001 },
      });
  });

  const json = { 'Content-Type': 'application/json' };
  it('JSON that is nested deeper than anything reads is refused', async () => {
    const form = `{"phone_number":${'['.repeat(60_000)}${']'.repeat(60_000)}}`;
    const answer = await call('POST', '/v1/HostedNumber/Eligibility', { form, headers: json });
    expect(answer).toMatchObject({ status: 400, body: { code: 20001 } });
  });

  it('half a surrogate pair becomes the sign for what cannot be shown', async () => {
    const form = `{"phone_numbers":[{"phone_number":"${newPhoneNumber()}","friendly_name":"x\\ud800y"}]}`;
    const path = '/v2/HostedNumber/Orders/Bulk';
    const { status, body } = await call('POST', path, { form, headers: json });
    expect(status).toBe(202);
    const done = async () =>
      (await call('GET', `${path}/${String(body['bulk_hosting_sid'])}`)).body['request_status'];
    await until(async () => (await done()) === 'PROCESSED');
  });
});
