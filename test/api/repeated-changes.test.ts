/** Changes that are sent again with their Idempotency-Key: what was refused is tried again, what was made is not. Decision 0020. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../api/app.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { rawClient, type RawAnswer, type RawClient } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const orders = '/HostedNumbers/HostedNumberOrders';
const documents = '/HostedNumbers/AuthorizationDocuments';
let service: Service;
let call: RawClient;

beforeAll(async () => {
  service = await startService();
  call = rawClient(service);
});
afterAll(() => service?.stop());

type Form = Record<string, string>;
const keyed = (key: string, path: string, form: Form = {}): Promise<RawAnswer> =>
  call('POST', path, { form, headers: { 'Idempotency-Key': key } });

async function newOrder(more: Form = {}): Promise<string> {
  const form = { PhoneNumber: newPhoneNumber(), SmsCapability: 'true', ...more };
  const { status, body } = await call('POST', orders, { form });
  expect(status).toBe(201);
  return `${orders}/${String(body['sid'])}`;
}

const seedsOf = async (key: string): Promise<unknown[]> =>
  (await service.sql`select seed from idempotency_keys where key like ${`% ${key}`}`).map(({ seed }) => seed);

describe('an update that was refused', () => {
  const refused = { status: 400, body: { code: 22115 } };

  it('is tried again when it is sent again, and made once nothing speaks against it', async () => {
    const [holder, wanting] = [await newOrder({ UniqueName: 'desk' }), await newOrder()];
    const rename = () => keyed('rename', wanting, { UniqueName: 'desk' });
    expect([await rename(), await rename()]).toMatchObject([refused, refused]);
    await call('DELETE', holder);
    expect(await rename()).toMatchObject({ status: 200, body: { unique_name: 'desk' } });
    expect(await rename()).toMatchObject({ status: 200, body: { unique_name: 'desk' } });
  });

  it('is tried again also where it came twice at the same moment', async () => {
    const [holder, wanting] = [await newOrder({ UniqueName: 'door' }), await newOrder()];
    const rename = () => keyed('twice', wanting, { UniqueName: 'door' });
    expect(await Promise.all([rename(), rename()])).toMatchObject([refused, refused]);
    await call('DELETE', holder);
    const both = await Promise.all([rename(), rename()]);
    expect(both).toMatchObject([{ status: 200 }, { status: 200 }]);
  });

  it('of a document is tried again too', async () => {
    const order = await newOrder();
    const form = { HostedNumberOrderSids: order.slice(orders.length + 1), Email: 'owner@example.com' };
    const { body } = await call('POST', documents, { form });
    const document = `${documents}/${String(body['sid'])}`;
    const change = () => keyed('change', document, { Email: 'other@example.com' });
    expect(await change()).toMatchObject({ status: 400, body: { code: 22107 } });
    expect((await call('POST', document, { form: { Status: 'opened' } })).status).toBe(200);
    expect(await change()).toMatchObject({ status: 200, body: { email: 'other@example.com' } });
  });
});

describe('a document that was refused inside its workflow', () => {
  it('is made when it is asked for again with its key, once its order is free', async () => {
    const form = { HostedNumberOrderSids: (await newOrder()).slice(-34), Email: 'owner@example.com' };
    const holder = await call('POST', documents, { form });
    const create = () => keyed('create', documents, form);
    const refused = { status: 400, body: { code: 22101 } };
    expect([await create(), await create()]).toMatchObject([refused, refused]);
    await call('DELETE', `${documents}/${String(holder.body['sid'])}`);
    const made = await until(async () => {
      const answer = await create();
      return answer.status === 201 && answer;
    });
    expect((await create()).body['sid']).toBe(made.body['sid']);
  });
});

describe('an update that was made', () => {
  it('is not made again, even when a repetition was refused before the order was asked', async () => {
    const order = await newOrder();
    const verify = () => keyed('verify', order, { Status: 'pending-verification' });
    expect(await verify()).toMatchObject({ status: 200, body: { verification_attempts: 1 } });
    const [seed] = await seedsOf('verify');
    await service.sql`update hosted_number_orders set canceled_at = now() where sid = ${order.slice(-34)}`;
    expect(await verify()).toMatchObject({ status: 404 });
    await service.sql`update hosted_number_orders set canceled_at = null where sid = ${order.slice(-34)}`;
    expect(await seedsOf('verify')).toEqual([seed]);
    expect(await verify()).toMatchObject({ status: 200, body: { verification_attempts: 1 } });
  });
});

/** The API as it is while it dies right after it has claimed a request's key. */
function dyingApi(): (key: string, path: string) => Promise<number> {
  const seal = (): never => {
    throw new Error('the process is gone');
  };
  const app = createApp({ ...service.deps, vault: { ...service.deps.vault, seal } });
  const { accountSid, authToken } = service.credentials;
  return async (key, path) => {
    const headers = { Authorization: `Basic ${btoa(`${accountSid}:${authToken}`)}`, 'Idempotency-Key': key };
    return (await app.request(path, { method: 'POST', headers })).status;
  };
}

describe('a secret that is to be replaced', () => {
  async function newWebhook(): Promise<{ readonly path: string; readonly secret: unknown }> {
    const { body } = await call('POST', '/Webhooks', { form: { Url: 'https://example.com' } });
    return { path: `/Webhooks/${String(body['sid'])}/Secret`, secret: body['secret'] };
  }
  const secretOf = async (answer: Promise<RawAnswer>): Promise<unknown> => (await answer).body['secret'];

  it('is, also when the API died between the claim of the key and the change', async () => {
    const { path, secret } = await newWebhook();
    expect(await dyingApi()('rotate', path)).toBe(500);
    expect(await secretOf(call('GET', path))).toBe(secret);
    const rotated = await secretOf(keyed('rotate', path));
    expect(rotated).not.toBe(secret);
    expect(await secretOf(keyed('rotate', path))).toBe(rotated);
  });

  it('is replaced once by requests of the same moment', async () => {
    const { path, secret } = await newWebhook();
    const requests = Array.from({ length: 8 }, () => secretOf(keyed('at once', path)));
    const [first, ...others] = await Promise.all(requests);
    expect(first).not.toBe(secret);
    expect(new Set(others)).toEqual(new Set([first]));
  });

  it('is not replaced by a repetition that comes after another rotation', async () => {
    const { path } = await newWebhook();
    const first = await secretOf(keyed('first', path));
    const second = await secretOf(keyed('second', path));
    expect(second).not.toBe(first);
    expect(await secretOf(keyed('first', path))).toBe(second);
  });
});

describe('auth tokens that are to be replaced', () => {
  const tokens = (): string => `/2010-04-01/Accounts/${service.credentials.accountSid}/AuthTokens`;
  const tokenOf = ({ body }: RawAnswer): unknown => body['secondary_auth_token'];

  it('are, also when the API died between the claim of the key and the change', async () => {
    const path = `${tokens()}/Secondary.json`;
    const earlier = tokenOf(await keyed('second token', path));
    expect(await dyingApi()('another token', path)).toBe(500);
    const later = await keyed('another token', path);
    expect(tokenOf(later)).not.toBe(earlier);
    expect(await keyed('another token', path)).toEqual({ ...later, headers: expect.anything() });
    await call('DELETE', path);
    expect(await keyed('another token', path)).toMatchObject({ status: 404, body: { code: 20404 } });
  });

  it('are promoted once there is a second one, though the request was refused before', async () => {
    const account = await service.addAccount();
    const as = [account.sid, account.token] as const;
    const path = `/2010-04-01/Accounts/${account.sid}/AuthTokens`;
    const promote = () =>
      call('POST', `${path}/Promote.json`, { as, headers: { 'Idempotency-Key': 'promote' } });
    expect([await promote(), await promote()]).toMatchObject([{ status: 409 }, { status: 409 }]);
    const second = tokenOf(await call('POST', `${path}/Secondary.json`, { as }));
    expect(await promote()).toMatchObject({ status: 200, body: { auth_token: second } });
    expect(await promote()).toMatchObject({ status: 200, body: { auth_token: second } });
  });
});
