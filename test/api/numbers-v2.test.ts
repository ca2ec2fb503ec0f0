/** The newer shapes through the official client: the same orders and documents, other names. Source: domain.md §1.11. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { rawClient } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';
import { refusal, twilioFor, type TwilioClient } from '../support/twilio.ts';
import { outsideWorldAt } from '../support/outside.ts';

let service: Service;
let client: TwilioClient;
let addressSid: string;

beforeAll(async () => {
  service = await startService();
  client = twilioFor(service);
  client.numbers.baseUrl = service.url;
  const address = await client.addresses.create({
    customerName: 'Springfield Bakery LLC',
    street: '742 Evergreen Terrace',
    city: 'Springfield',
    region: 'IL',
    postalCode: '62704',
    isoCountry: 'US',
  });
  addressSid = address.sid;
});
afterAll(() => service?.stop());

const contact = { contactPhoneNumber: '+14158675310', email: 'owner@example.com' };
const create = (more = {}) =>
  client.numbers.v2.hostedNumberOrders.create({
    ...contact,
    addressSid,
    phoneNumber: newPhoneNumber(),
    contactTitle: 'Owner',
    ...more,
  });

describe('orders, v2', () => {
  it('are made, verified and listed, and are the same orders as in the preview', async () => {
    const order = await create({ friendlyName: 'Front desk' });
    expect(order).toMatchObject({
      status: 'received',
      contactTitle: 'Owner',
      contactPhoneNumber: contact.contactPhoneNumber,
      addressSid,
      verificationCallDelay: 0,
      verificationCallExtension: null,
      verificationCode: null,
    });
    const verifying = await client.numbers.v2
      .hostedNumberOrders(order.sid)
      .update({ status: 'pending-verification', verificationCallExtension: '12w#' });
    expect(verifying).toMatchObject({ status: 'pending-verification', verificationCallExtension: '12w#' });
    expect(verifying.verificationCode).toMatch(/^\d{6}$/);

    const listed = await client.numbers.v2.hostedNumberOrders.list({ phoneNumber: order.phoneNumber });
    expect(listed.map(({ sid, contactTitle }) => ({ sid, contactTitle }))).toEqual([
      { sid: order.sid, contactTitle: 'Owner' },
    ]);
    const preview = await client.preview.hosted_numbers.hostedNumberOrders(order.sid).fetch();
    expect(preview).toMatchObject({ extension: '12w#', friendlyName: 'Front desk' });
  });

  it('are canceled in received only, where the preview cancels later ones too (domain.md §1.11)', async () => {
    const own = client.numbers.v2.hostedNumberOrders((await create()).sid);
    expect(await own.remove()).toBe(true);
    expect(await refusal(own.fetch())).toMatchObject({ code: 20404 });

    const { sid } = await create();
    const verifying = client.numbers.v2.hostedNumberOrders(sid);
    await verifying.update({ status: 'pending-verification' });
    expect(await refusal(verifying.remove())).toEqual({ status: 409, code: 20409 });
    expect((await verifying.fetch()).status).toBe('pending-verification');
    expect(await client.preview.hosted_numbers.hostedNumberOrders(sid).remove()).toBe(true);
  });

  it('keep a contact number as E.164, however it was written', async () => {
    expect(await create({ contactPhoneNumber: '(415) 867-5310' })).toMatchObject({
      contactPhoneNumber: '+14158675310',
    });
    expect(await refusal(create({ contactPhoneNumber: 'the front desk' }))).toMatchObject({ code: 20001 });
  });

  it('are known by their sid and by no name, however much a name looks like one', async () => {
    const orders = client.preview.hosted_numbers.hostedNumberOrders;
    const named = { phoneNumber: newPhoneNumber(), smsCapability: true, uniqueName: 'HR-desk' };
    const { sid } = await orders.create(named);
    expect((await orders('HR-desk').fetch()).sid).toBe(sid);
    const own = client.numbers.v2.hostedNumberOrders('HR-desk');
    expect(await refusal(own.fetch())).toMatchObject({ code: 20404 });
    expect(await refusal(own.remove())).toMatchObject({ code: 20404 });
  });

  it('are refused with the codes of the preview', async () => {
    expect(await refusal(create({ phoneNumber: '+442079460958' }))).toMatchObject({ code: 22103 });
    expect(await refusal(create({ smsCapability: false }))).toMatchObject({ code: 22119 });
    expect(await refusal(create({ addressSid: `AD${'0'.repeat(32)}` }))).toMatchObject({ code: 22109 });
    const order = await create();
    const update = client.numbers.v2.hostedNumberOrders(order.sid).update({ status: 'completed' });
    expect(await refusal(update)).toMatchObject({ code: 22112 });
  });
});

describe('what comes next for an order, v2', () => {
  const orderOf = async (PhoneNumber: string): Promise<{ sid: string; numberSid: string }> => {
    const form = { AccountSid: service.credentials.accountSid, PhoneNumber };
    const as = ['admin', service.credentials.adminToken] as const;
    const { body } = await rawClient(service)('POST', '/admin/HostedNumbers', { form, as });
    return { sid: String(body['sid']), numberSid: String(body['incoming_phone_number_sid']) };
  };
  /** As it is told of the order itself, and in the list. */
  const nextStepOf = async (sid: string): Promise<unknown> => {
    const { body } = await rawClient(service)('GET', `/v2/HostedNumber/Orders/${sid}`);
    const { body: list } = await rawClient(service)('GET', '/v2/HostedNumber/Orders?PageSize=1000');
    const listed = (list['items'] as { sid: string; next_step: string }[]).find((item) => item.sid === sid);
    expect(listed?.next_step).toBe(body['next_step']);
    return body['next_step'];
  };

  it('is told from the state of its number', async () => {
    const { sid, numberSid } = await orderOf(newPhoneNumber());
    expect(await nextStepOf(sid)).toBe('Nothing: the number is in service.');
    await client.incomingPhoneNumbers(numberSid).remove();
    expect(await nextStepOf(sid)).toMatch(/^The number retires;/);
    await service.sql`update incoming_phone_numbers set state = 'retired' where sid = ${numberSid}`;
    expect(await nextStepOf(sid)).toMatch(/^Nothing: the number is retired/);
  });

  it('is to answer the call for as long as there is one', async () => {
    const { sid } = await create();
    await client.numbers.v2.hostedNumberOrders(sid).update({ status: 'pending-verification' });
    expect(await nextStepOf(sid)).toMatch(/^Answer the verification call/);
    await service.sql`update verification_attempts set outcome = 'no-answer' where order_sid = ${sid}`;
    expect(await nextStepOf(sid)).toMatch(/^Start another verification call/);
  });
});

describe('orders, v3', () => {
  it('are made from JSON in camel case', async () => {
    const order = await client.numbers.v3.hostedNumberOrders.create({
      phoneNumber: newPhoneNumber(),
      smsCapability: true,
      ccEmails: ['a@example.com', 'b@example.com'],
    });
    expect(order).toMatchObject({ status: 'received', ccEmails: ['a@example.com', 'b@example.com'] });
    expect(order.sid).toMatch(/^HR/);
  });
});

describe('documents, v2', () => {
  it('are made, list their orders, and are canceled', async () => {
    const order = await create();
    const document = await client.numbers.v2.authorizationDocuments.create({
      ...contact,
      addressSid,
      hostedNumberOrderSids: [order.sid],
    });
    expect(document).toMatchObject({ status: 'signing', email: contact.email });
    const documents = client.numbers.v2.authorizationDocuments;
    const dependents = await documents(document.sid).dependentHostedNumberOrders.list();
    expect(dependents.map(({ sid }) => sid)).toEqual([order.sid]);
    expect(await documents(document.sid).remove()).toBe(true);
    expect((await documents(document.sid).fetch()).status).toBe('canceled');
  });
});

describe('eligibility, v1', () => {
  const check = async (phoneNumber: string): Promise<Record<string, unknown>> => {
    const { results } = await client.numbers.v1.eligibilities.create({ phone_number: phoneNumber });
    return results[0];
  };

  it('tells whether a number could be hosted, and why not', async () => {
    expect(await check(newPhoneNumber())).toMatchObject({
      eligibility_status: 'eligible',
      eligibility_sub_status: 'eligible',
      phone_number_type: 'local',
      ineligibility_reason: null,
    });
    const { phoneNumber } = await create();
    expect(await check(phoneNumber)).toMatchObject({ eligibility_sub_status: 'already-in-twilio' });
    expect(await check('+442079460958')).toMatchObject({ eligibility_sub_status: 'country-ineligible' });
    expect(await check('nonsense')).toMatchObject({ eligibility_sub_status: 'invalid-phone-number' });
  });

  it('names who routes the texts of a number now', async () => {
    const phoneNumber = newPhoneNumber();
    await outsideWorldAt(service.local.url).setRegistry(phoneNumber, { Holder: 'Another Carrier' });
    expect(await check(phoneNumber)).toMatchObject({
      eligibility_status: 'ineligible',
      eligibility_sub_status: 'carrier-ineligible',
      messaging_provider: 'Another Carrier',
      next_step: 'Have the present holder of the texts release them, then check again.',
    });
  });

  it.each([
    ['a mobile number', { LineType: 'mobile' }, 'number-type-ineligible', null],
    ['a VoIP number', { LineType: 'voip' }, 'number-type-ineligible', null],
    ['a mobile number with texts', { LineType: 'mobile', Holder: 'Rival' }, 'number-type-ineligible', null],
    ['a number nobody knows', { Behaviour: 'unknown' }, 'carrier-ineligible', 'local'],
  ] as const)('asks nobody to release the texts of %s', async (_, facts, subStatus, type) => {
    const phoneNumber = newPhoneNumber();
    await outsideWorldAt(service.local.url).setRegistry(phoneNumber, facts);
    expect(await check(phoneNumber)).toMatchObject({
      eligibility_status: 'ineligible',
      eligibility_sub_status: subStatus,
      phone_number_type: type,
      next_step: null,
    });
  });
});
