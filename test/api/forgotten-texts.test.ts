/** What is left of a text once its message was redacted or removed (service.md §6.1, domain.md §2.2, decision 0017). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSid } from '../../security/derived-sid.ts';
import { messageTimers } from '../../settings.ts';
import { outboundMessageType } from '../../workflows/messages.ts';
import { startMessageCustomer, type MessageCustomer } from '../support/message-customer.ts';
import { outgoingMessage } from '../support/outgoing-message.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import type { Behaviour, SeenRequest } from '../support/sink.ts';
import { until } from '../support/until.ts';

/** Endpoints that repeat what they are sent, as many do. */
const echo: Behaviour = (response, { path, body }) => void response.end(path + body);
const names = ['message/receive', 'message/send', 'message/progress', 'optout/change'];
const echoes = names.flatMap((name) => [`/hook/${name}`, `/get/${name}`]);

/** Answers 503 while a test says so. */
let isDown = false;
const mayBeDown: Behaviour = (response) => {
  response.writeHead(isDown ? 503 : 200, { 'retry-after': '3600' }).end();
};

let customer: MessageCustomer;

beforeAll(async () => {
  const pages = Object.fromEntries(echoes.map((path) => [path, echo]));
  customer = await startMessageCustomer({ ...pages, '/late/message/receive': mayBeDown });
  await subscribe({ Url: `${customer.sink.url}/get`, Method: 'GET' });
});
afterAll(() => customer?.stop());

async function subscribe(form: Readonly<Record<string, string>>): Promise<void> {
  expect((await customer.call('POST', '/Webhooks', { form })).status).toBe(201);
}

const own = (sid: string) => customer.client.messages(sid);
const ways = {
  redacted: (sid: string) => own(sid).update({ body: '' }),
  removed: (sid: string) => own(sid).remove(),
} as const;
type Way = keyof typeof ways;
const bothWays = Object.keys(ways) as Way[];

/** Sids of the deliveries about a message, by the state they stand in. */
async function deliveriesOf(messageSid: string, state: string): Promise<string[]> {
  const rows = await customer.service.sql`
    select d.sid from deliveries d join events e on e.sid = d.event_sid
    where e.resource_sid = ${messageSid} and d.state = ${state}`;
  return rows.map((row) => String(row['sid']));
}

/** Waits until so many deliveries about a message have arrived. */
const untilDelivered = (messageSid: string, count: number): Promise<string[]> =>
  until(async () => {
    const sids = await deliveriesOf(messageSid, 'delivered');
    return sids.length === count && sids;
  });

/** A text that came in, and every one of its deliveries arrived. */
async function received(body: string, deliveries: number): Promise<{ line: string; sid: string }> {
  const { phoneNumber: line } = await customer.host();
  await customer.bring({ from: newPhoneNumber(), to: line, body });
  const [message] = await until(async () => {
    const found = await customer.client.messages.list({ to: line });
    return found.length > 0 && found;
  });
  const sid = message?.sid ?? '';
  await untilDelivered(sid, deliveries);
  return { line, sid };
}

/** Tables of which a row holds the text, as text or as bytes. */
async function tablesWith(text: string): Promise<string[]> {
  const { sql } = customer.service;
  const tables =
    await sql`select table_name as name from information_schema.tables where table_schema = 'public'`;
  const found: string[] = [];
  for (const { name } of tables) {
    const asBytes = Buffer.from(text, 'utf8').toString('hex');
    const [row] = await sql`select 1 from ${sql(String(name))} t
      where position(${text} in t::text) > 0 or position(${asBytes} in t::text) > 0 limit 1`;
    if (row) found.push(String(name));
  }
  return found;
}

const shown = async (path: string): Promise<string> =>
  JSON.stringify((await customer.call('GET', path)).body);
const holds = (text: string) => (request: SeenRequest) =>
  (decodeURIComponent(request.path.replaceAll('+', ' ')) + request.body).includes(text);

describe.each(bothWays)('a text that was %s', (way) => {
  it('is shown by no delivery, and sent by no replay', async () => {
    const secret = `secret ${newSid('message')}`;
    const { sid } = await received(secret, 2);
    const deliveries = await deliveriesOf(sid, 'delivered');
    expect(customer.sink.seen.filter(holds(secret))).toHaveLength(2);
    await ways[way](sid);
    for (const delivery of deliveries) {
      const { body } = await customer.call('GET', `/Deliveries/${delivery}`);
      expect(JSON.stringify(body)).not.toContain(secret);
      expect(JSON.parse(String(body['payload']))).toMatchObject({ body: '', bodySize: 0 });
      const again = await customer.call('POST', `/Deliveries/${delivery}`, { form: { Action: 'retry' } });
      expect(again.body).toMatchObject({ replay_of: delivery });
    }
    // The deletion tells of itself, at both endpoints.
    await untilDelivered(sid, way === 'removed' ? 6 : 4);
    expect(customer.sink.seen.filter(holds(secret))).toHaveLength(2);
    expect(await shown('/Deliveries?PageSize=1000')).not.toContain(secret);
  });

  it('is nowhere in the database any more: not in events, attempts, attachments or elsewhere', async () => {
    const secret = `Größe ${newSid('message')}`;
    const { sid } = await received(`${secret} ${'long '.repeat(200)}`, 2);
    expect(await tablesWith(secret)).toEqual(
      expect.arrayContaining(['events', 'media', 'messages', 'delivery_attempts']),
    );
    await ways[way](sid);
    expect(await tablesWith(secret)).toEqual([]);
  });

  it('is not sent any more by a delivery that was on its way, and nothing is promised to be fetched', async () => {
    const { phoneNumber: line } = await customer.host();
    await subscribe({ Url: `${customer.sink.url}/late`, PhoneNumber: line, Events: 'message/receive' });
    const secret = `secret ${newSid('message')}`;
    isDown = true;
    await customer.bring({ from: newPhoneNumber(), to: line, body: secret.repeat(20) });
    const [message] = await until(async () => {
      const [first] = await customer.client.messages.list({ to: line });
      return first && (await deliveriesOf(first.sid, 'delivered')).length === 2 && [first];
    });
    const sid = message?.sid ?? '';
    const told = () =>
      customer
        .seenAt('/late/message/receive')
        .filter(({ body }) => body.includes(line))
        .map(({ body }) => JSON.parse(body) as object);
    await until(() => told().length > 0);
    expect(told().at(-1)).toMatchObject({ body: expect.stringContaining(secret), hasAttachment: true });
    const [late = ''] = await deliveriesOf(sid, 'pending');
    await ways[way](sid);
    isDown = false;
    await customer.call('POST', `/Deliveries/${late}`, { form: { Action: 'retry' } });
    await until(async () => (await deliveriesOf(sid, 'delivered')).includes(late));
    expect(told().at(-1)).toMatchObject({
      body: '',
      bodySize: 0,
      hasAttachment: false,
      finalDestination: line,
    });
  });

  it('that opted somebody out keeps that, without its words', async () => {
    const { sid } = await received('Unsubscribe', 4);
    await ways[way](sid);
    const [row] = await customer.service.sql`
      select payload from events where resource_sid = ${sid} and kind = 'optout/change'`;
    expect(JSON.parse(String(row?.['payload']))).toMatchObject({ messageBody: '', type: 'STOP' });
    expect(await tablesWith('Unsubscribe')).toEqual([]);
  });

  it('that went out is forgotten as well', async () => {
    const { phoneNumber: from } = await customer.host();
    const secret = `secret ${newSid('message')}`;
    const statusCallback = `${customer.sink.url}/status`;
    const { sid } = await customer.client.messages.create({
      from,
      to: newPhoneNumber(),
      body: secret,
      statusCallback,
    });
    // Three steps told to two endpoints, three statuses to the callback.
    await untilDelivered(sid, 9);
    await ways[way](sid);
    expect(await tablesWith(secret)).toEqual([]);
  });
});

describe('the event of a deletion', () => {
  it('has every field, no text, and nothing to be fetched', async () => {
    const { phoneNumber: line } = await customer.host();
    const form = new URLSearchParams({ MessageSid: `mms-${line}`, From: newPhoneNumber(), To: line });
    form.append('Body', 'long '.repeat(200));
    form.append('MediaUrl', 'https://example.com/a.gif');
    const as = ['carrier', customer.service.credentials.carrierToken] as const;
    await customer.call('POST', '/carrier/messages', { form: form.toString(), as });
    const [received] = await customer.untilEvents(line, 1);
    expect(received?.payload).toMatchObject({ hasAttachment: true });
    const [message] = await customer.client.messages.list({ to: line });
    await own(message?.sid ?? '').remove();
    const events = await customer.untilEvents(line, 2);
    const { payload } = events.find(({ type }) => type === 'message/delete') ?? {};
    expect(Object.keys(payload ?? {})).toEqual(Object.keys(received?.payload ?? {}));
    expect(payload).toMatchObject({ deleted: true, body: '', bodySize: 0, hasAttachment: false });
    expect(payload?.['dateDeleted']).toEqual(expect.any(String));
  });
});

describe('a message whose workflow Temporal has forgotten', () => {
  it.each([
    'kept',
    'removed',
  ])('and which is %s does not go out a second time when it is asked for again', async (now) => {
    const { phoneNumber: from } = await customer.host();
    const to = newPhoneNumber();
    const { sid } = await customer.client.messages.create({ from, to, body: 'once' });
    await untilDelivered(sid, 6);
    if (now === 'removed') {
      await own(sid).remove();
      await untilDelivered(sid, 8);
    }
    const { temporal, config, credentials } = customer.service;
    // Its last state may be stored a moment after the deliveries of the one before.
    await temporal.workflow.getHandle(sid).result();
    const [before] = await customer.service.sql`select * from messages where sid = ${sid}`;
    const message = outgoingMessage({ sid, accountSid: credentials.accountSid, from, to, body: 'once' });
    const end = await temporal.workflow.execute(outboundMessageType, {
      workflowId: `${sid}/again`,
      taskQueue: config.temporal.taskQueues.messages,
      args: [{ message, timers: messageTimers(config) }],
    });
    expect(end).toBe('refused');
    expect(await customer.service.sql`select * from messages where sid = ${sid}`).toEqual([before]);
  });
});
