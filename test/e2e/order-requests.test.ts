/** What the API answers to every kind of request for orders and documents, the wrong ones above all. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpClient, type FormFields, type HttpClient } from '../support/http.ts';
import { orderSteps, type OrderSteps } from '../support/order-steps.ts';
import { outsideWorldAt, type Outside } from '../support/outside.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { startService, type Service } from '../support/service.ts';
import { refusal, twilioFor, type TwilioClient } from '../support/twilio.ts';
import { until } from '../support/until.ts';

const ordersPath = '/HostedNumbers/HostedNumberOrders';
const documentsPath = '/HostedNumbers/AuthorizationDocuments';

let service: Service;
let client: TwilioClient;
let http: HttpClient;
let admin: HttpClient;
let outside: Outside;
let steps: OrderSteps;

beforeAll(async () => {
  service = await startService();
  const { accountSid, authToken, adminToken } = service.credentials;
  client = twilioFor(service);
  http = httpClient(service.url, accountSid, authToken);
  admin = httpClient(service.url, 'admin', adminToken);
  outside = outsideWorldAt(service.local.url);
  steps = orderSteps(client, outside);
});
afterAll(() => service?.stop());

const orderCount = async (): Promise<number> => {
  const [row] = await service.sql`select count(*)::int as count from hosted_number_orders`;
  return row?.['count'] as number;
};
const goodOrder = (): Record<string, string> => ({ PhoneNumber: newPhoneNumber(), SmsCapability: 'true' });
const longText = (length: number): string => 'x'.repeat(length);
/** Where clouds keep the credentials of a machine. Refused even where private addresses are allowed. */
const metadataUrl = 'http://169.254.169.254/latest';
const noSid = (prefix: string): string => prefix + '0'.repeat(32);

describe('credentials (service.md §5)', () => {
  it.each([
    ['a wrong token', () => twilioFor(service, { sid: service.credentials.accountSid, token: 'wrong' })],
    ['an unknown account', () => twilioFor(service, { sid: noSid('AC'), token: 'wrong' })],
  ])('with %s are refused with 20003', async (_what, stranger) => {
    const orders = stranger().preview.hosted_numbers.hostedNumberOrders;
    expect(await refusal(orders.list())).toEqual({ status: 401, code: 20003 });
  });

  it('that are missing are refused with 20003, and the way to send them is said', async () => {
    const response = await fetch(service.url + ordersPath);
    expect(response.status).toBe(401);
    expect(response.headers.get('WWW-Authenticate')).toMatch(/^Basic/);
    expect(await response.json()).toMatchObject({ code: 20003, status: 401 });
  });

  it("of one account never reach another's orders, documents and numbers", async () => {
    const order = await steps.create();
    const { documentSid } = await steps.authorise(order.sid);
    const other = twilioFor(service, await service.addAccount());
    const hosted = other.preview.hosted_numbers;
    const unknown = { status: 404, code: 20404 };
    expect(await refusal(hosted.hostedNumberOrders(order.sid).fetch())).toEqual(unknown);
    expect(await refusal(hosted.hostedNumberOrders(order.sid).update({ friendlyName: 'mine' }))).toEqual(
      unknown,
    );
    expect(await refusal(hosted.hostedNumberOrders(order.sid).remove())).toEqual(unknown);
    expect(await refusal(hosted.authorizationDocuments(documentSid).fetch())).toEqual(unknown);
    expect(await refusal(other.incomingPhoneNumbers(order.incomingPhoneNumberSid).fetch())).toEqual(unknown);
    expect(await hosted.hostedNumberOrders.list()).toEqual([]);
    expect(await steps.status(order.sid)).toBe('pending-loa');
  });
});

describe('an order that is asked for wrongly (domain.md §1.2, §2.6)', () => {
  const cases: readonly (readonly [string, FormFields, number])[] = [
    ['no PhoneNumber', { PhoneNumber: [] }, 20001],
    ['an empty PhoneNumber', { PhoneNumber: '' }, 22102],
    ['a PhoneNumber without plus sign', { PhoneNumber: '4158675310' }, 22102],
    ['a PhoneNumber with letters', { PhoneNumber: '+1415CALLME1' }, 22102],
    ['an impossible PhoneNumber', { PhoneNumber: '+14150000000' }, 22102],
    ['a PhoneNumber of another country', { PhoneNumber: '+442079460000' }, 22103],
    ['a premium-rate PhoneNumber', { PhoneNumber: '+19002345678' }, 22110],
    ['no SmsCapability', { SmsCapability: [] }, 22119],
    ['SmsCapability false', { SmsCapability: 'false' }, 22119],
    ['SmsCapability that is no boolean', { SmsCapability: 'maybe' }, 20001],
    ['a FriendlyName of 65 characters', { FriendlyName: longText(65) }, 22116],
    ['a UniqueName of 129 characters', { UniqueName: longText(129) }, 22115],
    ['an Email that is none', { Email: 'nobody' }, 22104],
    ['an Email with a line break', { Email: 'a@example.com\r\nBcc: b@example.com' }, 22104],
    ['a CcEmails that holds a bad one', { CcEmails: ['a@example.com', 'nobody'] }, 22104],
    ['a StatusCallbackUrl that is none', { StatusCallbackUrl: 'not a url' }, 22105],
    ['a StatusCallbackUrl of another scheme', { StatusCallbackUrl: 'ftp://example.com/' }, 22105],
    ['a StatusCallbackUrl with credentials', { StatusCallbackUrl: 'http://a:b@example.com/' }, 22105],
    ['a StatusCallbackUrl that is not public', { StatusCallbackUrl: metadataUrl }, 22105],
    ['a StatusCallbackMethod that is none', { StatusCallbackMethod: 'PUT' }, 22106],
    ['a SmsUrl that is none', { SmsUrl: 'nowhere' }, 22105],
    ['a SmsUrl that is not public', { SmsUrl: metadataUrl }, 22105],
    ['a SmsMethod that is none', { SmsMethod: 'FETCH' }, 22106],
    ['a SmsFallbackUrl that is none', { SmsFallbackUrl: 'nowhere' }, 22105],
    ['a SmsFallbackUrl that is not public', { SmsFallbackUrl: metadataUrl }, 22105],
    ['a SmsFallbackUrl without a SmsUrl', { SmsFallbackUrl: 'https://example.com/' }, 21406],
    ['a SmsFallbackMethod that is none', { SmsFallbackMethod: 'FETCH' }, 22106],
    ['a SmsApplicationSid that is none', { SmsApplicationSid: 'AP1' }, 22108],
    ['an AddressSid that is none', { AddressSid: 'AD1' }, 22109],
    ['an AddressSid nobody has', { AddressSid: noSid('AD') }, 22109],
    ['an AccountSid that is none', { AccountSid: 'AC1' }, 21470],
    ['an AccountSid of somebody else', { AccountSid: noSid('AC') }, 21470],
    ['a VerificationType that is none', { VerificationType: 'telepathy' }, 22120],
    ['a VerificationDocumentSid that is none', { VerificationDocumentSid: 'RI1' }, 22118],
    ['a VerificationDocumentSid without phone-bill', { VerificationDocumentSid: noSid('RI') }, 22118],
    [
      'a VerificationDocumentSid nobody has',
      { VerificationType: 'phone-bill', VerificationDocumentSid: noSid('RI') },
      22118,
    ],
    ['a single parameter sent twice', { FriendlyName: ['one', 'two'] }, 20001],
  ];

  it.each(
    cases,
  )('with %s is refused with its code and leaves nothing behind', async (_what, fields, code) => {
    const before = await orderCount();
    const answer = await http.post(ordersPath, { ...goodOrder(), ...fields });
    expect(answer.body).toMatchObject({ code, status: answer.status });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body?.['more_info']).toEqual(expect.stringContaining(String(code)));
    expect(await orderCount()).toBe(before);
  });

  it('as JSON is refused with 20415', async () => {
    const answer = await http.send(ordersPath, {
      method: 'POST',
      body: JSON.stringify(goodOrder()),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer).toMatchObject({ status: 415, body: { code: 20415 } });
  });

  it('with a body that is too large is refused with 20413', async () => {
    const answer = await http.post(ordersPath, { ...goodOrder(), FriendlyName: longText(300_000) });
    expect(answer).toMatchObject({ status: 413, body: { code: 20413 } });
  });

  it('for a number that has a live order is refused with 22110', async () => {
    const { phoneNumber } = await steps.create();
    expect(await refusal(steps.create({ phoneNumber }))).toEqual({ status: 400, code: 22110 });
    const other = orderSteps(twilioFor(service, await service.addAccount()), outside);
    expect(await refusal(other.create({ phoneNumber }))).toEqual({ status: 400, code: 22110 });
  });

  it('with a UniqueName in use is refused with 22115', async () => {
    const uniqueName = `desk-${newPhoneNumber()}`;
    await steps.create({ uniqueName });
    expect(await refusal(steps.create({ uniqueName }))).toEqual({ status: 400, code: 22115 });
  });

  it('with a number that texts are enabled on elsewhere fails with the reason, and can be ordered again', async () => {
    const phoneNumber = newPhoneNumber();
    await outside.setRegistry(phoneNumber, { Holder: 'Another Text Company' });
    const failed = await steps.create({ phoneNumber });
    expect(failed.status).toBe('failed');
    expect(failed.failureReason).toContain('Another Text Company');
    expect((await steps.create({ phoneNumber })).status).toBe('failed');
    await outside.setRegistry(phoneNumber, { Holder: '' });
    expect((await steps.create({ phoneNumber })).status).toBe('received');
  });

  it('while the registry is slow is answered twilio-processing, and goes on to received', async () => {
    const phoneNumber = newPhoneNumber();
    await outside.setRegistry(phoneNumber, { Behaviour: 'slow' });
    const order = await steps.create({ phoneNumber });
    expect(order.status).toBe('twilio-processing');
    expect(await refusal(client.preview.hosted_numbers.hostedNumberOrders(order.sid).remove())).toEqual({
      status: 409,
      code: 20409,
    });
    await steps.untilStatus(order.sid, 'received');
  });
});

describe('an order that is asked for rightly', () => {
  it('keeps everything that was sent, in a urlencoded body', async () => {
    const form = {
      PhoneNumber: newPhoneNumber(),
      SmsCapability: 'true',
      FriendlyName: 'Café “Zürich” 東京',
      UniqueName: `all-${newPhoneNumber()}`,
      Email: 'owner@example.com',
      CcEmails: ['a@example.com', 'b@example.com'],
      StatusCallbackUrl: 'https://example.com/status',
      StatusCallbackMethod: 'GET',
      Surprise: 'an unknown parameter is ignored',
    };
    const { status, body } = await http.post(ordersPath, form);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      phone_number: form.PhoneNumber,
      friendly_name: form.FriendlyName,
      unique_name: form.UniqueName,
      email: form.Email,
      cc_emails: form.CcEmails,
      status: 'received',
      verification_type: 'phone-call',
      capabilities: { sms: expect.any(Boolean) },
    });
    expect(body?.['date_created']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(body?.['url']).toBe(`${service.url}${ordersPath}/${String(body?.['sid'])}`);
  });

  it('is taken from a multipart body too', async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries(goodOrder())) body.append(name, value);
    body.append('CcEmails', 'a@example.com');
    body.append('CcEmails', 'b@example.com');
    const answer = await http.send(ordersPath, { method: 'POST', body });
    expect(answer).toMatchObject({ status: 201, body: { cc_emails: ['a@example.com', 'b@example.com'] } });
  });

  it('is made once for the same Idempotency-Key', async () => {
    const form = goodOrder();
    const headers = { 'Idempotency-Key': `key-${form['PhoneNumber']}` };
    const [first, second] = await Promise.all([
      http.post(ordersPath, form, headers),
      http.post(ordersPath, form, headers),
    ]);
    const third = await http.post(ordersPath, form, headers);
    const made = [first, second, third].filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThanOrEqual(2);
    expect(new Set(made.map(({ body }) => body?.['sid'])).size).toBe(1);
    const rows = await service.sql`
      select sid from hosted_number_orders where phone_number = ${form['PhoneNumber'] ?? ''}`;
    expect(rows).toHaveLength(1);
  });

  it('is found by its unique name, in the list, and by every filter', async () => {
    const uniqueName = `found-${newPhoneNumber()}`;
    const friendlyName = `Found ${uniqueName}`;
    const order = await steps.create({ uniqueName, friendlyName });
    const { hostedNumberOrders } = client.preview.hosted_numbers;
    expect((await hostedNumberOrders(uniqueName).fetch()).sid).toBe(order.sid);
    for (const filter of [
      { uniqueName },
      { friendlyName },
      { phoneNumber: order.phoneNumber },
      { incomingPhoneNumberSid: order.incomingPhoneNumberSid },
      { status: 'received' as const, phoneNumber: order.phoneNumber },
    ])
      expect((await hostedNumberOrders.list(filter)).map(({ sid }) => sid)).toEqual([order.sid]);
    expect(await hostedNumberOrders.list({ status: 'completed', phoneNumber: order.phoneNumber })).toEqual(
      [],
    );
  });

  it('looks the same in a list as by itself, before and after every change', async () => {
    const order = await steps.create({ friendlyName: 'before' });
    const orders = client.preview.hosted_numbers.hostedNumberOrders;
    const listed = async (): Promise<unknown> => {
      const [first] = await orders.list({ phoneNumber: order.phoneNumber });
      return first?.toJSON();
    };
    const compare = async (expected: object): Promise<void> => {
      const fetched: unknown = (await orders(order.sid).fetch()).toJSON();
      expect(fetched).toMatchObject(expected);
      expect(await listed()).toEqual(fetched);
    };
    await compare({ friendlyName: 'before', verificationCode: null });
    await orders(order.sid).update({ friendlyName: 'after' });
    await compare({ friendlyName: 'after' });
    const code = await steps.startCall(order.sid);
    await compare({ verificationCode: code });
    await outside.answerWith(order.phoneNumber, code);
    await steps.untilStatus(order.sid, 'verified');
    await compare({ status: 'verified', verificationCode: null });
    await orders(order.sid).remove();
    expect(await listed()).toBeUndefined();
  });

  it('is listed page by page, none twice and none left out, forwards and backwards', async () => {
    const account = await service.addAccount();
    const customer = twilioFor(service, account);
    const own = orderSteps(customer, outside);
    const made: string[] = [];
    for (let count = 0; count < 5; count++) made.push((await own.create()).sid);
    const { hostedNumberOrders } = customer.preview.hosted_numbers;
    expect((await hostedNumberOrders.list({ pageSize: 2 })).map(({ sid }) => sid)).toEqual(made.toReversed());
    const first = await hostedNumberOrders.page({ pageSize: 2 });
    const second = await first.nextPage();
    const third = await second?.nextPage();
    expect(third?.instances).toHaveLength(1);
    expect(third?.nextPageUrl).toBeFalsy();
    const back = await third?.previousPage();
    expect(back?.instances.map(({ sid }) => sid)).toEqual(second?.instances.map(({ sid }) => sid));
  });

  it.each([
    ['0', 20007],
    ['1001', 20007],
    ['many', 20007],
  ])('is not listed with PageSize %s', async (size, code) => {
    expect(await http.get(`${ordersPath}?PageSize=${size}`)).toMatchObject({ status: 400, body: { code } });
  });

  it('is canceled while it is pending, is gone then, and its number can be ordered again', async () => {
    const order = await steps.create();
    const { hostedNumberOrders } = client.preview.hosted_numbers;
    expect(await hostedNumberOrders(order.sid).remove()).toBe(true);
    expect(await refusal(hostedNumberOrders(order.sid).fetch())).toEqual({ status: 404, code: 20404 });
    expect(await refusal(hostedNumberOrders(order.sid).remove())).toEqual({ status: 404, code: 20404 });
    expect(await refusal(client.incomingPhoneNumbers(order.incomingPhoneNumberSid).fetch())).toEqual({
      status: 404,
      code: 20404,
    });
    expect((await steps.create({ phoneNumber: order.phoneNumber })).status).toBe('received');
  });

  it('that is canceled while its call rings has the call ended and its letter withdrawn', async () => {
    const order = await steps.create();
    const { documentSid } = await steps.authorise(order.sid);
    await steps.startCall(order.sid);
    await outside.ringing(order.phoneNumber);
    await client.preview.hosted_numbers.hostedNumberOrders(order.sid).remove();
    await until(async () =>
      ['canceled', 'busy', 'completed'].includes((await outside.callsTo(order.phoneNumber))[0]?.state ?? ''),
    );
    const documents = client.preview.hosted_numbers.authorizationDocuments;
    await until(async () => (await documents(documentSid).fetch()).status === 'canceled');
  });
});

describe('a change of an order', () => {
  const cases: readonly (readonly [string, FormFields, number])[] = [
    ['a FriendlyName of 65 characters', { FriendlyName: longText(65) }, 22116],
    ['a UniqueName of 129 characters', { UniqueName: longText(129) }, 22115],
    ['an Email that is none', { Email: 'nobody' }, 22104],
    ['a Status that is no status', { Status: 'happy' }, 22111],
    ['a Status that a client may not set', { Status: 'completed' }, 22112],
    ['a VerificationCode of its own', { VerificationCode: '123456' }, 22114],
    ['a VerificationType that is none', { VerificationType: 'telepathy' }, 22120],
    ['an Extension with letters', { Extension: '12ab' }, 22117],
    ['a CallDelay of 61 seconds', { CallDelay: '61' }, 21454],
    ['a CallDelay below zero', { CallDelay: '-1' }, 21454],
    ['a CallDelay that is no number', { CallDelay: 'soon' }, 21454],
    [
      'a phone bill that nobody handed in',
      { VerificationType: 'phone-bill', VerificationDocumentSid: noSid('RI') },
      22118,
    ],
    [
      'a bad field beside a good one',
      { FriendlyName: 'changed', Status: 'pending-verification', Extension: 'x' },
      22117,
    ],
  ];

  it('with anything wrong is refused with its code and changes nothing', async () => {
    const order = await steps.create({ friendlyName: 'as it was' });
    const before = (await http.get(`${ordersPath}/${order.sid}`)).body;
    for (const [what, fields, code] of cases) {
      const answer = await http.post(`${ordersPath}/${order.sid}`, fields);
      expect(answer.body, what).toMatchObject({ code });
    }
    expect((await http.get(`${ordersPath}/${order.sid}`)).body).toEqual(before);
    expect(await outside.callsTo(order.phoneNumber)).toEqual([]);
  });

  it('starts no second call while one is on (22112), and never takes the code from the client', async () => {
    const order = await steps.create();
    const code = await steps.startCall(order.sid);
    expect(await refusal(steps.startCall(order.sid))).toEqual({ status: 400, code: 22112 });
    const posted = await http.post(`${ordersPath}/${order.sid}`, { VerificationCode: code });
    expect(posted.body).toMatchObject({ code: 22113 });
    expect(await steps.status(order.sid)).toBe('pending-verification');
    expect(await outside.callsTo(order.phoneNumber)).toHaveLength(1);
  });

  it('makes a new code for a new call, and the old one is void', async () => {
    const order = await steps.create();
    const first = await steps.startCall(order.sid);
    await outside.act(await outside.ringing(order.phoneNumber), 'reject');
    await steps.untilCallEnded(order.sid, 1);
    const second = await steps.startCall(order.sid);
    await outside.act(await outside.ringing(order.phoneNumber), 'answer');
    if (first !== second) await outside.keyAtPrompt(order.phoneNumber, 1, first);
    await outside.keyAtPrompt(order.phoneNumber, first === second ? 1 : 2, second);
    expect(await steps.untilStatus(order.sid, 'verified')).toMatchObject({ verificationAttempts: 2 });
  });

  it('waits the call delay, dials the extension, and says both', async () => {
    const order = await steps.create();
    const answer = await http.post(`${ordersPath}/${order.sid}`, {
      VerificationType: 'phone-call',
      Status: 'pending-verification',
      Extension: 'ww123#',
      CallDelay: '1',
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { extension: 'ww123#', call_delay: 1, status: 'pending-verification' },
    });
    await outside.act(await outside.ringing(order.phoneNumber), 'answer');
    await until(async () => {
      const [call] = await outside.callsTo(order.phoneNumber);
      return call?.heard.some(({ text }) => text.includes('dials 123#'));
    });
  });

  it('proves ownership by a phone bill that an administrator accepts', async () => {
    const order = await steps.create();
    const upload = new FormData();
    upload.append('File', new File(['%PDF-1.4 a phone bill'], 'bill.pdf', { type: 'application/pdf' }));
    const bill = await http.send('/HostedNumbers/VerificationDocuments', { method: 'POST', body: upload });
    expect(bill.status, JSON.stringify(bill.body)).toBe(201);
    const handedIn = await http.post(`${ordersPath}/${order.sid}`, {
      VerificationType: 'phone-bill',
      VerificationDocumentSid: String(bill.body?.['sid']),
      Status: 'pending-verification',
    });
    expect(handedIn).toMatchObject({
      status: 200,
      body: { status: 'pending-verification', verification_code: null, verification_attempts: 0 },
    });
    const reviewed = await admin.post(`/admin/HostedNumberOrders/${order.sid}`, {
      Action: 'review-bill',
      Accepted: 'true',
    });
    expect(reviewed).toMatchObject({ status: 200, body: { status: 'verified' } });
  });
});

describe('an authorization document that is asked for wrongly (domain.md §1.4)', () => {
  it('is refused with its code, and the order stays as it was', async () => {
    const order = await steps.create();
    const good = { HostedNumberOrderSids: order.sid, Email: 'signer@example.com' };
    const cases: readonly (readonly [string, FormFields, number])[] = [
      ['no order', { HostedNumberOrderSids: [] }, 20001],
      ['an order sid that is none', { HostedNumberOrderSids: 'HR1' }, 22101],
      ['an order nobody has', { HostedNumberOrderSids: noSid('HR') }, 22101],
      ['one good order and an unknown one', { HostedNumberOrderSids: [order.sid, noSid('HR')] }, 22101],
      ['no Email', { Email: [] }, 20001],
      ['an Email that is none', { Email: 'nobody' }, 22104],
      ['a CcEmails that holds a bad one', { CcEmails: ['a@example.com', 'nobody'] }, 22104],
      ['an AddressSid nobody has', { AddressSid: noSid('AD') }, 22109],
      ['a ContactPhoneNumber that is none', { ContactPhoneNumber: 'the front desk' }, 20001],
    ];
    for (const [what, fields, code] of cases) {
      const answer = await http.post(documentsPath, { ...good, ...fields });
      expect(answer.body, what).toMatchObject({ code });
    }
    expect(await steps.status(order.sid)).toBe('received');
    expect((await http.get(documentsPath)).body?.['items']).not.toContainEqual(
      expect.objectContaining({ email: good.Email, status: 'signing' }),
    );
  });

  it('for an order on another document is refused with 22101', async () => {
    const order = await steps.create();
    await steps.authorise(order.sid);
    expect(await refusal(steps.authorise(order.sid))).toEqual({ status: 400, code: 22101 });
  });

  it('may cover many orders, lists them, and completes them all with one signature', async () => {
    const orders = [await steps.create(), await steps.create(), await steps.create()];
    const sids = orders.map(({ sid }) => sid);
    const { documentSid, email } = await steps.authorise(...sids);
    const document = client.preview.hosted_numbers.authorizationDocuments(documentSid);
    const dependents = await document.dependentHostedNumberOrders.list({ pageSize: 2 });
    expect(dependents.map(({ sid }) => sid).toSorted()).toEqual(sids.toSorted());
    await outside.sign((await outside.letterTo(email)).link);
    for (const order of orders) {
      const code = await steps.startCall(order.sid);
      await outside.answerWith(order.phoneNumber, code);
    }
    for (const sid of sids) await steps.untilStatus(sid, 'completed');
  });

  it('in signing is changed only after it was set back to opened (22107), with a new link then', async () => {
    const order = await steps.create();
    const { documentSid, email } = await steps.authorise(order.sid);
    const { link } = await outside.letterTo(email);
    const document = client.preview.hosted_numbers.authorizationDocuments(documentSid);
    expect(await refusal(document.update({ email: 'other@example.com' }))).toEqual({
      status: 400,
      code: 22107,
    });
    expect(await http.post(`${documentsPath}/${documentSid}`, { Status: 'signed' })).toMatchObject({
      status: 400,
      body: { code: 22122 },
    });
    expect((await document.update({ status: 'opened' })).status).toBe('opened');
    expect((await document.update({ email: 'other@example.com' })).email).toBe('other@example.com');
    expect((await document.update({ status: 'signing' })).status).toBe('signing');
    const renewed = await outside.letterTo('other@example.com');
    expect(await outside.sign(link)).toBeGreaterThanOrEqual(400);
    expect(await outside.sign(renewed.link)).toBe(200);
    await until(async () => (await document.fetch()).status === 'signed');
    expect(await refusal(document.update({ status: 'opened' }))).toEqual({ status: 400, code: 22107 });
  });
});
