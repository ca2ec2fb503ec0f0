/** The status callbacks of an order: every change, in order, signed, until they are taken (service.md §6.2, domain.md §6.3). */
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderSteps, type OrderSteps } from '../support/order-steps.ts';
import { outsideWorldAt, type Outside } from '../support/outside.ts';
import { startService, type Service } from '../support/service.ts';
import { answer, startSink, type Behaviour, type SeenRequest, type Sink } from '../support/sink.ts';
import { twilioFor } from '../support/twilio.ts';
import { until } from '../support/until.ts';

let service: Service;
let outside: Outside;
let steps: OrderSteps;
const sinks: Sink[] = [];

beforeAll(async () => {
  service = await startService({
    env: { HOSTED_SMS_DELIVERIES__RETRY__INITIAL_INTERVAL: '300 milliseconds' },
  });
  outside = outsideWorldAt(service.local.url);
  steps = orderSteps(twilioFor(service), outside);
});
afterAll(async () => {
  await service?.stop();
  for (const sink of sinks) await sink.close();
});

async function endpoint(behaviour: Behaviour): Promise<Sink> {
  const sink = await startSink(behaviour);
  sinks.push(sink);
  return sink;
}

const formOf = ({ body }: SeenRequest): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(body));
const statusesAt = (sink: Sink): string[] => sink.seen.map((request) => formOf(request)['Status'] ?? '');

describe('the status callbacks of an order', () => {
  it('tell every change from its creation to completed, in order, numbered, with the signature of the account', async () => {
    const sink = await endpoint(answer(204));
    const statusCallbackUrl = `${sink.url}/status?tenant=7`;
    const order = await steps.complete({ statusCallbackUrl, friendlyName: 'Front desk' });
    const expected = [
      'pending-verification',
      'verified',
      'pending-loa',
      'carrier-processing',
      'testing',
      'completed',
    ];
    await until(() => sink.seen.length >= expected.length);
    expect(statusesAt(sink)).toEqual(expected);
    const forms = sink.seen.map(formOf);
    expect(forms.map(({ Sequence }) => Sequence)).toEqual(expected.map((_, index) => String(index + 1)));
    for (const [index, request] of sink.seen.entries()) {
      expect(request).toMatchObject({ method: 'POST', path: '/status?tenant=7' });
      expect(request.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
      expect(forms[index]).toMatchObject({
        HostedNumberOrderSid: order.sid,
        AccountSid: order.accountSid,
        IncomingPhoneNumberSid: order.incomingPhoneNumberSid,
        PhoneNumber: order.phoneNumber,
        FriendlyName: 'Front desk',
      });
      const signature = String(request.headers['x-twilio-signature']);
      const { authToken } = service.credentials;
      expect(validateRequest(authToken, signature, statusCallbackUrl, forms[index] ?? {})).toBe(true);
    }
    const times = forms.map(({ Timestamp = '' }) => Date.parse(Timestamp));
    expect(times).toEqual(times.toSorted((left, right) => left - right));
  });

  it('wait for each other while the endpoint fails, and all arrive in order in the end', async () => {
    let refusals = 3;
    const sink = await endpoint((response) => {
      refusals -= 1;
      response.writeHead(refusals >= 0 ? 503 : 200).end();
    });
    const order = await steps.create({ statusCallbackUrl: sink.url });
    await steps.verify(order);
    await steps.authorise(order.sid);
    await until(() => statusesAt(sink).includes('pending-loa'));
    expect(statusesAt(sink)).toEqual([
      ...Array<string>(4).fill('pending-verification'),
      'verified',
      'pending-loa',
    ]);
    const ids = sink.seen.slice(0, 4).map(({ headers }) => headers['i-twilio-idempotency-token']);
    expect(new Set(ids).size).toBe(1);
  });

  it('come as GET with the fields in the query where that is asked for, signed as such', async () => {
    const sink = await endpoint(answer(200));
    const order = await steps.create({
      statusCallbackUrl: `${sink.url}/status?tenant=7`,
      statusCallbackMethod: 'GET',
    });
    await steps.authorise(order.sid);
    const request = await until(() => sink.seen[0]);
    expect(request).toMatchObject({ method: 'GET', body: '' });
    const query = new URL(request.path, sink.url).searchParams;
    expect(query.get('Status')).toBe('pending-loa');
    expect(query.get('tenant')).toBe('7');
    const signature = String(request.headers['x-twilio-signature']);
    expect(validateRequest(service.credentials.authToken, signature, sink.url + request.path, {})).toBe(true);
  });

  it('tell of the cancellation as the last thing', async () => {
    const sink = await endpoint(answer(200));
    const order = await steps.create({ statusCallbackUrl: sink.url });
    await twilioFor(service).preview.hosted_numbers.hostedNumberOrders(order.sid).remove();
    await until(() => sink.seen.length === 1);
    expect(statusesAt(sink)).toEqual(['canceled']);
  });
});
