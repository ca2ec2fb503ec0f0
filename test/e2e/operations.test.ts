/** The commands of docs/operations.md, run as they stand there with the real `temporal` CLI. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTemporalBinary } from '../../local/temporal-binary.ts';
import { httpClient, type HttpClient } from '../support/http.ts';
import { orderSteps, type OrderSteps } from '../support/order-steps.ts';
import { outsideWorldAt, type Outside } from '../support/outside.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { startService, type Service } from '../support/service.ts';
import { answer, startSink, type Sink } from '../support/sink.ts';
import { twilioFor } from '../support/twilio.ts';
import { until } from '../support/until.ts';

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
/** Commands by the heading they stand under, in the page's order. */
const blocks = [...page.matchAll(/^## (.+)$|```sh\n([\s\S]+?)```/gm)].reduce(
  ({ heading, found }, [, title, commands]) => ({
    heading: title ?? heading,
    found: commands === undefined ? found : [...found, { heading, commands }],
  }),
  { heading: '', found: [] as { readonly heading: string; readonly commands: string }[] },
).found;
const run = new Set<string>();

let service: Service;
let outside: Outside;
let steps: OrderSteps;
let admin: HttpClient;
let customer: HttpClient;
let sink: Sink;
let path: string;

beforeAll(async () => {
  service = await startService();
  outside = outsideWorldAt(service.local.url);
  steps = orderSteps(twilioFor(service), outside);
  const { accountSid, authToken, adminToken } = service.credentials;
  admin = httpClient(service.url, 'admin', adminToken);
  customer = httpClient(service.url, accountSid, authToken);
  sink = await startSink(answer(500));
  path = [dirname(await findTemporalBinary(() => {})), process.env['PATH']].join(delimiter);
});
afterAll(async () => {
  await service?.stop();
  await sink?.close();
});

/** Runs the nth block under a heading; answers what it printed. */
async function runBlock(heading: string, nth: number, env: Record<string, string> = {}): Promise<string> {
  const block = blocks.filter((block) => block.heading === heading)[nth];
  if (!block) throw new Error(`docs/operations.md has no block ${nth} under "${heading}"`);
  run.add(block.commands);
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', block.commands], {
    env: {
      ...process.env,
      PATH: path,
      TEMPORAL_ADDRESS: service.config.env.temporalAddress,
      TEMPORAL_NAMESPACE: service.config.temporal.namespace,
      ...env,
    },
  });
  return stdout;
}

async function actionRequired(): Promise<{ readonly sid: string; readonly phoneNumber: string }> {
  const order = await steps.create();
  for (let attempt = 1; attempt <= 3; attempt++) await steps.rejectCall(order);
  await steps.untilStatus(order.sid, 'action-required');
  return order;
}

describe('docs/operations.md', () => {
  it('finds the orders that wait for an administrator, and says why', async () => {
    const { sid: HR, phoneNumber } = await actionRequired();
    await until(async () => (await runBlock('What waits for me?', 0)).includes(HR));
    expect(await runBlock('What waits for me?', 1)).toMatch(/Total: [1-9]/);
    const found = await runBlock('What waits for me?', 2, {
      PHONE_NUMBER: phoneNumber,
      ACCOUNT_SID: service.credentials.accountSid,
    });
    expect(found.split(HR)).toHaveLength(3);

    const details = await runBlock('Why does it wait?', 0, { HR });
    expect(details).toContain('action-required');
    expect(details).toContain('Ownership was not verified in 3 calls');
    expect(await runBlock('Why does it wait?', 1, { HR })).toMatch(/"verificationAttempts":\s*3/);
    const history = await runBlock('Why does it wait?', 2, { HR });
    expect(history).toContain('WorkflowExecutionUpdateCompleted');
    expect(history).toContain('an administrator has to act');
  });

  it('sends an order on its way', async () => {
    const { sid: HR } = await actionRequired();
    expect(await runBlock('Send it on its way', 0, { HR })).toMatch(/ok:true/);
    expect(await steps.status(HR)).toBe('verified');
    expect(await runBlock('Send it on its way', 0, { HR })).toMatch(/code:22112/);
  });

  it('gives the verification attempts back', async () => {
    const { sid: HR } = await actionRequired();
    expect(await runBlock('Give the verification attempts back', 0, { HR })).toMatch(/ok:true/);
    expect(await steps.status(HR)).toBe('received');
    await steps.startCall(HR);
  });

  it('accepts a phone bill', async () => {
    const { sid: HR } = await steps.create();
    const upload = new FormData();
    upload.append('File', new File(['%PDF-1.4 a phone bill'], 'bill.pdf', { type: 'application/pdf' }));
    const bill = await customer.send('/HostedNumbers/VerificationDocuments', {
      method: 'POST',
      body: upload,
    });
    await customer.post(`/HostedNumbers/HostedNumberOrders/${HR}`, {
      VerificationType: 'phone-bill',
      VerificationDocumentSid: String(bill.body?.['sid']),
      Status: 'pending-verification',
    });
    expect(await runBlock('Review a phone bill', 0, { HR })).toMatch(/ok:true/);
    expect(await steps.status(HR)).toBe('verified');
  });

  it('tells an order what the registry decided, long before the registry is asked again', async () => {
    const { sid: HR } = await atSlowRegistry('+12125550197');
    await runBlock('Enter what the registry decided', 0, { HR });
    await steps.untilStatus(HR, 'completed');
  });

  it('does the same by Action=decide-registration, while an order waits for it and not before', async () => {
    const order = await atSlowRegistry('+13125550197');
    const path = `/admin/HostedNumberOrders/${order.sid}`;
    const decision = { Action: 'decide-registration', Accepted: 'false', Reason: 'name mismatch' };
    expect(await admin.post(path, { Action: 'decide-registration' })).toMatchObject({
      status: 400,
      body: { code: 20001 },
    });
    expect(await admin.post(path, decision)).toMatchObject({ status: 200 });
    expect(await steps.untilStatus(order.sid, 'action-required')).toMatchObject({
      failureReason: 'name mismatch',
    });
    expect(await admin.post(path, decision)).toMatchObject({ status: 400, body: { code: 22112 } });
  });

  it('cancels an order that its customer could cancel', async () => {
    const { sid: HR } = await steps.create();
    await runBlock('Cancel', 0, { HR });
    const path = `/admin/HostedNumberOrders/${HR}`;
    await until(async () => (await admin.get(path)).body?.['number_state'] === 'removed');
    expect((await customer.get(`/HostedNumbers/HostedNumberOrders/${HR}`)).status).toBe(404);
  });

  it('takes a release back, with everything as it was', async () => {
    const order = await takenOver();
    const number = `/2010-04-01/Accounts/${service.credentials.accountSid}/IncomingPhoneNumbers/${order.number}.json`;
    await customer.post(number, { SmsUrl: 'http://127.0.0.1:1/sms' });
    const before = (await customer.get(number)).body;
    expect((await customer.delete(number)).status).toBe(204);
    expect((await customer.get(number)).status).toBe(404);
    expect(await runBlock('Take a release back', 0, { HR: order.sid })).toMatch(/ok:true/);
    const { date_updated: _, ...after } = (await customer.get(number)).body ?? {};
    expect(before).toMatchObject(after);
  });

  it('finds deliveries that fail, says why, attempts them now, and gives them up', async () => {
    const { line } = await takenOver();
    await customer.post('/Webhooks', { Url: sink.url, Events: 'message/receive' });
    await outside.sendText({ from: '+14155550188', to: line, body: 'Hello' });
    await until(() => sink.seen.length === 1);
    const host = new URL(sink.url).host;
    const [delivery] = await service.sql`select sid from deliveries`;
    const DL = String(delivery?.['sid']);
    await until(async () => (await runBlock('Deliveries', 0, { ENDPOINT_HOST: host })).includes(DL));
    expect(await runBlock('Deliveries', 1, { DL })).toMatch(/500/);
    const seen = sink.seen.length;
    await runBlock('Deliveries', 2, { DL });
    await until(() => sink.seen.length > seen);
    await runBlock('Deliveries', 3, { DL });
    await until(async () => {
      const [row] = await service.sql`select state from deliveries where sid = ${DL}`;
      return row?.['state'] === 'canceled';
    });
  });

  it('sends again what failed, one delivery or all since a time, and a test event', async () => {
    const { line } = await takenOver();
    const made = await customer.post('/Webhooks', {
      Url: sink.url,
      Events: 'message/receive',
      PhoneNumber: line,
    });
    const WH = String(made.body?.['sid']);
    await outside.sendText({ from: '+14155550188', to: line, body: 'Hello' });
    const deliveries = () => service.sql`select sid, state from deliveries where subscription_sid = ${WH}`;
    const [first] = await until(async () => {
      const rows = await deliveries();
      return rows.length === 1 && rows;
    });
    const DL = String(first?.['sid']);
    await service.temporal.workflow.getHandle(DL).signal('cancelDelivery');
    await until(async () => (await deliveries())[0]?.['state'] === 'canceled');
    const env = {
      ACCOUNT_SID: service.credentials.accountSid,
      DELIVERY_QUEUE: service.config.temporal.taskQueues.deliveries,
      SINCE: '2026-01-01T00:00:00Z',
      WH,
      DL,
    };
    // What is on its way again by itself is no part of what is sent again since a time.
    for (const block of [1, 0, 2]) expect(await runBlock('Send again', block, env)).toMatch(/count\W+1\b/);
    expect(await deliveries()).toHaveLength(4);
  });

  it('has Temporal forget the text of a message', async () => {
    const { line } = await takenOver();
    const messages = `/2010-04-01/Accounts/${service.credentials.accountSid}/Messages`;
    const sent = await customer.post(`${messages}.json`, { From: line, To: newPhoneNumber(), Body: 'Hello' });
    const SM = String(sent.body?.['sid']);
    const workflow = service.temporal.workflow.getHandle(SM);
    expect(await workflow.result()).toBe('delivered');
    expect((await customer.delete(`${messages}/${SM}.json`)).status).toBe(204);
    const [started] = (await workflow.fetchHistory()).events ?? [];
    const input = started?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
    expect(Buffer.from(input ?? []).toString()).toContain('"body":"Hello"');
    expect(await runBlock('Forget a text', 0, { SM })).toMatch(/Delete workflow succeeded/);
  });

  it('has no command that was not run here', () => {
    expect(blocks.filter(({ commands }) => !run.has(commands))).toEqual([]);
  });
});

/** An order whose registration the registry leaves pending. */
async function atSlowRegistry(phoneNumber: string): Promise<{ readonly sid: string }> {
  const order = await steps.create({ phoneNumber });
  await steps.verify(order);
  const { email } = await steps.authorise(order.sid);
  await outside.sign((await outside.letterTo(email)).link);
  return steps.untilStatus(order.sid, 'carrier-processing');
}

/** A completed order, without the way there. */
async function takenOver(): Promise<{
  readonly sid: string;
  readonly number: string;
  readonly line: string;
}> {
  const line = newPhoneNumber();
  const { body } = await admin.post('/admin/HostedNumbers', {
    AccountSid: service.credentials.accountSid,
    PhoneNumber: line,
  });
  return { sid: String(body?.['sid']), number: String(body?.['incoming_phone_number_sid']), line };
}
