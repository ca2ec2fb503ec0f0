/** Many numbers in one request: orders and eligibility checks of the numbers API. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outsideWorldAt } from '../support/outside.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { rawClient, type RawAnswer, type RawClient } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';
import { until } from '../support/until.ts';

let service: Service;
let call: RawClient;

beforeAll(async () => {
  service = await startService();
  call = rawClient(service);
});
afterAll(() => service?.stop());

const ordersPath = '/v2/HostedNumber/Orders/Bulk';
const eligibilityPath = '/v1/HostedNumber/Eligibility/Bulk';
const json = { 'Content-Type': 'application/json' };

const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<RawAnswer> =>
  call('POST', path, { form: JSON.stringify(body), headers: { ...json, ...headers } });

async function settled(path: string, status: string): Promise<RawAnswer['body']> {
  return until(async () => {
    const { body } = await call('GET', path);
    return body['status'] === status || body['request_status'] === status ? body : undefined;
  });
}

interface Group {
  readonly order_status: string;
  readonly count: number;
  readonly orders: readonly { phone_number: string; hosted_number_order_sid: string; error_code: number }[];
}

describe('bulk orders', () => {
  it('place every order that can be placed, group the rest by its reason, and mail the result', async () => {
    const good = Array.from({ length: 120 }, () => newPhoneNumber());
    const { status, body } = await post(ordersPath, {
      friendly_name: 'All branches',
      notification_email: 'bulk@example.com',
      email: 'owner@example.com',
      contact_phone_number: '+14155550123',
      phone_numbers: [
        ...good,
        { phone_number: newPhoneNumber(), friendly_name: 'Front desk', email: 'desk@example.com' },
        '+449999',
        { phone_number: newPhoneNumber(), account_sid: `AC${'0'.repeat(32)}` },
        good[0],
      ],
    });
    expect({ status, body }).toMatchObject({
      status: 202,
      body: { request_status: 'QUEUED', total_count: 124, friendly_name: 'All branches', results: [] },
    });
    const sid = String(body['bulk_hosting_sid']);
    const done = await settled(`${ordersPath}/${sid}`, 'PROCESSED');
    const groups = done['results'] as readonly Group[];
    const count = (name: string): number =>
      groups.find(({ order_status }) => order_status === name)?.count ?? 0;
    expect(count('received')).toBe(121);
    const refused = groups.find(({ order_status }) => order_status === 'refused')?.orders ?? [];
    expect(refused.map(({ error_code }) => error_code).toSorted((a, b) => a - b)).toEqual([
      21470, 22103, 22110,
    ]);

    const filtered = await call('GET', `${ordersPath}/${sid}?OrderStatus=received`);
    const [received] = filtered.body['results'] as readonly Group[];
    expect(filtered.body['results']).toHaveLength(1);
    const desk = received?.orders.at(-1)?.hosted_number_order_sid;
    expect((await call('GET', `/v2/HostedNumber/Orders/${desk}`)).body).toMatchObject({
      friendly_name: 'Front desk',
      email: 'desk@example.com',
      contact_phone_number: '+14155550123',
      bulk_hosting_request_sid: sid,
    });
    const mail = await until(async () => {
      const mails = (await (await fetch(`${service.local.url}/mail`)).json()) as {
        to: unknown;
        text: string;
      }[];
      return mails.find(({ to }) => JSON.stringify(to).includes('bulk@example.com'));
    });
    expect(mail.text).toContain('121 orders were placed');
  });

  it('are one request however often the same key is sent', async () => {
    const body = { phone_numbers: [newPhoneNumber()] };
    const key = { 'Idempotency-Key': 'bulk-1' };
    const [first, second] = [await post(ordersPath, body, key), await post(ordersPath, body, key)];
    expect(second.body['bulk_hosting_sid']).toBe(first.body['bulk_hosting_sid']);
  });

  it('are refused with the code of a common field, and where there are too many numbers or none', async () => {
    const phone_numbers = [newPhoneNumber()];
    expect(await post(ordersPath, { phone_numbers, email: 'nobody' })).toMatchObject({
      status: 400,
      body: { code: 22104 },
    });
    const sms_fallback_url = 'https://example.com/';
    expect(await post(ordersPath, { phone_numbers, sms_fallback_url })).toMatchObject({
      body: { code: 21406 },
    });
    expect(await post(ordersPath, {})).toMatchObject({ status: 400, body: { code: 20001 } });
    for (const path of [ordersPath, eligibilityPath])
      expect(await post(path, { phone_numbers: [] })).toMatchObject({
        status: 400,
        body: { code: 20001, message: expect.stringContaining('one number at least') },
      });
    expect(await post(ordersPath, { phone_numbers, friendly_name: { a: 1 } })).toMatchObject({
      status: 400,
      body: { code: 20001, message: expect.stringContaining('friendly_name') },
    });
    const many = { phone_numbers: Array.from({ length: 10_001 }, () => '+14155550100') };
    expect(await post(ordersPath, many)).toMatchObject({ status: 400, body: { code: 20001 } });
    expect(await call('POST', ordersPath, { form: 'phone_numbers=1' })).toMatchObject({ status: 415 });
  });

  it('of one account are unknown to another', async () => {
    const { body } = await post(ordersPath, { phone_numbers: [newPhoneNumber()] });
    const other = await service.addAccount();
    const path = `${ordersPath}/${String(body['bulk_hosting_sid'])}`;
    expect(await call('GET', path, { as: [other.sid, other.token] })).toMatchObject({ status: 404 });
  });
});

describe('bulk eligibility', () => {
  it('tells of each number whether it could be hosted, why not, and who routes its texts', async () => {
    const [free, held, mobile] = [newPhoneNumber(), newPhoneNumber(), newPhoneNumber()];
    const outside = outsideWorldAt(service.local.url);
    await outside.setRegistry(held, { Holder: 'Another Text Company' });
    await outside.setRegistry(mobile, { LineType: 'mobile' });
    const created = await post(eligibilityPath, {
      friendly_name: 'Before the move',
      phone_numbers: [
        free,
        { phone_number: held },
        mobile,
        '+12',
        { phone_number: free, hosting_account_sid: 'AC1' },
      ],
    });
    expect(created).toMatchObject({ status: 202, body: { friendly_name: 'Before the move' } });
    const body = await settled(`${eligibilityPath}/${String(created.body['request_id'])}`, 'COMPLETE');
    expect(body['results']).toMatchObject([
      { phone_number: free, eligibility_status: 'eligible', eligibility_sub_status: 'eligible' },
      {
        phone_number: held,
        eligibility_sub_status: 'carrier-ineligible',
        messaging_provider: 'Another Text Company',
      },
      { phone_number: mobile, eligibility_sub_status: 'number-type-ineligible', next_step: null },
      { eligibility_sub_status: 'invalid-phone-number' },
      { eligibility_sub_status: 'invalid-hosting-account-sid' },
    ]);
  });
});
