/** Texts that come in: stored once, told to every endpoint, opt-outs kept, SmsUrl asked (domain.md §2.5, §5.2, §6.4). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import twilio from 'twilio';
import { startMessageCustomer, type MessageCustomer } from '../support/message-customer.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { answer, type Behaviour } from '../support/sink.ts';
import { refusal } from '../support/twilio.ts';
import { until } from '../support/until.ts';

const xml = { 'Content-Type': 'text/xml; charset=utf-8' };
const twiml = (body: string): Behaviour => answer(200, xml, `<Response>${body}</Response>`);

let customer: MessageCustomer;

beforeAll(async () => {
  customer = await startMessageCustomer({
    '/reply': twiml('<Message>Fish &amp; chips?</Message>'),
    '/silent': twiml(''),
    '/empty': answer(204),
    '/plain': answer(200, { 'Content-Type': 'text/plain' }, 'just text'),
    '/redirect': twiml('<Message>first</Message><Redirect method="GET">reply?from=redirect</Redirect>'),
    '/action': twiml('<Message action="after">asked</Message><Message>never</Message>'),
    '/after': twiml('<Message>answered</Message>'),
    '/loop': twiml('<Redirect>/loop</Redirect>'),
    '/broken': answer(500),
    '/not-xml': answer(200, xml, '<Response><Message>oops</Response>'),
    '/json': answer(200, { 'Content-Type': 'application/json' }, '{}'),
    '/huge': twiml(`<Message>${'x'.repeat(70_000)}</Message>`),
    '/moved': answer(302, { Location: '/reply' }),
    '/ask-then-break': twiml('<Message action="/broken">Yes or no?</Message>'),
    '/reply-to': (response, request) => {
      const recipient = new URL(request.path, 'http://sink').searchParams.get('recipient');
      return twiml(`<Message to="${recipient}">hi</Message>`)(response, request);
    },
    '/many': twiml('<Message>again</Message>'.repeat(12)),
    '/file': twiml('<Message>look<Media>file:///etc/passwd</Media></Message>'),
    '/long-media': twiml(`<Message>look<Media>${'x'.repeat(2048)}</Media></Message>`),
    '/bad-to': twiml('<Message to="Bob">hi</Message><Message>still sent</Message>'),
  });
});
afterAll(() => customer?.stop());

/** A hosted number whose SmsUrl is one of the pages above. */
async function hostWith(path: string, settings: object = {}): Promise<string> {
  const { phoneNumber, numberSid } = await customer.host();
  await customer.client
    .incomingPhoneNumbers(numberSid)
    .update({ smsUrl: customer.sink.url + path, ...settings });
  return phoneNumber;
}

const repliesOf = (line: string) => customer.client.messages.list({ from: line });
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

  it('of any characters comes through whole', async () => {
    const { phoneNumber: to } = await customer.host();
    const body = 'Grüße 😀\n"<&>\u202E\\ ' + 'ж'.repeat(300);
    await customer.bring({ from: newPhoneNumber(), to, body });
    const [event] = await customer.untilEvents(to, 1);
    expect(event?.payload['body']).toBe(body);
    expect((await inboundOf(to))?.body).toBe(body);
  });
});

it('media of a text are told to the endpoint and to SmsUrl', async () => {
  const to = await hostWith('/silent');
  const form = new URLSearchParams({ MessageSid: `mms-${to}`, From: newPhoneNumber(), To: to });
  for (const name of ['a.gif', 'b.vcf']) form.append('MediaUrl', `https://example.com/${name}`);
  const as = ['carrier', customer.service.credentials.carrierToken] as const;
  const { status } = await customer.call('POST', '/carrier/messages', { form: form.toString(), as });
  expect(status).toBe(200);
  const [event] = await customer.untilEvents(to, 1);
  expect(event?.payload).toMatchObject({ hasAttachment: true, body: '' });
  const asked = await until(() =>
    customer.seenAt('/silent').find(({ body }) => body.includes(encodeURIComponent(to))),
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

describe('the SmsUrl of a number', () => {
  it('is asked Twilio’s way, and its reply goes out', async () => {
    const to = await hostWith('/reply?shop=1');
    const from = newPhoneNumber();
    await customer.bring({ from, to, body: 'menu' });
    const [reply] = await until(async () => {
      const replies = await repliesOf(to);
      return replies.length > 0 && replies;
    });
    expect(reply).toMatchObject({ body: 'Fish & chips?', to: from, direction: 'outbound-reply' });
    const asked = customer.seenAt('/reply').find(({ body }) => new URLSearchParams(body).get('To') === to);
    const form = Object.fromEntries(new URLSearchParams(asked?.body));
    const inbound = await inboundOf(to);
    expect(form).toMatchObject({
      MessageSid: inbound?.sid,
      SmsSid: inbound?.sid,
      SmsMessageSid: inbound?.sid,
      AccountSid: customer.service.credentials.accountSid,
      From: from,
      Body: 'menu',
      NumMedia: '0',
      NumSegments: '1',
      SmsStatus: 'received',
      ApiVersion: '2010-04-01',
      FromCountry: 'US',
    });
    const signature = String(asked?.headers['x-twilio-signature']);
    const url = `${customer.sink.url}/reply?shop=1`;
    expect(twilio.validateRequest(customer.service.credentials.authToken, signature, url, form)).toBe(true);
  });

  it('is asked by GET where SmsMethod says so, signed over the query', async () => {
    const to = await hostWith('/silent?a=1', { smsMethod: 'GET' });
    await customer.bring({ from: newPhoneNumber(), to, body: 'a b&c' });
    const asked = await until(() => customer.seenAt('/silent').find(({ method }) => method === 'GET'));
    expect(new URL(asked.path, customer.sink.url).searchParams.get('Body')).toBe('a b&c');
    const signature = String(asked.headers['x-twilio-signature']);
    const { authToken } = customer.service.credentials;
    expect(twilio.validateRequest(authToken, signature, customer.sink.url + asked.path, {})).toBe(true);
  });

  it.each([
    ['/plain', ['just text']],
    ['/redirect', ['Fish & chips?', 'first']],
    ['/action', ['answered', 'asked']],
    ['/bad-to', ['still sent']],
  ])('%s: its TwiML is carried out', async (path, bodies) => {
    const to = await hostWith(path);
    await customer.bring({ from: newPhoneNumber(), to, body: 'hi' });
    const replies = await until(async () => {
      const replies = await repliesOf(to);
      return replies.length >= bodies.length && replies;
    });
    expect(replies.map(({ body }) => body).sort()).toEqual(bodies);
  });

  it('tells the action whether the message was taken', async () => {
    const asked = await until(() => customer.seenAt('/after')[0]);
    const form = new URLSearchParams(asked.body);
    expect([form.get('MessageStatus'), form.get('MessageSid')]).toEqual([
      'queued',
      expect.stringMatching(/^SM[0-9a-f]{32}$/),
    ]);
  });

  it.each([
    ['/broken', 11200],
    ['/moved', 11200],
    ['/not-xml', 12100],
    ['/json', 12300],
    ['/huge', 11750],
    ['/bad-to', 14101],
    ['/many', 14107],
    ['/file', 14103],
    ['/long-media', 14103],
  ])('%s: what is wrong stands with the message (%i)', async (path, errorCode) => {
    const to = await hostWith(path);
    await customer.bring({ from: newPhoneNumber(), to, body: 'hi' });
    const inbound = await until(async () => {
      const message = await inboundOf(to);
      return message?.errorCode != null && message;
    });
    expect(inbound).toMatchObject({ errorCode, status: 'received', errorMessage: expect.any(String) });
  });

  it('that nobody answers leads to the fallback, which is told why', async () => {
    const dead = 'http://127.0.0.1:9/sms';
    const smsFallbackUrl = `${customer.sink.url}/reply`;
    const to = await hostWith('/broken', { smsUrl: dead, smsFallbackUrl });
    await customer.bring({ from: newPhoneNumber(), to, body: 'hi' });
    const [reply] = await until(async () => {
      const replies = await repliesOf(to);
      return replies.length > 0 && replies;
    });
    expect(reply?.body).toBe('Fish & chips?');
    const asked = customer.seenAt('/reply').find(({ body }) => new URLSearchParams(body).get('To') === to);
    const form = new URLSearchParams(asked?.body);
    expect([form.get('ErrorCode'), form.get('ErrorUrl')]).toEqual(['11205', dead]);
  });

  it('asks its fallback once, also when what the fallback leads to fails', async () => {
    const smsFallbackUrl = `${customer.sink.url}/ask-then-break`;
    const to = await hostWith('/broken', { smsFallbackUrl });
    await customer.bring({ from: newPhoneNumber(), to, body: 'hi' });
    const { sid } = await until(() => inboundOf(to));
    await customer.service.temporal.workflow.getHandle(`${sid}/reply`).result();
    const asked = (path: string) =>
      customer.seenAt(path).filter(({ body }) => new URLSearchParams(body).get('To') === to);
    expect([asked('/ask-then-break').length, asked('/broken').length]).toEqual([1, 2]);
    const replies = await until(async () => {
      const replies = await repliesOf(to);
      return replies.length > 0 && replies;
    });
    expect(replies.map(({ body }) => body)).toEqual(['Yes or no?']);
  });

  it('that redirects to itself comes to an end', async () => {
    const to = await hostWith('/loop');
    await customer.bring({ from: newPhoneNumber(), to, body: 'hi' });
    const { sid } = await until(() => inboundOf(to));
    const workflow = customer.service.temporal.workflow.getHandle(`${sid}/reply`);
    await workflow.result();
    expect(customer.seenAt('/loop')).toHaveLength(10);
  });

  it('sends ten replies of a document, and no more', async () => {
    const to = await hostWith('/many');
    await customer.bring({ from: newPhoneNumber(), to, body: 'hi' });
    const { sid } = await until(() => inboundOf(to));
    await customer.service.temporal.workflow.getHandle(`${sid}/reply`).result();
    const replies = await until(async () => {
      const replies = await repliesOf(to);
      return replies.length >= 10 && replies;
    });
    expect(replies).toHaveLength(10);
  });

  it.each([
    ['itself', 14101, (line: string) => encodeURIComponent(line)],
    ['a contact who opted out, in another spelling', 21610, (_: string, leaver: string) => leaver.slice(1)],
  ])('does not get a reply to %s (%i)', async (_, errorCode, recipientOf) => {
    const { phoneNumber: line, numberSid } = await customer.host();
    const [from, leaver] = [newPhoneNumber(), newPhoneNumber()];
    await customer.bring({ from: leaver, to: line, body: 'STOP' });
    const smsUrl = `${customer.sink.url}/reply-to?recipient=${recipientOf(line, leaver)}`;
    await customer.client.incomingPhoneNumbers(numberSid).update({ smsUrl });
    await customer.bring({ from, to: line, body: 'hi' });
    await until(async () => (await customer.client.messages.list({ from }))[0]?.errorCode === errorCode);
    expect(await repliesOf(line)).toEqual([]);
  });

  it('does not get a reply past a contact who opted out', async () => {
    const to = await hostWith('/reply');
    await customer.bring({ from: newPhoneNumber(), to, body: 'STOP' });
    const inbound = await until(async () => {
      const message = await inboundOf(to);
      return message?.errorCode != null && message;
    });
    expect(inbound.errorCode).toBe(21610);
    expect(await repliesOf(to)).toEqual([]);
    const asked = customer.seenAt('/reply').find(({ body }) => new URLSearchParams(body).get('To') === to);
    expect(new URLSearchParams(asked?.body).get('OptOutType')).toBe('STOP');
  });
});
