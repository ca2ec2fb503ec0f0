/** What a customer is told of an order that is refused: the case, and what to do. Codes: domain.md §2.6. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

const order = (PhoneNumber: string, more = {}, as?: readonly [string, string]): Promise<RawAnswer> =>
  call('POST', orders, { form: { PhoneNumber, SmsCapability: 'true', ...more }, ...(as ? { as } : {}) });
const refusalOf = async (answer: Promise<RawAnswer>): Promise<unknown> => {
  const { status, body } = await answer;
  return { status, code: body.code, message: body['message'] };
};

describe('a number that is taken (22110)', () => {
  it('names the order of its own account, and of no other', async () => {
    const phoneNumber = newPhoneNumber();
    const first = await order(phoneNumber);
    expect(await refusalOf(order(phoneNumber))).toEqual({
      status: 400,
      code: 22110,
      message: `PhoneNumber is held by your order ${String(first.body['sid'])}, which is received`,
    });
    const other = await service.addAccount();
    expect(await refusalOf(order(phoneNumber, {}, [other.sid, other.token]))).toEqual({
      status: 400,
      code: 22110,
      message: 'PhoneNumber is on order, hosted or retiring here already',
    });
  });

  it('was released and is told to retire', async () => {
    const PhoneNumber = newPhoneNumber();
    const { accountSid: AccountSid, adminToken } = service.credentials;
    const form = { AccountSid, PhoneNumber };
    const { body } = await call('POST', '/admin/HostedNumbers', { form, as: ['admin', adminToken] });
    const numbers = `/2010-04-01/Accounts/${AccountSid}/IncomingPhoneNumbers`;
    await call('DELETE', `${numbers}/${String(body['incoming_phone_number_sid'])}.json`);
    const sid = String(body['sid']);
    expect(await refusalOf(order(PhoneNumber))).toMatchObject({
      code: 22110,
      message: `PhoneNumber was released by your order ${sid} and retires: it can be ordered anew when that is over`,
    });
  });

  it('says the same when the write finds it taken, not the look before it', async () => {
    const phoneNumber = newPhoneNumber();
    const answers = await Promise.all([order(phoneNumber), order(phoneNumber)]);
    const made = answers.find(({ status }) => status === 201);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body).toMatchObject({ code: 22110 });
    expect(refused?.body['message']).toContain(String(made?.body['sid']));
  });
});

describe('a unique name (22115)', () => {
  it('in use is told from one that is too long, when ordering and when changing', async () => {
    const UniqueName = `name ${newPhoneNumber()}`;
    const first = await order(newPhoneNumber(), { UniqueName });
    const inUse = `UniqueName is in use by your order ${String(first.body['sid'])}`;
    expect(await refusalOf(order(newPhoneNumber(), { UniqueName }))).toEqual({
      status: 400,
      code: 22115,
      message: inUse,
    });
    const second = await order(newPhoneNumber());
    const change = call('POST', `${orders}/${String(second.body['sid'])}`, { form: { UniqueName } });
    expect(await refusalOf(change)).toEqual({ status: 400, code: 22115, message: inUse });
    expect(await refusalOf(order(newPhoneNumber(), { UniqueName: 'x'.repeat(129) }))).toEqual({
      status: 400,
      code: 22115,
      message: 'UniqueName is longer than 128 characters',
    });
  });
});

describe('a phone bill (22118)', () => {
  it('that is missing, unknown or not asked for is told apart', async () => {
    const { body } = await order(newPhoneNumber());
    const update = (form: Record<string, string>): Promise<unknown> =>
      refusalOf(call('POST', `${orders}/${String(body['sid'])}`, { form }));
    const refused = (words: string) => ({
      status: 400,
      code: 22118,
      message: expect.stringContaining(words),
    });
    const sid = `RI${'0'.repeat(32)}`;
    expect(await update({ VerificationType: 'phone-bill', Status: 'pending-verification' })).toEqual(
      refused('VerificationDocumentSid is missing'),
    );
    expect(await update({ VerificationType: 'phone-bill', VerificationDocumentSid: sid })).toEqual(
      refused('is not a document of this account'),
    );
    expect(await update({ VerificationDocumentSid: sid })).toEqual(refused('phone-bill only'));
  });
});

describe('an order that cannot be canceled (20409)', () => {
  it('once completed says where its number is released', async () => {
    const { accountSid, adminToken } = service.credentials;
    const taken = await call('POST', '/admin/HostedNumbers', {
      form: { AccountSid: accountSid, PhoneNumber: newPhoneNumber() },
      as: ['admin', adminToken],
    });
    const path = `${orders}/${String(taken.body['sid'])}`;
    const number = `/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers/${String(taken.body['incoming_phone_number_sid'])}.json`;
    expect(await refusalOf(call('DELETE', path))).toEqual({
      status: 409,
      code: 20409,
      message: `The order is completed: to release its number, DELETE ${number}`,
    });
    expect((await call('DELETE', number)).status).toBe(204);
    expect(await refusalOf(call('DELETE', path))).toEqual({
      status: 409,
      code: 20409,
      message: 'The order is completed, and its number was released',
    });
  });
});
