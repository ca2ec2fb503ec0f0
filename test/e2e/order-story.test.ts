/** One order from request to completion and beyond, as its customer sees it through the official Twilio client. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderSteps, type OrderSteps } from '../support/order-steps.ts';
import { outsideWorldAt, type Outside } from '../support/outside.ts';
import { startService, type Service } from '../support/service.ts';
import { refusal, twilioFor, type TwilioClient } from '../support/twilio.ts';
import { until } from '../support/until.ts';

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

let service: Service;
let client: TwilioClient;
let outside: Outside;
let steps: OrderSteps;

beforeAll(async () => {
  service = await startService();
  client = twilioFor(service);
  outside = outsideWorldAt(service.local.url);
  steps = orderSteps(client, outside);
});
afterAll(() => service?.stop());

describe('a hosted number order (service.md §3.1)', () => {
  it('goes from request to completed: call answered, letter signed, registered, route tested', async () => {
    const order = await steps.create({ friendlyName: 'Front desk' });
    expect(order).toMatchObject({
      status: 'received',
      friendlyName: 'Front desk',
      accountSid: service.credentials.accountSid,
      verificationAttempts: 0,
      verificationCode: null,
      signingDocumentSid: null,
    });
    expect(order.sid).toMatch(/^HR[0-9a-f]{32}$/);
    expect(order.incomingPhoneNumberSid).toMatch(/^PN[0-9a-f]{32}$/);

    const code = await steps.startCall(order.sid);
    expect(code).toMatch(/^\d{6}$/);
    await outside.answerWith(order.phoneNumber, code);
    const verified = await steps.untilStatus(order.sid, 'verified');
    expect(verified).toMatchObject({ verificationAttempts: 1, verificationCode: null });
    expect(verified.verificationCallSids).toHaveLength(1);

    const { documentSid, email } = await steps.authorise(order.sid);
    expect(await steps.status(order.sid)).toBe('pending-loa');
    const { mail, link } = await outside.letterTo(email);
    expect(mail.attachments).toMatchObject([{ contentType: 'application/pdf' }]);
    expect(await outside.sign(link)).toBe(200);

    const completed = await steps.untilStatus(order.sid, 'completed');
    expect(completed).toMatchObject({ signingDocumentSid: documentSid });
    expect(completed.capabilities).toMatchObject({ sms: true });
    const document = await client.preview.hosted_numbers.authorizationDocuments(documentSid).fetch();
    expect(document.status).toBe('signed');
    expect((await outside.registry(order.phoneNumber)).registration).toMatchObject({ state: 'accepted' });
    expect(await outside.callsTo(order.phoneNumber)).toHaveLength(1);
    const copies = await until(async () => {
      const mails = await outside.mailsTo(email);
      return mails.length === 2 && mails;
    });
    expect(copies.filter(({ links }) => links.some((link) => link.includes('/sign/')))).not.toHaveLength(0);
  });

  it('is authorised with nothing but its sid and an e-mail address, as the specification shows it', async () => {
    const order = await steps.create();
    await steps.verify(order);
    const response = await fetch(`${service.url}/HostedNumbers/AuthorizationDocuments`, {
      method: 'POST',
      headers: { Authorization: basic(service.credentials.accountSid, service.credentials.authToken) },
      body: new URLSearchParams([
        ['HostedNumberOrderSids', order.sid],
        ['Email', 'plain@example.com'],
        ['CcEmails', 'one@example.com'],
        ['CcEmails', 'two@example.com'],
      ]),
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ status: 'signing', email: 'plain@example.com' });
    const { link } = await outside.letterTo('plain@example.com');
    expect(await outside.sign(link, { signerName: '' })).toBe(400);
    expect(await outside.sign(link)).toBe(200);
    await steps.untilStatus(order.sid, 'completed');
    await until(async () => (await outside.mailsTo('one@example.com')).length > 0);
    await until(async () => (await outside.mailsTo('two@example.com')).length > 0);
  });

  it('can have its number configured before it is completed, and shows it among the incoming phone numbers', async () => {
    const order = await steps.create();
    const number = client.incomingPhoneNumbers(order.incomingPhoneNumberSid);
    const configured = await number.update({ smsUrl: 'https://example.com/sms', smsMethod: 'GET' });
    expect(configured).toMatchObject({
      smsUrl: 'https://example.com/sms',
      smsMethod: 'GET',
      phoneNumber: order.phoneNumber,
      origin: 'hosted',
    });
    const listed = await client.incomingPhoneNumbers.list({ phoneNumber: order.phoneNumber });
    expect(listed.map(({ sid }) => sid)).toEqual([order.incomingPhoneNumberSid]);
  });

  it('is verified beside the letter when the letter goes out first', async () => {
    const order = await steps.create();
    const { email } = await steps.authorise(order.sid);
    const { link } = await outside.letterTo(email);
    expect(await outside.sign(link)).toBe(200);
    const code = await steps.startCall(order.sid);
    expect(await steps.status(order.sid)).toBe('pending-loa');
    await outside.answerWith(order.phoneNumber, code);
    await steps.untilStatus(order.sid, 'completed');
  });

  it('shows its call as it goes: ringing, in progress, completed after so many seconds', async () => {
    const order = await steps.create();
    const code = await steps.startCall(order.sid);
    const sid = await until(
      async () =>
        (await client.preview.hosted_numbers.hostedNumberOrders(order.sid).fetch()).verificationCallSids[0],
    );
    expect(await client.calls(sid).fetch()).toMatchObject({
      status: 'ringing',
      to: order.phoneNumber,
      duration: null,
    });
    await outside.act(await outside.ringing(order.phoneNumber), 'answer');
    await until(async () => (await client.calls(sid).fetch()).status === 'in-progress');
    await outside.keyAtPrompt(order.phoneNumber, 1, code);
    await steps.untilStatus(order.sid, 'verified');
    const ended = await client.calls(sid).fetch();
    expect(ended).toMatchObject({ status: 'completed', duration: expect.stringMatching(/^\d$/) as string });
  });

  it('takes the code at the fourth prompt', async () => {
    const order = await steps.create();
    const code = await steps.startCall(order.sid);
    const wrong = code === '000000' ? '111111' : '000000';
    await outside.act(await outside.ringing(order.phoneNumber), 'answer');
    for (const [index, digits] of [wrong, wrong, wrong, code].entries())
      await outside.keyAtPrompt(order.phoneNumber, index + 1, digits);
    await steps.untilStatus(order.sid, 'verified');
  });

  it('hangs up after four wrong codes, and has used one attempt', async () => {
    const order = await steps.create();
    const code = await steps.startCall(order.sid);
    const wrong = code === '000000' ? '111111' : '000000';
    await outside.act(await outside.ringing(order.phoneNumber), 'answer');
    for (const prompt of [1, 2, 3, 4]) await outside.keyAtPrompt(order.phoneNumber, prompt, wrong);
    await until(async () => (await outside.callsTo(order.phoneNumber))[0]?.state === 'completed');
    const after = await until(async () => {
      const again = await client.preview.hosted_numbers.hostedNumberOrders(order.sid).fetch();
      return again.verificationCode === null && again;
    });
    expect(after).toMatchObject({ status: 'pending-verification', verificationAttempts: 1 });
  });

  it('needs an administrator after three calls that nobody answers, who gives the attempts back', async () => {
    const order = await steps.create();
    for (let attempt = 1; attempt <= 3; attempt++) await steps.rejectCall(order);
    const waiting = await steps.untilStatus(order.sid, 'action-required');
    expect(waiting).toMatchObject({ verificationAttempts: 3 });
    expect(waiting.failureReason).toMatch(/not verified in 3 calls/);
    expect(await refusal(steps.startCall(order.sid))).toEqual({ status: 400, code: 22100 });

    const answered = await fetch(`${service.url}/admin/HostedNumberOrders/${order.sid}`, {
      method: 'POST',
      headers: { Authorization: basic('admin', service.credentials.adminToken) },
      body: new URLSearchParams({ Action: 'reset-verification', Reason: 'the owner was on holiday' }),
    });
    expect(answered.status).toBe(200);
    expect(await steps.status(order.sid)).toBe('received');
    await steps.verify(order);
    expect(await steps.status(order.sid)).toBe('verified');
  });

  it('goes back when the signer declines, and can be authorised anew', async () => {
    const order = await steps.create();
    await steps.verify(order);
    const first = await steps.authorise(order.sid);
    await outside.decline((await outside.letterTo(first.email)).link, 'not my number');
    const back = await steps.untilStatus(order.sid, 'verified');
    expect(back.signingDocumentSid).toBeNull();
    const second = await steps.authorise(order.sid);
    await outside.sign((await outside.letterTo(second.email)).link);
    await steps.untilStatus(order.sid, 'completed');
  });

  it('that the registry rejects waits for an administrator, and its rejection is the reason', async () => {
    const order = await steps.create();
    await outside.setRegistry(order.phoneNumber, { Behaviour: 'rejecting' });
    await steps.verify(order);
    const { email } = await steps.authorise(order.sid);
    await outside.sign((await outside.letterTo(email)).link);
    const waiting = await steps.untilStatus(order.sid, 'action-required');
    expect(waiting.failureReason).not.toBe('');
  });

  it('is released, answers 404 from then on, and its number cannot be ordered while it retires', async () => {
    const order = await steps.complete();
    const number = client.incomingPhoneNumbers(order.incomingPhoneNumberSid);
    expect(await number.remove()).toBe(true);
    expect(await refusal(number.fetch())).toEqual({ status: 404, code: 20404 });
    expect(await refusal(steps.create({ phoneNumber: order.phoneNumber }))).toEqual({
      status: 400,
      code: 22110,
    });
    expect(
      await refusal(
        client.messages.create({ from: order.phoneNumber, to: '+14155550188', body: 'too late' }),
      ),
    ).toMatchObject({ code: 21606 });
  });
});
