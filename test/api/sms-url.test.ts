/** The SmsUrl of a number: how it is asked, what its TwiML does, and what it cannot do (domain.md §2.5). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import twilio from 'twilio';
import { startMessageCustomer, type MessageCustomer } from '../support/message-customer.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { answer, type Behaviour, type SeenRequest } from '../support/sink.ts';
import { until } from '../support/until.ts';

const xml = { 'Content-Type': 'text/xml; charset=utf-8' };
const twiml = (body: string): Behaviour => answer(200, xml, `<Response>${body}</Response>`);
/** The number in the query of a page. */
const numberIn = ({ path }: SeenRequest) => new URL(path, 'http://sink').searchParams.get('number');

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
    '/reply-to': (response, request) =>
      twiml(`<Message to="${numberIn(request)}">hi</Message>`)(response, request),
    '/reply-from': (response, request) =>
      twiml(`<Message from="${numberIn(request)}">hi</Message>`)(response, request),
    '/smileys': twiml(`<Message>${'😀'.repeat(801)}</Message>`),
    '/many': twiml('<Message>again</Message>'.repeat(12)),
    '/many-refused': twiml(`${'<Message to="Bob">hi</Message>'.repeat(10)}<Message>too late</Message>`),
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
    ['POST', ''],
    ['POST', '/silent#part'],
    ['GET', '/silent#part'],
    ['POST', '/over/../silent?q=ü'],
    ['POST', `/silent?q=it's"<>`],
    ['GET', `/silent?q=it's"<>`],
  ])('is asked by %s at "%s" under a signature of the URL as it arrives', async (smsMethod, path) => {
    const to = await hostWith(path, { smsMethod });
    await customer.bring({ from: newPhoneNumber(), to, body: 'hi' });
    const contentOf = ({ path: target, body }: SeenRequest) =>
      new URLSearchParams(smsMethod === 'GET' ? target.split('?')[1] : body);
    const asked = await until(() =>
      customer.sink.seen.find((request) => contentOf(request).get('To') === to),
    );
    const form = smsMethod === 'GET' ? {} : Object.fromEntries(contentOf(asked));
    const { authToken } = customer.service.credentials;
    const signature = String(asked.headers['x-twilio-signature']);
    expect(twilio.validateRequest(authToken, signature, customer.sink.url + asked.path, form)).toBe(true);
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
    ['/many-refused', 14107],
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

  it('that redirects to itself comes to an end, and the text tells why (14107)', async () => {
    const to = await hostWith('/loop');
    await customer.bring({ from: newPhoneNumber(), to, body: 'hi' });
    const { sid } = await until(() => inboundOf(to));
    const workflow = customer.service.temporal.workflow.getHandle(`${sid}/reply`);
    await workflow.result();
    expect(customer.seenAt('/loop')).toHaveLength(10);
    expect(await inboundOf(to)).toMatchObject({ errorCode: 14107 });
  });

  it('may answer with as many characters as a message takes, whatever they are', async () => {
    const to = await hostWith('/smileys');
    await customer.bring({ from: newPhoneNumber(), to, body: 'hi' });
    await until(async () => (await repliesOf(to)).length === 1);
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
    const smsUrl = `${customer.sink.url}/reply-to?number=${recipientOf(line, leaver)}`;
    await customer.client.incomingPhoneNumbers(numberSid).update({ smsUrl });
    await customer.bring({ from, to: line, body: 'hi' });
    await until(async () => (await customer.client.messages.list({ from }))[0]?.errorCode === errorCode);
    expect(await repliesOf(line)).toEqual([]);
  });

  it("does not get a reply from another account's line", async () => {
    const [stranger, strangersLine] = [await customer.service.addAccount(), newPhoneNumber()];
    const form = { AccountSid: stranger.sid, PhoneNumber: strangersLine };
    const as = ['admin', customer.service.credentials.adminToken] as const;
    expect((await customer.call('POST', '/admin/HostedNumbers', { form, as })).status).toBe(201);
    const line = await hostWith(`/reply-from?number=${encodeURIComponent(strangersLine)}`);
    const contact = newPhoneNumber();
    await customer.bring({ from: contact, to: line, body: 'hi' });
    await until(async () => (await inboundOf(line))?.errorCode === 14108);
    expect(await customer.client.messages.list({ to: contact })).toEqual([]);
  });

  it('is told of a start word only where somebody comes back by it: YES is an everyday answer', async () => {
    const [to, from] = [await hostWith('/reply'), newPhoneNumber()];
    const askedOf = (word: string) =>
      customer
        .seenAt('/reply')
        .map(({ body }) => new URLSearchParams(body))
        .find((form) => form.get('To') === to && form.get('Body') === word);
    for (const word of ['YES', 'STOP', 'yes']) {
      await customer.bring({ from, to, body: word });
      await until(() => askedOf(word));
    }
    expect(['YES', 'STOP', 'yes'].map((word) => askedOf(word)?.get('OptOutType'))).toEqual([
      null,
      'STOP',
      'START',
    ]);
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
