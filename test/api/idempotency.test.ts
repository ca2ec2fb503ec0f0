/** Requests that are sent again with their Idempotency-Key. Decision 0020. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetIdempotencyKeys } from '../../db/writes/idempotency.ts';
import { derivedSid } from '../../security/derived-sid.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { rawClient, type RawAnswer, type RawClient } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';

const orders = '/HostedNumbers/HostedNumberOrders';
let service: Service;
let call: RawClient;

beforeAll(async () => {
  service = await startService();
  call = rawClient(service);
});
afterAll(() => service?.stop());

const newOrder = (): Record<string, string> => ({ PhoneNumber: newPhoneNumber(), SmsCapability: 'true' });
const order = (key: string, form: Record<string, string>, as?: [string, string]): Promise<RawAnswer> =>
  call('POST', orders, { form, headers: { 'Idempotency-Key': key }, ...(as && { as }) });
const keptKeys = () => service.sql<{ key: string }[]>`select key from idempotency_keys`;

describe('a request with an Idempotency-Key (issue 5)', () => {
  it('sent again, even at the same moment, gets the first order', async () => {
    const form = newOrder();
    const key = `order ${form['PhoneNumber']}`;
    const [first, second] = await Promise.all([order(key, form), order(key, form)]);
    expect(first.status).toBe(201);
    expect(second.status).toBe(201);
    expect(second.body['sid']).toBe(first.body['sid']);
  });

  it('is refused when the key was another request’s', async () => {
    const key = `key ${newPhoneNumber()}`;
    expect((await order(key, newOrder())).status).toBe(201);
    expect(await order(key, newOrder())).toMatchObject({ status: 422, body: { code: 20422 } });
  });

  it('has nothing to do with the same key of another account', async () => {
    const other = await service.addAccount();
    const mine = await order('shared', newOrder());
    const theirs = await order('shared', newOrder(), [other.sid, other.token]);
    expect([mine.status, theirs.status]).toEqual([201, 201]);
  });

  it('tells files apart by what is in them, and answers with the one that is kept', async () => {
    const hand = (content: string): Promise<RawAnswer> => {
      const form = new FormData();
      form.append('File', new File([`%PDF-1.4\n${content}`], 'bill.pdf'));
      const headers = { 'Idempotency-Key': 'bill' };
      return call('POST', '/HostedNumbers/VerificationDocuments', { form, headers });
    };
    const first = await hand('AAAA');
    expect(first.status).toBe(201);
    expect((await hand('AAAA')).body).toEqual(first.body);
    expect(await hand('BBBB')).toMatchObject({ status: 422, body: { code: 20422 } });
  });

  it('names what it made in a release whose keys had no seeds', async () => {
    const [path, key] = ['/Webhooks', 'of an earlier release'];
    const request = { form: { Url: 'https://example.com' }, headers: { 'Idempotency-Key': key } };
    await call('POST', path, request);
    await service.sql`update idempotency_keys set seed = '' where key = ${`${path} ${key}`}`;
    const { body } = await call('POST', path, request);
    expect(body['sid']).toBe(derivedSid('subscription', service.credentials.accountSid, path, key));
  });
});

describe('a key after a day', () => {
  const age = (key: string, hours: number) =>
    service.sql`update idempotency_keys set date_created = date_created - ${hours} * interval '1 hour'
      where key like ${`%${key}`}`;

  it('stands for its request until then, and for a new one afterwards', async () => {
    const first = newOrder();
    const made = await order('daily', first);
    await age('daily', 23);
    expect((await order('daily', first)).body['sid']).toBe(made.body['sid']);
    await age('daily', 2);
    const anew = await order('daily', newOrder());
    expect(anew.status).toBe(201);
    expect(anew.body['sid']).not.toBe(made.body['sid']);
    expect(await order('daily', first)).toMatchObject({ status: 422 });
  });

  it('is removed, and a younger one is not', async () => {
    await order('young', newOrder());
    await order('old', newOrder());
    await age('old', 26);
    await forgetIdempotencyKeys(service.db, { at: new Date(), lifeMs: 24 * 3_600_000 });
    const keys = (await keptKeys()).map(({ key }) => key);
    expect(keys).toContain(`${orders} young`);
    expect(keys).not.toContain(`${orders} old`);
  });
});

describe('calls without credentials of their own', () => {
  interface Line {
    readonly username: string;
    readonly session: string;
  }
  const open = (path: string, form: Record<string, string>, key?: string): Promise<RawAnswer> =>
    call('POST', path, { form, as: null, ...(key && { headers: { 'Idempotency-Key': key } }) });

  async function newLine(account: { readonly sid: string; readonly token: string }): Promise<Line> {
    const username = newPhoneNumber();
    const form = { AccountSid: account.sid, PhoneNumber: username };
    await call('POST', '/admin/HostedNumbers', { form, as: ['admin', service.credentials.adminToken] });
    return { username, session: await logIn(username, account.token) };
  }
  const logIn = async (username: string, password: string): Promise<string> =>
    String((await open('/user/login', { username, password })).body['response']);

  const send = (session: string, body = 'Hello'): Promise<RawAnswer> =>
    open('/message/send', { session, contacts: '+14155550188', body }, 'order-1');
  const rootOf = ({ body }: RawAnswer): unknown => (body['response'] as { root: string }).root;

  it('leave nothing behind when a stranger makes them', async () => {
    const before = await keptKeys();
    const zipwhip = { session: 'x', username: '1', password: '2', contacts: '1', body: 'x' };
    const voice = { CallSid: 'CA1', CallStatus: 'completed' };
    for (const [path, form, status] of [
      ['/message/send', zipwhip, 401],
      ['/user/login', zipwhip, 401],
      ['/webhook/add', zipwhip, 401],
      ['/voice/verification/HR00/1/status', voice, 403],
    ] as const)
      expect((await open(path, form, 'of a stranger')).status, path).toBe(status);
    expect(await keptKeys()).toEqual(before);
  });

  it('keep a key for the line that logged in, whatever its session', async () => {
    const account = await service.addAccount();
    const line = await newLine(account);
    const first = await send(line.session);
    expect(first.status).toBe(200);
    const again = await send(await logIn(line.username, account.token));
    expect(rootOf(again)).toBe(rootOf(first));
    expect(await send(line.session, 'Something else')).toMatchObject({ status: 422, body: { code: 20422 } });
  });

  it('share no key with another line, of another account or of the same', async () => {
    const [one, other] = [await service.addAccount(), await service.addAccount()];
    const lines = [await newLine(one), await newLine(one), await newLine(other)];
    const roots = new Set<unknown>();
    for (const { session } of lines) {
      const sent = await send(session);
      expect(sent.status).toBe(200);
      roots.add(rootOf(sent));
    }
    expect(roots.size).toBe(3);
  });
});
