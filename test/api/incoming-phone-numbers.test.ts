/** Hosted numbers through the 2010 API: settings, lists, release, take-over. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { rawClient, type RawClient } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';
import { refusal, twilioFor, type TwilioClient } from '../support/twilio.ts';
import { until } from '../support/until.ts';

let service: Service;
let call: RawClient;
let client: TwilioClient;
let administrator: readonly [string, string];

beforeAll(async () => {
  service = await startService();
  call = rawClient(service);
  client = twilioFor(service);
  administrator = ['admin', service.credentials.adminToken];
});
afterAll(() => service?.stop());

async function takeOver(phoneNumber = newPhoneNumber()): Promise<{ orderSid: string; numberSid: string }> {
  const form = { AccountSid: service.credentials.accountSid, PhoneNumber: phoneNumber };
  const { status, body } = await call('POST', '/admin/HostedNumbers', { form, as: administrator });
  expect({ status, body }).toMatchObject({ status: 201, body: { status: 'completed' } });
  return { orderSid: String(body['sid']), numberSid: String(body['incoming_phone_number_sid']) };
}

const act = (orderSid: string, form: Record<string, string>) =>
  call('POST', `/admin/HostedNumberOrders/${orderSid}`, { form, as: administrator });

describe('settings of a number (service.md §1, §2.3)', () => {
  it('can be made before its order is completed, and are returned', async () => {
    const phoneNumber = newPhoneNumber();
    const order = await client.preview.hosted_numbers.hostedNumberOrders.create({
      phoneNumber,
      smsCapability: true,
      smsUrl: 'https://example.com/first',
    });
    const number = client.incomingPhoneNumbers(order.incomingPhoneNumberSid);
    expect((await number.fetch()).smsUrl).toBe('https://example.com/first');
    const updated = await number.update({
      smsUrl: 'https://example.com/sms',
      smsMethod: 'GET',
      voiceUrl: 'https://example.com/voice',
      friendlyName: 'Front desk',
    });
    expect(updated).toMatchObject({
      smsUrl: 'https://example.com/sms',
      smsMethod: 'GET',
      voiceUrl: 'https://example.com/voice',
      friendlyName: 'Front desk',
      phoneNumber,
      origin: 'hosted',
    });
    expect(updated.capabilities).toMatchObject({ sms: false, voice: false });
    expect(updated.dateCreated.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  it('are refused with the code of the field, and a release with 20409 while the order is not completed', async () => {
    const order = await client.preview.hosted_numbers.hostedNumberOrders.create({
      phoneNumber: newPhoneNumber(),
      smsCapability: true,
    });
    const number = client.incomingPhoneNumbers(order.incomingPhoneNumberSid);
    expect(await refusal(number.update({ smsUrl: 'nowhere' }))).toMatchObject({ code: 21402 });
    const emergencyAddressSid = `AD${'0'.repeat(32)}`;
    expect(await refusal(number.update({ emergencyAddressSid }))).toMatchObject({ code: 21628 });
    expect(await refusal(number.update({ smsMethod: 'PUT' }))).toMatchObject({ code: 21403 });
    expect(await refusal(number.update({ smsFallbackUrl: 'https://example.com' }))).toMatchObject({
      code: 21406,
    });
    expect(await refusal(number.remove())).toMatchObject({ status: 409, code: 20409 });
  });
});

describe('what else is kept with a number', () => {
  it('is changed by name, so that two changes at a time both stay', async () => {
    const { numberSid } = await takeOver();
    const number = client.incomingPhoneNumbers(numberSid);
    await number.update({ voiceUrl: 'https://example.com/voice', identitySid: 'RI1' });
    // Another change of the row is not committed yet when the update has read it.
    const updating = await service.sql.begin(async (sql) => {
      await sql`update incoming_phone_numbers set other_settings = other_settings || '{"TrunkSid":"TK1"}'
        where sid = ${numberSid}`;
      const answer = number.update({ voiceUrl: 'https://example.com/other' });
      await until(async () => {
        const [row] = await service.sql<
          { waiting: number }[]
        >`select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return row?.waiting === 1;
      });
      return { answer };
    });
    await updating.answer;
    expect(await number.fetch()).toMatchObject({
      voiceUrl: 'https://example.com/other',
      identitySid: 'RI1',
      trunkSid: 'TK1',
    });
  });
});

describe('a number stays with its account (decision 0021)', () => {
  const moveTo = (numberSid: string, accountSid: string) => {
    const path = `/2010-04-01/Accounts/${service.credentials.accountSid}/IncomingPhoneNumbers/${numberSid}.json`;
    return call('POST', path, { form: { AccountSid: accountSid, FriendlyName: 'moved' } });
  };
  const newSubAccount = async () => (await client.api.accounts.create()).sid;

  it('before its order is completed: 22121', async () => {
    const order = await client.preview.hosted_numbers.hostedNumberOrders.create({
      phoneNumber: newPhoneNumber(),
      smsCapability: true,
    });
    const answer = await moveTo(order.incomingPhoneNumberSid, await newSubAccount());
    expect(answer).toMatchObject({ status: 400, body: { code: 22121 } });
  });

  it('in service: 21470, which says what to do instead, and changes nothing', async () => {
    const { numberSid } = await takeOver();
    expect(await moveTo(numberSid, await newSubAccount())).toMatchObject({
      status: 400,
      body: {
        code: 21470,
        message: expect.stringMatching(/^A number in service stays with its account: release/),
      },
    });
    const { accountSid } = service.credentials;
    expect((await client.incomingPhoneNumbers(numberSid).fetch()).friendlyName).not.toBe('moved');
    expect(await moveTo(numberSid, accountSid)).toMatchObject({
      status: 200,
      body: { account_sid: accountSid },
    });
  });
});

describe('lists of numbers (domain.md §2.1)', () => {
  it('are paged, filtered, and told apart by kind', async () => {
    const tollFree = '+18005550' + String(100 + Math.floor(Math.random() * 899));
    const local = newPhoneNumber();
    await takeOver(local);
    await takeOver(tollFree);
    const numbers = client.incomingPhoneNumbers;
    const found = async (list: Promise<readonly { phoneNumber: string }[]>) =>
      (await list).map(({ phoneNumber }) => phoneNumber);
    expect(await found(numbers.list({ pageSize: 1 }))).toEqual(expect.arrayContaining([local, tollFree]));
    expect(await found(numbers.list({ phoneNumber: local }))).toEqual([local]);
    expect(await found(numbers.list({ phoneNumber: local.slice(2, 9) }))).toContain(local);
    expect(await found(numbers.tollFree.list())).toEqual([tollFree]);
    expect(await found(numbers.local.list())).not.toContain(tollFree);
    expect(await found(numbers.mobile.list())).toEqual([]);
    expect(await found(numbers.list({ origin: 'twilio' }))).toEqual([]);
  });

  it('sell nothing', async () => {
    expect(await refusal(client.incomingPhoneNumbers.create({ areaCode: '415' }))).toMatchObject({
      code: 21422,
    });
  });
});

describe('release (service.md §3.3)', () => {
  it('the number is gone for its customer at once, cannot be ordered anew, and comes back when restored', async () => {
    const phoneNumber = newPhoneNumber();
    const { orderSid, numberSid } = await takeOver(phoneNumber);
    const number = client.incomingPhoneNumbers(numberSid);
    expect(await number.remove()).toBe(true);
    expect(await refusal(number.fetch())).toMatchObject({ status: 404, code: 20404 });
    expect(await refusal(number.remove())).toMatchObject({ status: 404 });
    const order = { phoneNumber, smsCapability: true };
    const orders = client.preview.hosted_numbers.hostedNumberOrders;
    expect(await refusal(orders.create(order))).toMatchObject({ code: 22110 });

    expect(await act(orderSid, { Action: 'restore', Reason: 'released by mistake' })).toMatchObject({
      status: 200,
      body: { number_state: 'in-use' },
    });
    expect((await number.fetch()).capabilities).toMatchObject({ sms: true });
    expect(await act(orderSid, { Action: 'restore' })).toMatchObject({ status: 409 });
  });
});

describe('administration (design.md §5)', () => {
  it('takes over a CSV file, line by line, and the same file again changes nothing', async () => {
    const { accountSid } = service.credentials;
    const [first, second] = [newPhoneNumber(), newPhoneNumber()];
    const csv = `AccountSid,PhoneNumber,FriendlyName\n${accountSid},${first},One\n${accountSid},nonsense,\n${accountSid},${second},Two\n`;
    const send = () => {
      const form = new FormData();
      form.append('File', new File([csv], 'numbers.csv', { type: 'text/csv' }));
      return call('POST', '/admin/HostedNumbers/Import', { form, as: administrator });
    };
    const once = await send();
    expect(once).toMatchObject({
      status: 200,
      body: {
        taken_over: 2,
        refused: 1,
        results: [
          { line: 2, status: 'taken-over' },
          { line: 3, status: 'refused', code: 22102 },
          { line: 4, status: 'taken-over' },
        ],
      },
    });
    expect((await send()).body).toEqual(once.body);
  });

  it('takes over no number that its file brought before and that was released since, nor a name too long', async () => {
    const { accountSid } = service.credentials;
    const csv = `AccountSid,PhoneNumber,FriendlyName
${accountSid},${newPhoneNumber()},
${accountSid},${newPhoneNumber()},${'x'.repeat(65)}
`;
    const send = () => {
      const form = new FormData();
      form.append('File', new File([csv], 'numbers.csv', { type: 'text/csv' }));
      return call('POST', '/admin/HostedNumbers/Import', { form, as: administrator });
    };
    const { body } = await send();
    const tooLong = { line: 3, status: 'refused', code: 22116 };
    expect(body['results']).toMatchObject([{ line: 2, status: 'taken-over' }, tooLong]);
    const [{ sid: orderSid } = { sid: '' }] = body['results'] as { sid: string }[];
    const { incomingPhoneNumberSid } = await client.preview.hosted_numbers
      .hostedNumberOrders(orderSid)
      .fetch();
    await client.incomingPhoneNumbers(incomingPhoneNumberSid).remove();
    expect((await send()).body['results']).toMatchObject([
      { line: 2, status: 'refused', code: 22110 },
      tooLong,
    ]);
  });

  it('refuses what the order table refuses', async () => {
    const { orderSid } = await takeOver();
    expect(await act(orderSid, { Action: 'resolve', Target: 'verified' })).toMatchObject({
      status: 400,
      body: { code: 22112 },
    });
    expect(await act(orderSid, { Action: 'resolve' })).toMatchObject({ status: 400, body: { code: 20001 } });
    expect(await act(orderSid, { Action: 'dance' })).toMatchObject({ status: 400, body: { code: 20001 } });
  });
});
