/**
 * kill -9 of each process at each step of an order: after a restart the order goes on to its end, and nobody outside is
 * called or written to twice (issue 3). One order a process; at every step that process is killed and started again.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpClient, type HttpAnswer, type HttpClient } from '../support/http.ts';
import { outsideWorldAt, type Outside } from '../support/outside.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { processNames, startProcesses, type ProcessName, type Processes } from '../support/processes.ts';
import { until } from '../support/until.ts';

const ordersPath = '/HostedNumbers/HostedNumberOrders';
/** A process needs seconds to start on a busy machine, and so does what waits for it. Milliseconds. */
const patience = { timeoutMs: 60_000 };

let processes: Processes;
let customer: HttpClient;
let outside: Outside;

beforeAll(async () => {
  processes = await startProcesses();
  customer = httpClient(processes.url, processes.credentials.accountSid, processes.credentials.authToken);
  outside = outsideWorldAt(processes.local.url);
});
afterAll(() => processes?.stop());

/** Repeats a request that was broken off, as any client does that sends an Idempotency-Key. */
function insist(request: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  return until(
    async () => {
      const answer = await request();
      return answer.status < 500 && answer.status !== 409 ? answer : null;
    },
    { ...patience, what: request.toString() },
  );
}

const fetchOrder = async (sid: string): Promise<Readonly<Record<string, unknown>>> =>
  (await insist(() => customer.get(`${ordersPath}/${sid}`))).body ?? {};
const untilStatus = (sid: string, ...statuses: string[]): Promise<unknown> =>
  until(async () => statuses.includes(String((await fetchOrder(sid))['status'])), {
    ...patience,
    what: `order ${sid} to be ${statuses.join(' or ')}`,
  });

/** Kills the process in the middle of what `step` sets off, and starts it again. */
async function crashIn<T>(name: ProcessName, step: () => Promise<T>): Promise<T> {
  const under = step();
  const [result] = await Promise.all([
    under,
    (async () => {
      await processes.kill(name);
      await processes.start(name);
    })(),
  ]);
  return result;
}

describe.each(processNames)('kill -9 of %s at every step of an order', (victim) => {
  it('delays the order, and repeats nothing', async () => {
    const phoneNumber = newPhoneNumber();
    const email = `${victim}-${Date.now()}@example.com`;
    const key = (step: string): Record<string, string> => ({ 'Idempotency-Key': `${victim}-${step}` });

    const created = await crashIn(victim, () =>
      insist(() =>
        customer.post(ordersPath, { PhoneNumber: phoneNumber, SmsCapability: 'true' }, key('create')),
      ),
    );
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const sid = String(created.body?.['sid']);
    await untilStatus(sid, 'received');

    const called = await crashIn(victim, () =>
      insist(() =>
        customer.post(
          `${ordersPath}/${sid}`,
          { VerificationType: 'phone-call', Status: 'pending-verification' },
          key('call'),
        ),
      ),
    );
    expect(called.status, JSON.stringify(called.body)).toBe(200);
    const code = await until(async () => (await fetchOrder(sid))['verification_code'], patience);
    const ringing = await until(async () => outside.ringing(phoneNumber), patience);
    await crashIn(victim, async () => {
      await outside.act(ringing, 'answer');
      await outside.press(ringing, String(code));
    });
    await untilStatus(sid, 'verified');

    const authorised = await crashIn(victim, () =>
      insist(() =>
        customer.post(
          '/HostedNumbers/AuthorizationDocuments',
          { HostedNumberOrderSids: sid, Email: email },
          key('letter'),
        ),
      ),
    );
    expect(authorised.status, JSON.stringify(authorised.body)).toBe(201);
    const { link } = await until(() => outside.letterTo(email), patience);
    await crashIn(victim, () =>
      until(async () => (await outside.sign(link)) === 200, { ...patience, what: 'the letter to be signed' }),
    );
    await untilStatus(sid, 'carrier-processing', 'testing', 'completed');
    await crashIn(victim, () => untilStatus(sid, 'completed'));

    expect(await outside.callsTo(phoneNumber)).toHaveLength(1);
    const mails = await until(async () => {
      const mails = await outside.mailsTo(email);
      return mails.length >= 2 && mails;
    }, patience);
    expect(mails.map(({ subject }) => subject)).toHaveLength(2);
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(2);
    expect(await fetchOrder(sid)).toMatchObject({ status: 'completed', verification_attempts: 1 });
  });
});
