/** The Zipwhip calls (domain.md §3.2): a client moves over by changing its base URL. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMessageCustomer, type MessageCustomer } from '../support/message-customer.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { rawClient, type RawAnswer, type RawClient } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';
import { until } from '../support/until.ts';

let customer: MessageCustomer;
let line: string;
let session: string;

beforeAll(async () => {
  customer = await startMessageCustomer();
  ({ phoneNumber: line } = await customer.host());
  session = await logIn(line);
});
afterAll(() => customer?.stop());

interface ZipwhipAnswer {
  readonly status: number;
  readonly success: unknown;
  readonly response: unknown;
}

const zipwhip = async (path: string, form: Record<string, string> = {}): Promise<ZipwhipAnswer> => {
  const { status, body } = await customer.call('POST', path, { form, as: null });
  return { status, success: body['success'], response: body['response'] };
};

async function logIn(username: string, password = customer.service.credentials.authToken): Promise<string> {
  const { response } = await zipwhip('/user/login', { username, password });
  return String(response);
}

const lastInbound = async (body: string): Promise<{ id: string; from: string }> => {
  const from = newPhoneNumber();
  await customer.bring({ from, to: line, body });
  const event = await until(() =>
    customer
      .eventsOf(line)
      .find(({ type, payload }) => type === 'message/receive' && payload['finalSource'] === from),
  );
  return { id: String(event.payload['id']), from };
};

describe('a session', () => {
  it.each([
    ['E.164', (number: string) => number],
    ['ten digits', (number: string) => number.slice(2)],
    ['ptn:/ before it', (number: string) => `ptn:/${number}`],
  ])('is made with the line as %s and the auth token as password', async (_, written) => {
    expect(await logIn(written(line))).toMatch(/^[0-9a-f-]{36}:\d+$/);
  });

  it('is refused with a wrong password, an unknown line, and without a session', async () => {
    const refused = { status: 401, success: false, response: expect.any(String) };
    expect(await zipwhip('/user/login', { username: line, password: 'wrong' })).toEqual(refused);
    const { authToken: password } = customer.service.credentials;
    expect(await zipwhip('/user/login', { username: newPhoneNumber(), password })).toEqual(refused);
    expect(await zipwhip('/webhook/list', { session: 'made-up' })).toEqual(refused);
    expect(await zipwhip('/webhook/list')).toMatchObject({ status: 400, success: false });
  });

  it('ends when the line is released', async () => {
    const released = await customer.host();
    const own = await logIn(released.phoneNumber);
    expect(await zipwhip('/webhook/list', { session: own })).toMatchObject({ success: true });
    await customer.client.incomingPhoneNumbers(released.numberSid).remove();
    expect(await zipwhip('/webhook/list', { session: own })).toMatchObject({ status: 401, success: false });
  });

  it('lives on while it is used, is unknown once it expired, and leaves no row behind', async () => {
    const days = (expiresAt: unknown) => Math.round((Number(expiresAt) - Date.now()) / 86_400_000);
    const { sql } = customer.service;
    const own = await logIn(line);
    const keyHash = createHash('sha256').update(own).digest('hex');
    const row = () => sql`select expires_at from sessions where key_hash = ${keyHash}`;
    const list = () => zipwhip('/webhook/list', { session: own });
    expect(days((await row())[0]?.['expires_at'])).toBe(90);

    await sql`update sessions set expires_at = now() + interval '1 day' where key_hash = ${keyHash}`;
    expect(await list()).toMatchObject({ success: true });
    expect(days((await row())[0]?.['expires_at'])).toBe(90);

    await sql`update sessions set expires_at = now() where key_hash = ${keyHash}`;
    expect(await list()).toEqual(await zipwhip('/webhook/list', { session: 'made-up' }));
    expect(await row()).toHaveLength(1);
    await logIn(line);
    expect(await row()).toHaveLength(0);
    expect(await zipwhip('/webhook/list', { session })).toMatchObject({ success: true });
  });

  it('sees its own line only', async () => {
    const other = await customer.host();
    const { id } = await lastInbound('private');
    const stranger = await logIn(other.phoneNumber);
    for (const path of ['/message/get', '/message/read', '/message/delete'])
      expect(await zipwhip(path, { session: stranger, message: id })).toMatchObject({ status: 404 });
  });
});

describe('/webhook', () => {
  it('takes the whole address of the event for what comes before it, also with a slash at its end', async () => {
    const url = `${customer.sink.url}/whole/message/receive/`;
    const added = await zipwhip('/webhook/add', { session, type: 'message', event: 'receive', url });
    await lastInbound('to the whole address');
    await until(() => customer.seenAt('/whole/message/receive').length === 1);
    const [webhook] = added.response as { webhookId: string }[];
    await zipwhip('/webhook/delete', { session, webhookId: String(webhook?.webhookId) });
  });

  it('add, list, update and delete work on subscriptions of the line', async () => {
    const url = `${customer.sink.url}/zipwhip`;
    const added = await zipwhip('/webhook/add', { session, type: 'message', event: 'receive', url });
    const webhookId = String((added.response as { webhookId: string }[])[0]?.webhookId);
    const webhook = { webhookId, type: 'message', event: 'receive', url, method: 'POST' };
    expect(added).toEqual({ status: 200, success: true, response: [webhook] });
    expect((await zipwhip('/webhook/list', { session })).response).toEqual([webhook]);
    await lastInbound('to the webhook');
    await until(() => customer.seenAt('/zipwhip/message/receive').length === 1);

    const changed = { url: `${customer.sink.url}/elsewhere`, method: 'PUT' };
    const updated = await zipwhip('/webhook/update', { session, webhookId, ...changed });
    expect(updated.response).toEqual([{ ...webhook, ...changed }]);
    expect(await zipwhip('/webhook/delete', { session, webhookId })).toMatchObject({
      success: true,
      response: [],
    });
    expect((await zipwhip('/webhook/list', { session })).response).toEqual([]);
    expect(await zipwhip('/webhook/delete', { session, webhookId })).toMatchObject({ status: 404 });
  });

  it('an address that names the event already means the same', async () => {
    const url = `${customer.sink.url}/full/optout/change`;
    const { response } = await zipwhip('/webhook/add', { session, type: 'optout', event: 'change', url });
    expect(response).toMatchObject([{ type: 'optout', event: 'change', url: `${customer.sink.url}/full` }]);
    await lastInbound('STOP');
    await until(() => customer.seenAt('/full/optout/change').length === 1);
  });

  it.each([
    [{ type: 'optout', event: 'receive', url: 'https://example.com' }],
    [{ type: 'fax', event: 'receive', url: 'https://example.com' }],
    [{ type: 'message', event: 'receive', url: 'nowhere' }],
    [{ type: 'message', event: 'receive' }],
  ])('add refuses %o', async (form) => {
    expect(await zipwhip('/webhook/add', { session, ...(form as Record<string, string>) })).toMatchObject({
      status: 400,
      success: false,
    });
  });
});

describe('/message', () => {
  it('send goes to each contact, and takes JSON', async () => {
    const [one, two] = [newPhoneNumber(), newPhoneNumber()];
    const contacts = [`ptn:/${one}`, two.slice(2), one, 'ptn:/24242'];
    const response = await fetch(`${customer.service.url}/message/send`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ session, contacts, body: 'to all' }),
    });
    const sent = (await response.json()) as {
      success: boolean;
      response: { root: string; tokens: object[] };
    };
    expect(sent.success).toBe(true);
    expect(sent.response.tokens).toMatchObject([{ contact: one }, { contact: two }, { contact: '24242' }]);
    const messages = await customer.client.messages.list({ from: line });
    expect(messages.filter(({ body }) => body === 'to all').map(({ to }) => to)).toEqual(['24242', two, one]);
    const { response: got } = await zipwhip('/message/get', { session, message: sent.response.root });
    expect(got).toMatchObject({ id: sent.response.root, body: 'to all', messageType: 'ZO' });
  });

  it('send goes to nobody when one of the contacts opted out, and says who that is', async () => {
    const { phoneNumber: own } = await customer.host();
    const [before, left, after] = [newPhoneNumber(), newPhoneNumber(), newPhoneNumber()];
    await customer.bring({ from: left, to: own, body: 'STOP' });
    const send = async (contacts: readonly string[]) =>
      customer.call('POST', '/message/send', {
        form: { session: await logIn(own), contacts: contacts.join(), body: 'news' },
        as: null,
      });
    expect(await send([before, left, after])).toMatchObject({
      status: 400,
      body: { success: false, code: 21610, response: `Opted out of messages from this number: ${left}` },
    });
    expect(await customer.client.messages.list({ from: own })).toEqual([]);
    expect((await send([before, after])).body).toMatchObject({
      success: true,
      response: { tokens: [{ contact: before }, { contact: after }] },
    });
  });

  it('read and delete are told with the state after the change, each once', async () => {
    const { id, from } = await lastInbound('read me');
    for (const path of ['/message/read', '/message/read', '/message/delete'])
      expect(await zipwhip(path, { session, message: id })).toMatchObject({ success: true });
    const told = await until(() => {
      const events = customer.eventsOf(line).filter(({ payload }) => payload['finalSource'] === from);
      return events.length >= 3 && events;
    });
    expect(told.map(({ type }) => type)).toEqual(['message/receive', 'message/read', 'message/delete']);
    expect(told[1]?.payload).toMatchObject({ read: true, deleted: false, dateRead: expect.any(String) });
    expect(told[2]?.payload).toMatchObject({ read: true, deleted: true, dateDeleted: expect.any(String) });
    expect(await zipwhip('/message/get', { session, message: id })).toMatchObject({ status: 404 });
  });

  it('a long text is listed as an attachment and fetched as it was', async () => {
    const body = `long ${'é'.repeat(600)}`;
    const { id } = await lastInbound(body);
    const list = await customer.call(
      'GET',
      `/messageAttachment/list?session=${encodeURIComponent(session)}&messageId=${id}`,
      { as: null },
    );
    const [attachment] = list.body['response'] as { storageKey: string }[];
    expect(list.body).toMatchObject({
      success: true,
      total: 1,
      response: [{ fileSizeBytes: Buffer.byteLength(body), mimeType: expect.stringMatching(/^text\/plain/) }],
    });
    const query = `session=${encodeURIComponent(session)}&storageKey=${attachment?.storageKey}`;
    const content = await fetch(`${customer.service.url}/hostedContent/get?${query}`);
    expect([content.status, await content.text()]).toEqual([200, body]);
  });
});

describe('the rate of the account', () => {
  let service: Service;
  let call: RawClient;

  beforeAll(async () => {
    const env = { HOSTED_SMS_API__RATE_LIMIT_PER_SECOND: '1', HOSTED_SMS_API__RATE_LIMIT_BURST: '5' };
    service = await startService({ env });
    call = rawClient(service);
  });
  afterAll(() => service?.stop());

  /** A line of a new account, logged in. */
  async function newLine(): Promise<{ username: string; as: [string, string]; session: string }> {
    const account = await service.addAccount();
    const username = newPhoneNumber();
    await call('POST', '/admin/HostedNumbers', {
      form: { AccountSid: account.sid, PhoneNumber: username },
      as: ['admin', service.credentials.adminToken],
    });
    const form = { username, password: account.token };
    const { body } = await call('POST', '/user/login', { form, as: null });
    return { username, as: [account.sid, account.token], session: String(body['response']) };
  }

  const list = (session: string): Promise<RawAnswer> =>
    call('POST', '/webhook/list', { form: { session }, as: null });

  it('is drawn on by its lines, and a call over it is refused in the shape of these calls', async () => {
    const [busy, quiet] = [await newLine(), await newLine()];
    const refused = await until(async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => list(busy.session)));
      return answers.find(({ status }) => status === 429);
    });
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(refused.body).toEqual({ success: false, response: expect.any(String), code: 20429 });
    expect(await list(quiet.session)).toMatchObject({ status: 200, body: { success: true } });

    const direct = await until(async () => {
      const asked = [list(busy.session), call('GET', '/Webhooks', { as: busy.as })];
      const [byCall, byApi] = await Promise.all(asked);
      return byCall?.status === 429 && byApi?.status === 429 && byApi;
    });
    expect(direct.body).toMatchObject({ code: 20429, status: 429 });
  });

  it('is not drawn on by logins that are refused', async () => {
    const { username, as, session } = await newLine();
    const form = { username, password: 'wrong' };
    for (let login = 0; login < 20; login++)
      expect(await call('POST', '/user/login', { form, as: null })).toMatchObject({ status: 401 });
    expect(await list(session)).toMatchObject({ status: 200 });
    expect(await call('GET', '/Webhooks', { as })).toMatchObject({ status: 200 });
  });
});

it('a session ends with the auth token it was made with', async () => {
  expect(await zipwhip('/webhook/list', { session })).toMatchObject({ status: 200, success: true });
  await customer.service
    .sql`update sessions set details = '{"tokenHash":"of a token that was rotated away"}'`;
  expect(await zipwhip('/webhook/list', { session })).toMatchObject({ status: 401, success: false });
});
