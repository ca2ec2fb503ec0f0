/** Accounts, sub-accounts, tokens; and that nobody sees what is somebody else's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedAccount } from '../../api/account-commands.ts';
import { newSid } from '../../security/derived-sid.ts';
import { signedIn, signIn } from '../support/console-browser.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { rawClient, type RawClient } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const orders = '/HostedNumbers/HostedNumberOrders';
const accounts = '/2010-04-01/Accounts';
type Credentials = readonly [sid: string, token: string];
let service: Service;
let call: RawClient;

beforeAll(async () => {
  service = await startService();
  call = rawClient(service);
});
afterAll(() => service?.stop());

async function newAccount(): Promise<Credentials> {
  const { sid, token } = await service.addAccount();
  return [sid, token];
}

async function newSubAccount(as: Credentials): Promise<Credentials> {
  const { status, body } = await call('POST', `${accounts}.json`, { form: { FriendlyName: 'Branch' }, as });
  expect(status).toBe(201);
  return [String(body['sid']), String(body['auth_token'])];
}

async function newOrder(as: Credentials, more: Record<string, string> = {}): Promise<string> {
  const form = { PhoneNumber: newPhoneNumber(), SmsCapability: 'true', ...more };
  const { status, body } = await call('POST', orders, { form, as });
  expect(status).toBe(201);
  return String(body['sid']);
}

describe('isolation (design.md §6)', () => {
  it('an order of one account is unknown to another, whatever is tried', async () => {
    const [mine, other] = [await newAccount(), await newAccount()];
    const sid = await newOrder(mine, { UniqueName: 'front desk' });
    for (const [method, path, form] of [
      ['GET', `${orders}/${sid}`, undefined],
      ['GET', `${orders}/front%20desk`, undefined],
      ['GET', `${orders}/${sid}/Timeline`, undefined],
      ['POST', `${orders}/${sid}`, { FriendlyName: 'x' }],
      ['DELETE', `${orders}/${sid}`, undefined],
    ] as const) {
      const answer = await call(method, path, { ...(form && { form }), as: other });
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: 404 });
    }
    expect((await call('GET', orders, { as: other })).body['items']).toEqual([]);
    const document = { HostedNumberOrderSids: sid, Email: 'a@example.com' };
    const answer = await call('POST', '/HostedNumbers/AuthorizationDocuments', { form: document, as: other });
    expect(answer).toMatchObject({ status: 400, body: { code: 22101 } });
  });

  it('two accounts may use the same unique name, one account may not', async () => {
    const [mine, other] = [await newAccount(), await newAccount()];
    await newOrder(mine, { UniqueName: 'reception' });
    await newOrder(other, { UniqueName: 'reception' });
    const form = { PhoneNumber: newPhoneNumber(), SmsCapability: 'true', UniqueName: 'reception' };
    expect(await call('POST', orders, { form, as: mine })).toMatchObject({
      status: 400,
      body: { code: 22115 },
    });
  });
});

describe('sub-accounts (issue 5)', () => {
  it('own what is ordered for them, and their owner may act on it', async () => {
    const owner = await newAccount();
    const branch = await newSubAccount(owner);
    const sid = await newOrder(owner, { AccountSid: branch[0] });
    expect((await call('GET', `${orders}/${sid}`, { as: branch })).body['account_sid']).toBe(branch[0]);
    const numbers = await call('GET', `${accounts}/${branch[0]}/IncomingPhoneNumbers.json`, { as: owner });
    expect(numbers.body['incoming_phone_numbers']).toHaveLength(1);
    expect((await call('DELETE', `${orders}/${sid}`, { as: owner })).status).toBe(204);
  });

  it('cannot be ordered for by a stranger, and have no sub-accounts of their own', async () => {
    const owner = await newAccount();
    const branch = await newSubAccount(owner);
    const form = { PhoneNumber: newPhoneNumber(), SmsCapability: 'true', AccountSid: branch[0] };
    const stranger = await call('POST', orders, { form, as: await newAccount() });
    expect(stranger).toMatchObject({ status: 400, body: { code: 21470 } });
    const nested = await call('POST', `${accounts}.json`, { form: {}, as: branch });
    expect(nested).toMatchObject({ status: 403, body: { code: 20006 } });
  });

  it('are shut out while suspended, let in again, and closed for good', async () => {
    const owner = await newAccount();
    const branch = await newSubAccount(owner);
    const setStatus = (status: string) =>
      call('POST', `${accounts}/${branch[0]}.json`, { form: { Status: status }, as: owner });
    const untilCode = (code: number | undefined) =>
      until(async () => (await call('GET', orders, { as: branch })).body.code === code, {
        what: `the sub-account to be answered with ${code}`,
      });
    expect((await setStatus('suspended')).body['status']).toBe('suspended');
    await untilCode(20005);
    expect((await setStatus('active')).status).toBe(200);
    await untilCode(undefined);
    await setStatus('closed');
    await untilCode(20005);
    expect(await setStatus('active')).toMatchObject({ status: 409, body: { code: 20409 } });
  });

  it('stay closed for an administrator too, who may change where they are mailed', async () => {
    const owner = await newAccount();
    const [branch] = await newSubAccount(owner);
    const as = ['admin', service.credentials.adminToken] as const;
    const change = (form: Record<string, string>) => call('POST', `/admin/Accounts/${branch}`, { form, as });
    expect((await change({ Status: 'suspended' })).body['status']).toBe('suspended');
    expect((await change({ Status: 'active' })).body['status']).toBe('active');
    expect((await change({ Status: 'closed' })).body['status']).toBe('closed');
    for (const Status of ['active', 'suspended'])
      expect(await change({ Status })).toMatchObject({ status: 409, body: { code: 20409 } });
    const mailed = { status: 200, body: { status: 'closed', email: 'books@example.com' } };
    expect(await change({ Email: 'books@example.com', Status: 'closed' })).toMatchObject(mailed);
    expect(await change({ Status: 'active', Email: 'x@example.com' })).toMatchObject({ status: 409 });
    expect(await change({})).toMatchObject(mailed);
    const unknown = { form: { Status: 'active' }, as };
    expect(await call('POST', `/admin/Accounts/${newSid('account')}`, unknown)).toMatchObject({
      status: 404,
    });
  });

  it('are shut out of the API, the console and the Zipwhip calls while their owner is suspended', async () => {
    const owner = await newAccount();
    const branch = await newSubAccount(owner);
    const form = { AccountSid: branch[0], PhoneNumber: newPhoneNumber() };
    const as = ['admin', service.credentials.adminToken] as const;
    await call('POST', '/admin/HostedNumbers', { form, as });
    const line = { username: form.PhoneNumber, password: branch[1] };
    const logIn = async () => (await call('POST', '/user/login', { form: line, as: null })).status;
    const browser = await signedIn(service, branch);
    expect([await logIn(), (await browser.get('/console/orders')).status]).toEqual([200, 200]);

    await service.sql`update accounts set status = 'suspended' where sid = ${owner[0]}`;
    expect((await call('GET', orders, { as: branch })).body.code).toBe(20005);
    expect((await browser.get('/console/orders')).status).toBe(303);
    expect((await signIn(service, branch)).status).toBe(401);
    expect(await logIn()).toBe(401);
  });

  it('have nothing ordered for them while they are suspended', async () => {
    const owner = await newAccount();
    const [branch] = await newSubAccount(owner);
    await call('POST', `${accounts}/${branch}.json`, { form: { Status: 'suspended' }, as: owner });
    const form = { PhoneNumber: newPhoneNumber(), SmsCapability: 'true', AccountSid: branch };
    const refused = await call('POST', orders, { form, as: owner });
    expect(refused).toMatchObject({ status: 400, body: { code: 21470 } });
  });

  it('send nothing while they are suspended, by their owner neither', async () => {
    const owner = await newAccount();
    const [branch] = await newSubAccount(owner);
    await call('POST', `${accounts}/${branch}.json`, { form: { Status: 'suspended' }, as: owner });
    const form = { From: newPhoneNumber(), To: newPhoneNumber(), Body: 'Hello' };
    const refused = await call('POST', `${accounts}/${branch}/Messages.json`, { form, as: owner });
    expect(refused).toMatchObject({ status: 401, body: { code: 20005 } });
  });
});

describe('auth tokens (issue 5)', () => {
  it('are rotated without a gap: both are good, then the second alone', async () => {
    const [sid, first] = await newAccount();
    const tokens = `${accounts}/${sid}/AuthTokens`;
    const created = await call('POST', `${tokens}/Secondary.json`, { as: [sid, first] });
    const second = String(created.body['secondary_auth_token']);
    const statusWith = async (token: string) => (await call('GET', orders, { as: [sid, token] })).status;
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200]);

    const promoted = await call('POST', `${tokens}/Promote.json`, { as: [sid, first] });
    expect(promoted.body['auth_token']).toBe(second);
    await until(async () => (await statusWith(first)) === 401, { what: 'the first token to be void' });
    expect(await statusWith(second)).toBe(200);
  });
});

describe('the e-mail address of an account', () => {
  const setEmail = ([sid, token]: Credentials, Email: string, of = sid) =>
    call('POST', `${accounts}/${of}.json`, { form: { Email }, as: [sid, token] });

  it('is set by the account or its owner, shown wherever the account is, and taken away by an empty one', async () => {
    const owner = await newAccount();
    const branch = await newSubAccount(owner);
    expect(await setEmail(owner, 'owner@example.com')).toMatchObject({
      status: 200,
      body: { sid: owner[0], email: 'owner@example.com' },
    });
    expect((await setEmail(owner, 'branch@example.com', branch[0])).body['email']).toBe('branch@example.com');
    const { body } = await call('GET', `${accounts}.json`, { as: owner });
    const emails = (body['accounts'] as { sid: string; email: string | null }[]).map(({ email }) => email);
    expect(emails).toEqual(['branch@example.com', 'owner@example.com']);

    // What is not sent stays as it is.
    const renamed = await call('POST', `${accounts}/${branch[0]}.json`, {
      form: { FriendlyName: 'Branch 2' },
      as: branch,
    });
    expect(renamed.body).toMatchObject({ friendly_name: 'Branch 2', email: 'branch@example.com' });
    expect((await setEmail(branch, '')).body['email']).toBeNull();
    expect((await call('GET', `${accounts}/${branch[0]}.json`, { as: branch })).body['email']).toBeNull();
  });

  it('is refused when it is none, or could start a further mail header, and when a stranger sets it', async () => {
    const account = await newAccount();
    for (const email of ['owner', 'owner@example.com\r\nBcc: all@example.com', 'A <a@example.com>'])
      expect(await setEmail(account, email)).toMatchObject({ status: 400, body: { code: 22104 } });
    expect((await setEmail(await newAccount(), 'x@example.com', account[0])).status).toBe(403);
    expect((await call('GET', `${accounts}/${account[0]}.json`, { as: account })).body['email']).toBeNull();
  });

  it('of the first account is ACCOUNT_EMAIL, until the account changes it', async () => {
    const env = { ...service.config.env, accountSid: newSid('account'), authToken: 'a token' };
    const seed = (accountEmail: string) =>
      seedAccount({ ...service.deps, config: { ...service.config, env: { ...env, accountEmail } } });
    await seed('first@example.com');
    const first: Credentials = [env.accountSid, env.authToken];
    const email = async () =>
      (await call('GET', `${accounts}/${env.accountSid}.json`, { as: first })).body['email'];
    expect(await email()).toBe('first@example.com');
    await setEmail(first, '');
    await seed('first@example.com');
    expect(await email()).toBeNull();
    await expect(seed('nobody')).rejects.toThrow(/ACCOUNT_EMAIL/);
  });
});
