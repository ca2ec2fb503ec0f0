/** Messages through the official client (domain.md §2.2), and the events of what goes out (domain.md §6.4). */
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import twilio from 'twilio';
import { derivedSid } from '../../security/derived-sid.ts';
import {
  newTollFreeNumber,
  startMessageCustomer,
  type MessageCustomer,
} from '../support/message-customer.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { refusal, twilioFor } from '../support/twilio.ts';
import { until, type UntilOptions } from '../support/until.ts';

let customer: MessageCustomer;
let line: string;

beforeAll(async () => {
  customer = await startMessageCustomer();
  ({ phoneNumber: line } = await customer.host());
});
afterAll(() => customer?.stop());

const send = (changes: Partial<Parameters<MessageCustomer['client']['messages']['create']>[0]> = {}) =>
  customer.client.messages.create({ from: line, to: newPhoneNumber(), body: 'hello', ...changes });
const statusOf = async (sid: string) => (await customer.client.messages(sid).fetch()).status;
const untilStatus = (sid: string, status: string, options?: UntilOptions) =>
  until(async () => {
    const message = await customer.client.messages(sid).fetch();
    return message.status === status && message;
  }, options);

describe('a message that is sent', () => {
  it('is answered as queued, arrives at the handset and is told step by step, in order', async () => {
    const { phoneNumber: from } = await customer.host();
    const message = await send({ from });
    expect(message).toMatchObject({
      sid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
      status: 'queued',
      direction: 'outbound-api',
      body: 'hello',
      numSegments: '1',
      numMedia: '0',
      from,
      errorCode: null,
      dateSent: null,
    });
    expect(message.dateCreated.getTime()).toBeGreaterThan(Date.now() - 60_000);
    await untilStatus(message.sid, 'delivered');
    const events = await customer.untilEvents(from, 3);
    expect(events.map(({ type, payload }) => [type, payload['statusCode']])).toEqual([
      ['message/send', 2],
      ['message/progress', 1],
      ['message/progress', 4],
    ]);
    const [first] = events;
    expect(first?.request.headers['content-type']).toBe('application/json;charset=UTF-8');
    expect(first?.payload).toMatchObject({ address: `ptn:/${message.to}`, messageType: 'ZO', body: 'hello' });
  });

  it('goes to a short code as well', async () => {
    const { phoneNumber: from } = await customer.host();
    const message = await send({ from, to: '24242', body: 'HELP' });
    await untilStatus(message.sid, 'delivered');
    const [first] = await customer.untilEvents(from, 3);
    expect(first?.payload).toMatchObject({ address: 'ptn:/24242', finalDestination: '24242' });
  });

  it('on a toll-free line ends with the word of the handset', async () => {
    const { phoneNumber: from } = await customer.host(newTollFreeNumber());
    const [good, bad] = [newPhoneNumber(), `${newPhoneNumber().slice(0, 8)}9991`];
    const lost = await send({ from, to: bad });
    await untilStatus(lost.sid, 'undelivered');
    const taken = await send({ from, to: good });
    await untilStatus(taken.sid, 'delivered');
    const events = await customer.untilEvents(from, 6);
    const codesOf = (to: string) =>
      events
        .filter(({ payload }) => payload['finalDestination'] === to)
        .map(({ payload }) => payload['statusCode']);
    expect(codesOf(bad)).toEqual([2, 1, 7]);
    expect(codesOf(good)).toEqual([2, 1, 6]);
  });

  it('that the carrier refuses fails with its reason', async () => {
    const { phoneNumber: from } = await customer.host();
    const message = await send({ from, to: `${newPhoneNumber().slice(0, 8)}9993` });
    expect(await untilStatus(message.sid, 'failed')).toMatchObject({
      errorCode: 30005,
      errorMessage: 'The handset is unknown',
    });
    const events = await customer.untilEvents(from, 3);
    expect(events.map(({ payload }) => payload['statusCode'])).toEqual([2, 1, 5]);
  });

  it('tells its status callback every status but the first, signed and in order', async () => {
    const statusCallback = `${customer.sink.url}/status?a=1`;
    const message = await send({ statusCallback });
    await untilStatus(message.sid, 'delivered');
    const seen = await until(() => {
      const calls = customer.seenAt('/status');
      return calls.length >= 3 && calls;
    });
    const forms = seen.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    expect(forms.map((form) => form['MessageStatus'])).toEqual(['sending', 'sent', 'delivered']);
    expect(forms[0]).toMatchObject({
      MessageSid: message.sid,
      SmsSid: message.sid,
      From: line,
      To: message.to,
    });
    for (const [index, { headers }] of seen.entries()) {
      const signature = String(headers['x-twilio-signature']);
      const { authToken } = customer.service.credentials;
      expect(twilio.validateRequest(authToken, signature, statusCallback, forms[index] ?? {})).toBe(true);
    }
  });

  it('is made once however often its Idempotency-Key comes', async () => {
    const { phoneNumber: from } = await customer.host();
    const form = { From: from, To: newPhoneNumber(), Body: 'once' };
    const path = `/2010-04-01/Accounts/${customer.service.credentials.accountSid}/Messages.json`;
    const post = () => customer.call('POST', path, { form, headers: { 'Idempotency-Key': `key ${from}` } });
    const answers = [...(await Promise.all([post(), post(), post()])), await post()];
    expect(new Set(answers.map(({ status, body }) => `${status} ${String(body['sid'])}`)).size).toBe(1);
    await untilStatus(String(answers[0]?.body['sid']), 'delivered');
    expect(await customer.client.messages.list({ from })).toHaveLength(1);
    expect(customer.eventsOf(from).filter(({ type }) => type === 'message/send')).toHaveLength(1);
  });

  it('of more than 700 bytes has its text in an attachment', async () => {
    const { phoneNumber: from } = await customer.host();
    const body = 'é'.repeat(400);
    expect((await send({ from, body })).body).toBe(body);
    const [event] = await customer.untilEvents(from, 1);
    expect(event?.payload).toMatchObject({ hasAttachment: true, bodySize: 700, body: 'é'.repeat(350) });
  });
});

describe('a message that is refused', () => {
  it.each([
    ['without a recipient', { to: '' }, 21604],
    ['without a sender', { from: '' }, 21603],
    ['without content', { body: '' }, 21602],
    ['to no number', { to: 'Bob' }, 21211],
    ['to an impossible number', { to: '+1415' }, 21211],
    ['to a number that its country has none of', { to: '+14155550' }, 21211],
    ['to digits that are no short code', { to: '1234567' }, 21211],
    ['from no number', { from: 'Shop' }, 21212],
    ['from a number that nobody hosts', { from: '+14155550123' }, 21606],
    ['longer than 1600 characters', { body: 'x'.repeat(1601) }, 21617],
    ['with a callback that is no URL', { statusCallback: 'nowhere' }, 21609],
    ['with media that are no URL', { mediaUrl: ['nowhere'] }, 21620],
    ['with media of a line break', { mediaUrl: ['https://exa\nmple.com/x'] }, 21620],
    ['with media at an address that is not public', { mediaUrl: ['http://169.254.169.254/'] }, 21620],
    ['scheduled for the past', { sendAt: new Date(0), scheduleType: 'fixed' as const }, 20001],
  ])('%s gets its code', async (_, changes, code) => {
    expect(await refusal(send(changes))).toEqual({ status: 400, code });
  });

  it('because its schedule has no time is told so, and nothing is sent', async () => {
    const { phoneNumber: from } = await customer.host();
    const path = `/2010-04-01/Accounts/${customer.service.credentials.accountSid}/Messages.json`;
    const form = { From: from, To: newPhoneNumber(), Body: 'later', ScheduleType: 'fixed', SendAt: '' };
    expect(await customer.call('POST', path, { form })).toMatchObject({
      status: 400,
      body: { code: 20001, message: 'SendAt is missing' },
    });
    expect(await customer.client.messages.list({ from })).toEqual([]);
  });

  it('to the line it comes from gets 21266: it would never be received', async () => {
    expect(await refusal(send({ to: line }))).toEqual({ status: 400, code: 21266 });
  });

  it("because its line is another account's gets 21606, and no workflow is made for it", async () => {
    const { phoneNumber: from } = await customer.host();
    const { temporal, ...service } = customer.service;
    const started = vi.spyOn(temporal.workflow, 'executeUpdateWithStart');
    onTestFinished(() => started.mockRestore());
    const stranger = twilioFor(service, await service.addAccount());
    const sending = stranger.messages.create({ from, to: newPhoneNumber(), body: 'not mine' });
    expect(await refusal(sending)).toEqual({ status: 400, code: 21606 });
    expect(started).not.toHaveBeenCalled();
    await send({ from });
    expect(started).toHaveBeenCalledOnce();
  });

  it('because its number is not completed yet, or was released, gets 21606', async () => {
    const phoneNumber = newPhoneNumber();
    await customer.client.preview.hosted_numbers.hostedNumberOrders.create({
      phoneNumber,
      smsCapability: true,
    });
    expect(await refusal(send({ from: phoneNumber }))).toEqual({ status: 400, code: 21606 });
    const released = await customer.host();
    await customer.client.incomingPhoneNumbers(released.numberSid).remove();
    expect(await refusal(send({ from: released.phoneNumber }))).toEqual({ status: 400, code: 21606 });
  });
});

describe('a scheduled message', () => {
  it('can be canceled, once, and is not deleted before', async () => {
    const message = await send({ sendAt: new Date(Date.now() + 3_600_000), scheduleType: 'fixed' });
    expect(message.status).toBe('scheduled');
    const own = customer.client.messages(message.sid);
    expect(await refusal(own.remove())).toEqual({ status: 409, code: 20009 });
    expect((await own.update({ status: 'canceled' })).status).toBe('canceled');
    expect(await refusal(own.update({ status: 'canceled' }))).toEqual({ status: 409, code: 20409 });
    expect(await own.remove()).toBe(true);
  });

  /** So far off that what has to happen before has happened. Those who wait for it wait together. */
  const soon = () => new Date(Date.now() + 15_000);
  const patience = { timeoutMs: 45_000 };

  it.concurrent('goes out when its time has come, also without ScheduleType', async () => {
    const sendAt = soon();
    const message = await send({ sendAt });
    expect(message.status).toBe('scheduled');
    const { dateSent } = await untilStatus(message.sid, 'delivered', patience);
    // Told in whole seconds.
    expect(dateSent.getTime()).toBeGreaterThan(sendAt.getTime() - 1_000);
  });

  it.concurrent('is not sent to a recipient who opted out while it waited', async () => {
    const { phoneNumber: from } = await customer.host();
    const to = newPhoneNumber();
    const { sid } = await send({ from, to, sendAt: soon(), scheduleType: 'fixed' });
    await customer.bring({ from: to, to: from, body: 'STOP' });
    expect(await statusOf(sid)).toBe('scheduled');
    expect((await untilStatus(sid, 'failed', patience)).errorCode).toBe(21610);
  });

  it.concurrent('is not sent from a line that was released while it waited', async () => {
    const { phoneNumber: from, numberSid } = await customer.host();
    const { sid } = await send({ from, sendAt: soon(), scheduleType: 'fixed' });
    await customer.client.incomingPhoneNumbers(numberSid).remove();
    expect(await statusOf(sid)).toBe('scheduled');
    expect((await untilStatus(sid, 'failed', patience)).errorCode).toBe(21606);
  });
});

describe('messages afterwards', () => {
  it('are listed with filters and paging', async () => {
    const { phoneNumber: from } = await customer.host();
    const to = newPhoneNumber();
    for (const body of ['one', 'two', 'three']) await send({ from, to, body });
    await customer.bring({ from: to, to: from, body: 'four' });
    const bodies = async (filter: object) =>
      (await customer.client.messages.list({ pageSize: 2, ...filter })).map(({ body }) => body);
    expect(await bodies({ from })).toEqual(['three', 'two', 'one']);
    expect(await bodies({ from: to })).toEqual(['four']);
    await customer.bring({ from: '24242', to: from, body: 'your code' });
    expect(await bodies({ from: '24242', to: from })).toEqual(['your code']);
    expect(await bodies({ to, limit: 1 })).toEqual(['three']);
    await until(
      async () => (await bodies({ from, dateSentAfter: new Date(Date.now() - 60_000) })).length === 3,
    );
    expect(await bodies({ from, dateSent: new Date() })).toHaveLength(3);
    expect(await bodies({ from, dateSentBefore: new Date(Date.now() - 60_000) })).toEqual([]);
  });

  it('lose their text when they are redacted, and are gone when they are removed, which is told', async () => {
    const { phoneNumber: from } = await customer.host();
    const message = await send({ from, body: 'a secret' });
    await untilStatus(message.sid, 'delivered');
    const own = customer.client.messages(message.sid);
    expect((await own.update({ body: '' })).body).toBe('');
    expect(await own.remove()).toBe(true);
    expect(await refusal(own.fetch())).toEqual({ status: 404, code: 20404 });
    const events = await customer.untilEvents(from, 4);
    expect(events.at(-1)).toMatchObject({ type: 'message/delete', payload: { deleted: true, body: '' } });
  });

  it("are nobody else's to see", async () => {
    const { sid } = await send();
    const stranger = twilioFor(customer.service, await customer.service.addAccount());
    expect(await refusal(stranger.messages(sid).fetch())).toEqual({ status: 404, code: 20404 });
    expect(await stranger.messages.list()).toEqual([]);
  });
});

it('media are listed, lead to where they are kept, and can be removed one by one', async () => {
  const mediaUrl = ['https://example.com/\u2713.png', 'https://example.com/two'];
  const message = await send({ body: '', mediaUrl });
  expect(message).toMatchObject({ sid: expect.stringMatching(/^MM/), numMedia: '2' });
  await untilStatus(message.sid, 'delivered');
  const own = customer.client.messages(message.sid);
  const media = await own.media.list();
  expect(media.map(({ contentType }) => contentType).sort()).toEqual([
    'application/octet-stream',
    'image/png',
  ]);
  const picture = media.find(({ contentType }) => contentType === 'image/png');
  const { accountSid, authToken } = customer.service.credentials;
  const content = await fetch(customer.service.url + String(picture?.uri).replace('.json', ''), {
    redirect: 'manual',
    headers: { Authorization: `Basic ${btoa(`${accountSid}:${authToken}`)}` },
  });
  expect([content.status, content.headers.get('location')]).toEqual([
    307,
    'https://example.com/%E2%9C%93.png',
  ]);
  expect(await own.media(String(picture?.sid)).remove()).toBe(true);
  expect(await own.media.list()).toHaveLength(1);
  expect(await refusal(own.media(String(picture?.sid)).fetch())).toEqual({ status: 404, code: 20404 });
});

it('the attachment that carries a long text is none of the media of its message', async () => {
  const { sid } = await send({ body: 'x'.repeat(800) });
  const media = customer.client.messages(sid).media;
  expect(await media.list()).toEqual([]);
  const attachment = derivedSid('media', sid, 'body');
  expect(await refusal(media(attachment).fetch())).toEqual({ status: 404, code: 20404 });
});
