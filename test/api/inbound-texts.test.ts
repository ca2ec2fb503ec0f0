/** Texts that come in: stored once, told to every endpoint, opt-outs kept (domain.md §2.5, §5.2, §6.4). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSid } from '../../security/derived-sid.ts';
import { startMessageCustomer, type MessageCustomer } from '../support/message-customer.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { refusal } from '../support/twilio.ts';
import { until } from '../support/until.ts';

let customer: MessageCustomer;

beforeAll(async () => {
  customer = await startMessageCustomer();
});
afterAll(() => customer?.stop());

const inboundOf = async (line: string) => (await customer.client.messages.list({ to: line }))[0];

describe('a text that comes in', () => {
  it('is stored and told once, however often the carrier brings it', async () => {
    const { phoneNumber: to } = await customer.host();
    const text = { from: newPhoneNumber(), to, body: 'hello', sid: `carrier-${to}` };
    const answers = await Promise.all([customer.bring(text), customer.bring(text), customer.bring(text)]);
    answers.push(await customer.bring(text));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.filter(({ body }) => body['status'] === 'stored')).toHaveLength(1);
    const [event] = await customer.untilEvents(to, 1);
    expect(event).toMatchObject({
      type: 'message/receive',
      payload: {
        body: 'hello',
        messageType: 'MO',
        statusCode: 4,
        address: `ptn:/${text.from}`,
        finalSource: text.from,
        finalDestination: to,
      },
    });
    expect(await customer.client.messages.list({ to })).toMatchObject([
      { direction: 'inbound', status: 'received', from: text.from, to, body: 'hello' },
    ]);
    // Another text, so that a second event of the first one would have come before it.
    await customer.bring({ ...text, sid: `${text.sid}-2`, body: 'next' });
    const events = await customer.untilEvents(to, 2);
    expect(events.map(({ payload }) => payload['body'])).toEqual(['hello', 'next']);
  });

  it('for no number of ours is refused, and nothing is stored', async () => {
    const to = newPhoneNumber();
    const { status, body } = await customer.bring({ from: newPhoneNumber(), to, body: 'hello' });
    expect([status, body.code]).toEqual([404, 20404]);
  });

  it('for a number that is not completed is refused: nobody has proved that it is theirs', async () => {
    const phoneNumber = newPhoneNumber();
    await customer.client.preview.hosted_numbers.hostedNumberOrders.create({
      phoneNumber,
      smsCapability: true,
    });
    expect((await customer.bring({ from: newPhoneNumber(), to: phoneNumber, body: 'hello' })).status).toBe(
      404,
    );
  });

  it('still reaches its customer in the days between release and retirement', async () => {
    const { phoneNumber: to, numberSid } = await customer.host();
    await customer.client.incomingPhoneNumbers(numberSid).remove();
    expect((await customer.bring({ from: newPhoneNumber(), to, body: 'too late?' })).status).toBe(200);
    expect(await customer.untilEvents(to, 1)).toMatchObject([{ type: 'message/receive' }]);
  });

  it('needs the carrier’s credentials and every field', async () => {
    const { phoneNumber } = await customer.host();
    const form = { MessageSid: 'x', From: newPhoneNumber(), To: phoneNumber, Body: 'hello' };
    const wrong = await customer.call('POST', '/carrier/messages', { form, as: ['carrier', 'wrong'] });
    expect([wrong.status, wrong.body.code]).toEqual([401, 20003]);
    const as = ['carrier', customer.service.credentials.carrierToken] as const;
    for (const field of ['MessageSid', 'From', 'To']) {
      const { status } = await customer.call('POST', '/carrier/messages', {
        form: { ...form, [field]: '' },
        as,
      });
      expect(status, field).toBe(400);
    }
  });

  it('that only reads like a route test is a text: those come from a number of their own', async () => {
    const { phoneNumber: to } = await customer.host();
    const body = `route-test ${newSid('hostedNumberOrder')} 1`;
    const brought = await customer.bring({ from: newPhoneNumber(), to, body });
    expect(brought).toMatchObject({ status: 200, body: { status: 'stored' } });
    expect(await customer.untilEvents(to, 1)).toMatchObject([{ type: 'message/receive', payload: { body } }]);
  });

  it('of any characters comes through whole', async () => {
    const { phoneNumber: to } = await customer.host();
    const body = 'Grüße 😀\n"<&>\u202E\\ ' + 'ж'.repeat(300);
    await customer.bring({ from: newPhoneNumber(), to, body });
    const [event] = await customer.untilEvents(to, 1);
    expect(event?.payload['body']).toBe(body);
    expect((await inboundOf(to))?.body).toBe(body);
  });
});

it.each([
  ['with media after it came without', ['', 'https://example.com/a.gif']],
  ['without media after it came with some', ['https://example.com/a.gif', '']],
])('a text that the carrier brings again %s is the same text', async (_, [first = '', second = '']) => {
  const { phoneNumber: to } = await customer.host();
  const as = ['carrier', customer.service.credentials.carrierToken] as const;
  const text = { MessageSid: `twice-${to}`, From: newPhoneNumber(), To: to, Body: 'hello' };
  const bring = (MediaUrl: string) =>
    customer.call('POST', '/carrier/messages', { form: { ...text, ...(MediaUrl && { MediaUrl }) }, as });
  expect((await bring(first)).status).toBe(200);
  expect((await bring(second)).status).toBe(200);
  expect(await customer.client.messages.list({ to })).toHaveLength(1);
});

it('media of a text are told to the endpoint and to SmsUrl', async () => {
  const { phoneNumber: to, numberSid } = await customer.host();
  await customer.client.incomingPhoneNumbers(numberSid).update({ smsUrl: `${customer.sink.url}/media` });
  const form = new URLSearchParams({ MessageSid: `mms-${to}`, From: newPhoneNumber(), To: to });
  for (const name of ['a.gif', 'b.vcf']) form.append('MediaUrl', `https://example.com/${name}`);
  const as = ['carrier', customer.service.credentials.carrierToken] as const;
  const { status } = await customer.call('POST', '/carrier/messages', { form: form.toString(), as });
  expect(status).toBe(200);
  const [event] = await customer.untilEvents(to, 1);
  expect(event?.payload).toMatchObject({ hasAttachment: true, body: '' });
  const asked = await until(() =>
    customer.seenAt('/media').find(({ body }) => body.includes(encodeURIComponent(to))),
  );
  const { sid } = await until(() => inboundOf(to));
  expect(sid).toMatch(/^MM/);
  expect(Object.fromEntries(new URLSearchParams(asked.body))).toMatchObject({
    NumMedia: '2',
    MediaContentType0: 'image/gif',
    MediaContentType1: 'text/vcard',
    MediaUrl0: expect.stringMatching(new RegExp(`/Messages/${sid}/Media/ME[0-9a-f]{32}$`)),
  });
});

describe('opting out (service.md §2.5)', () => {
  it('is told once per real change, stops messages, and is undone by a start word', async () => {
    const { phoneNumber: to } = await customer.host();
    const from = newPhoneNumber();
    const say = (body: string) => customer.bring({ from, to, body });
    const send = () => customer.client.messages.create({ from: to, to: from, body: 'news' });
    for (const body of ['yes', ' sToP\n', 'Unsubscribe']) await say(body);
    expect(await refusal(send())).toEqual({ status: 400, code: 21610 });
    for (const body of ['YES', 'start', 'unstop']) await say(body);
    await send();
    const events = await customer.untilEvents(to, 6 + 2 + 1);
    const changes = events.filter(({ type }) => type === 'optout/change');
    expect(changes).toHaveLength(2);
    const told = new Map(changes.map(({ payload }) => [payload['type'], payload]));
    expect(told.get('UNSTOP')).toMatchObject({ messageBody: 'YES' });
    const stop = events.find(({ payload }) => payload['body'] === ' sToP\n');
    expect(told.get('STOP')).toEqual({
      messageBody: ' sToP\n',
      line: to,
      contact: from,
      messageId: String(stop?.payload['id']),
      type: 'STOP',
      eventDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/),
    });
  });

  it('is not undone by an earlier text that the carrier brings again, nor brought back by one', async () => {
    const { phoneNumber: to } = await customer.host();
    const from = newPhoneNumber();
    const say = (body: string, sid: string) => customer.bring({ from, to, body, sid: `${to}-${sid}` });
    const send = () => customer.client.messages.create({ from: to, to: from, body: 'news' });
    await say('STOP', 'first');
    await say('UNSTOP', 'second');
    await say('STOP', 'third');
    expect((await say('UNSTOP', 'second')).body).toMatchObject({ status: 'repeated' });
    expect(await refusal(send())).toEqual({ status: 400, code: 21610 });
    await say('START', 'fourth');
    await say('STOP', 'first');
    await send();
    const events = await customer.untilEvents(to, 4 + 4 + 1);
    const changes = events
      .filter(({ type }) => type === 'optout/change')
      .map(({ payload }) => String(payload['type']));
    expect(changes.toSorted()).toEqual(['STOP', 'STOP', 'UNSTOP', 'UNSTOP']);
  });

  it('concerns one line and one contact', async () => {
    const [one, other] = [await customer.host(), await customer.host()];
    const from = newPhoneNumber();
    await customer.bring({ from, to: one.phoneNumber, body: 'STOP' });
    const message = await customer.client.messages.create({ from: other.phoneNumber, to: from, body: 'hi' });
    expect(message.status).toBe('queued');
  });

  it('is told after the text that caused it', async () => {
    const { phoneNumber: to } = await customer.host();
    await customer.bring({ from: newPhoneNumber(), to, body: 'STOP' });
    const events = await customer.untilEvents(to, 2);
    expect(events.map(({ type }) => type)).toEqual(['message/receive', 'optout/change']);
  });
});

describe('a number that a carrier spells without its plus', () => {
  it('is the same contact, and what it asks for holds', async () => {
    const { phoneNumber: to } = await customer.host();
    const from = newPhoneNumber();
    await customer.bring({ from: from.slice(1), to, body: 'STOP' });
    expect(await refusal(customer.client.messages.create({ from: to, to: from, body: 'hi' }))).toMatchObject({
      code: 21610,
    });
    expect((await inboundOf(to))?.from).toBe(from);
  });
});
