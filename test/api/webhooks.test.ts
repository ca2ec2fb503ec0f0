/** The Webhooks resource: fields, refusals, secrets, the delivery log (issue 4, "Subscriptions"; decision 0010). */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { subscriptions } from '../../db/schema/subscriptions.ts';
import { eventHeaders } from '../../domain/delivery-headers.ts';
import { eventTypes } from '../../domain/events.ts';
import { newWebhookSecret } from '../../security/webhook-signature.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startDeliveryService, type Customer, type DeliveryService } from '../support/delivery-service.ts';

const url = 'https://93.184.216.34/hooks';
let database: TestDatabase;
let service: DeliveryService;
let customer: Customer;

beforeAll(async () => {
  database = await createDatabase();
  service = await startDeliveryService({
    databaseUrl: database.url,
    temporalAddress: inject('temporalAddress'),
    env: { ALLOW_PRIVATE_WEBHOOKS: 'false' },
  });
  customer = await service.customer();
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const create = (form: Record<string, string | string[]> = {}) =>
  customer.call('POST', '/Webhooks', { Url: url, ...form });

describe('a webhook', () => {
  it('is made with defaults, and tells its secret', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body).toMatchObject({
      sid: expect.stringMatching(/^WH[0-9a-f]{32}$/),
      account_sid: customer.accountSid,
      secret: expect.stringMatching(/^whsec_/),
      url,
      method: 'POST',
      events: [
        'message/receive',
        'message/send',
        'message/progress',
        'message/read',
        'message/delete',
        'optout/change',
      ],
      phone_number: null,
      enabled: true,
      max_per_second: null,
      headers: {},
    });
  });

  it('takes every setting, and gives each back', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const { body } = await create({
      Events: ['message/receive', 'optout/change', 'message/receive'],
      Method: 'PUT',
      PhoneNumber: '+14155550100',
      FriendlyName: 'Main',
      Secret: secret,
      Headers: ['Authorization: Bearer x', 'X-Tenant:  7'],
      MaxPerSecond: '25',
      Enabled: 'FALSE',
    });
    expect(body).toMatchObject({
      events: ['message/receive', 'optout/change'],
      method: 'PUT',
      phone_number: '+14155550100',
      friendly_name: 'Main',
      secret,
      headers: { authorization: 'Bearer x', 'x-tenant': '7' },
      max_per_second: 25,
      enabled: false,
    });
  });

  it('is changed field by field: what is absent stays, what is empty goes', async () => {
    const made = await create({ FriendlyName: 'Main', MaxPerSecond: '5' });
    const path = `/Webhooks/${made.text('sid')}`;
    const changed = await customer.call('POST', path, { MaxPerSecond: '', Events: 'message/send' });
    expect(changed.body).toMatchObject({
      friendly_name: 'Main',
      max_per_second: null,
      events: ['message/send'],
    });
    expect(changed.body).not.toHaveProperty('secret');
    const off = await customer.call('POST', path, { Enabled: 'false' });
    expect(off.body).toMatchObject({ enabled: false, disabled_reason: 'switched off by its owner' });
    const on = await customer.call('POST', path, { Enabled: 'true' });
    expect(on.body).toMatchObject({ enabled: true, disabled_reason: null });
  });

  it('whose choice of events is empty gets all of them', async () => {
    const made = await create({ Events: '' });
    expect(made.body['events']).toHaveLength(eventTypes.length);
    const path = `/Webhooks/${made.text('sid')}`;
    await customer.call('POST', path, { Events: 'message/send' });
    const emptied = await customer.call('POST', path, { Events: '' });
    expect(emptied.body['events']).toHaveLength(eventTypes.length);
  });

  it('that is deleted is gone', async () => {
    const path = `/Webhooks/${(await create()).text('sid')}`;
    expect((await customer.call('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect((await customer.call(method, path)).status).toBe(404);
  });

  it.each([
    ['http://127.0.0.1/', /loopback/],
    ['http://2130706433/', /loopback/],
    ['http://[::ffff:10.0.0.1]/', /private/],
    ['http://169.254.169.254/latest', /link-local/],
    ['http://localhost/', /loopback/],
    ['ftp://93.184.216.34/', /has to be an absolute http or https URL/],
    ['https://user:pass@93.184.216.34/', /without user name and password/],
  ])('at %s is refused with the reason', async (unsafe, reason) => {
    const { status, body } = await create({ Url: unsafe });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 21402, message: expect.stringMatching(reason) });
    const made = await create();
    const changed = await customer.call('POST', `/Webhooks/${made.text('sid')}`, { Url: unsafe });
    expect(changed.body).toMatchObject({ code: 21402 });
  });

  it.each([
    [{ Events: 'message/unknown' }, 20001],
    [{ Method: 'PATCH' }, 20001],
    [{ Secret: 'whsec_short' }, 20001],
    [{ MaxPerSecond: '0' }, 20001],
    [{ PhoneNumber: '911' }, 21421],
    [{ FriendlyName: 'x'.repeat(65) }, 22116],
    [{ Headers: 'no colon' }, 20001],
    [{ Headers: ['X-A: 1', 'x-a: 2'] }, 20001],
    [{ Headers: 'I-Twilio-Idempotency-Token: forged' }, 20001],
    [{ Headers: 'Host: elsewhere' }, 20001],
    [{ Headers: '__proto__: x' }, 20001],
    [{ Headers: 'X-A: line\r\nX-B: break' }, 20001],
  ])('with %j is refused', async (form, code) => {
    const { status, body } = await create(form);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code });
  });

  it.each(Object.keys(eventHeaders))('with a header %s of its own is refused', async (name) => {
    const { status, body } = await create({ Headers: `${name}: forged` });
    expect({ status, code: body['code'] }).toEqual({ status: 400, code: 20001 });
  });
});

/** Newest first. */
async function previousSecretsOf(sid: string): Promise<string[]> {
  const [row] = await service.db.select().from(subscriptions).where(eq(subscriptions.sid, sid));
  return (row?.previousSecrets ?? []).map(({ sealed }) => service.attemptDeps.vault.open(sealed));
}

describe('a secret', () => {
  it('is rotated, and the time until which both are valid is told', async () => {
    const made = await create();
    const path = `/Webhooks/${made.text('sid')}/Secret`;
    const rotated = await customer.call('POST', path);
    expect(rotated.text('secret')).not.toBe(made.text('secret'));
    const until = Date.parse(rotated.text('previous_secret_until'));
    expect(Math.abs(until - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
    expect((await customer.call('GET', path)).text('secret')).toBe(rotated.text('secret'));
  });

  it('stays valid for its own time when it is rotated again, and each of several rotations tells its own', async () => {
    const made = await create();
    const path = `/Webhooks/${made.text('sid')}/Secret`;
    const secrets = Array.from({ length: 3 }, () => newWebhookSecret());
    const answers = await Promise.all(secrets.map((Secret) => customer.call('POST', path, { Secret })));
    expect(answers.map((answered) => answered.text('secret'))).toEqual(secrets);
    const present = (await customer.call('GET', path)).text('secret');
    expect([present, ...(await previousSecretsOf(made.text('sid')))].sort()).toEqual(
      [made.text('secret'), ...secrets].sort(),
    );
  });

  it('rotated very often keeps the last nine beside it, so that headers stay short', async () => {
    const made = await create();
    const path = `/Webhooks/${made.text('sid')}/Secret`;
    const secrets = Array.from({ length: 12 }, () => newWebhookSecret());
    for (const Secret of secrets) await customer.call('POST', path, { Secret });
    expect(await previousSecretsOf(made.text('sid'))).toEqual(secrets.slice(2, 11).toReversed());
  });

  it('is rotated once however often its Idempotency-Key comes', async () => {
    const made = await create();
    const path = `/Webhooks/${made.text('sid')}/Secret`;
    const rotate = () => customer.call('POST', path, {}, { 'Idempotency-Key': 'rotate' });
    const [first, again] = [await rotate(), await rotate()];
    expect(first.text('secret')).not.toBe(made.text('secret'));
    expect(again.body).toEqual(first.body);
    expect((await customer.call('GET', path)).text('secret')).toBe(first.text('secret'));
  });
});

describe('the list of webhooks', () => {
  it('goes in pages, newest first, and is filtered', async () => {
    const owner = await service.customer();
    const sids: string[] = [];
    for (const event of ['message/receive', 'message/send', 'message/send'])
      sids.unshift((await owner.call('POST', '/Webhooks', { Url: url, Events: event })).text('sid'));
    const page = await owner.call('GET', '/Webhooks?PageSize=2');
    expect(page.body).toMatchObject({ webhooks: [{ sid: sids[0] }, { sid: sids[1] }] });
    const { next_page_url: next } = page.body['meta'] as { next_page_url: string };
    const rest = await owner.call('GET', next.replace('http://service.test', ''));
    expect(rest.body).toMatchObject({ webhooks: [{ sid: sids[2] }], meta: { next_page_url: null } });
    const filtered = await owner.call('GET', '/Webhooks?EventType=message%2Freceive');
    expect(filtered.body['webhooks']).toMatchObject([{ sid: sids[2] }]);
  });
});

describe('the addresses that webhooks come from', () => {
  it('are told to everybody', async () => {
    const { status, body } = await customer.call('GET', '/webhook-sources');
    expect(status).toBe(200);
    expect(body['sources']).toContain('52.89.135.1');
  });
});

describe('a delivery to an address that turned out to be private', () => {
  it('is never sent, and its attempt says why', async () => {
    const webhook = (await create()).text('sid');
    await database.sql`update subscriptions set url = 'http://127.0.0.1:9/' where sid = ${webhook}`;
    const made = await customer.call('POST', `/Webhooks/${webhook}/Test`);
    await expect
      .poll(async () => (await customer.call('GET', `/Deliveries/${made.text('sid')}`)).body)
      .toMatchObject({
        attempts: [
          { number: 1, status_code: null, error: 'not called: the address is not public (loopback)' },
        ],
      });
  });
});
