/** What goes out for a delivery, checked by the receivers' own libraries (service.md §6.1; domain.md §2.4, §6.3). */
import { Webhook } from 'standardwebhooks';
import twilio from 'twilio';
import { describe, expect, it } from 'vitest';
import { buildRequest, endpointKeyOf } from '../../activities/deliveries-request.ts';
import type { DeliveryToAttempt } from '../../db/reads/deliveries.ts';
import { callbackHeaders, eventHeaders } from '../../domain/delivery-headers.ts';
import { newSid } from '../../security/derived-sid.ts';
import { createVault } from '../../security/vault.ts';
import { newWebhookSecret } from '../../security/webhook-signature.ts';

const vault = createVault('k'.repeat(32));
const authToken = 'token-of-the-account';
const secret = newWebhookSecret();
const previous = newWebhookSecret();
const payload = '{"body":"Grüße, 世界","id":1000000000001}';
const at = new Date();

type Subscription = NonNullable<DeliveryToAttempt['subscription']>;

function target(
  delivery: Partial<DeliveryToAttempt['delivery']> = {},
  subscription: Partial<Subscription> | null = {},
  text = payload,
): DeliveryToAttempt {
  return {
    delivery: {
      sid: newSid('delivery'),
      accountSid: newSid('account'),
      kind: 'message/receive',
      url: null,
      method: 'POST',
      lineSequence: 7,
      state: 'pending',
      ...delivery,
    },
    event: { sid: newSid('event'), payload: text },
    subscription: subscription && {
      sid: newSid('subscription'),
      url: 'https://customer.example/hooks?key=1',
      method: 'POST',
      enabled: true,
      disabledBy: null,
      secretSealed: vault.seal(secret),
      previousSecrets: [],
      headers: {},
      maxPerSecond: null,
      dateDeleted: null,
      ...subscription,
    },
    authTokenSealed: vault.seal(authToken),
    attempt: null,
  };
}

const build = (given: DeliveryToAttempt) => buildRequest(given, { at, attemptNumber: 3, vault });
const headersOf = (given: DeliveryToAttempt) => Object.keys(build(given).headers).toSorted();
const listed = (headers: object, ...absent: string[]) =>
  Object.keys(headers)
    .filter((name) => !absent.includes(name))
    .toSorted();

describe('an event', () => {
  it('goes to the address and the event name, as the exact JSON text', () => {
    const given = target();
    const request = build(given);
    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://customer.example/hooks/message/receive?key=1',
      body: payload,
    });
    expect(endpointKeyOf(given)).toBe(given.subscription?.sid);
    expect(request.headers).toMatchObject({
      'content-type': 'application/json;charset=UTF-8',
      'webhook-id': given.event.sid,
      'webhook-delivery': given.delivery.sid,
      'webhook-attempt': '3',
      'webhook-line-sequence': '7',
    });
  });

  it('carries every header that the reference lists, and no other', () => {
    expect(headersOf(target())).toEqual(listed(eventHeaders));
    const ofNoLine = target({ lineSequence: null }, { method: 'GET' });
    expect(headersOf(ofNoLine)).toEqual(listed(eventHeaders, 'content-type', 'webhook-line-sequence'));
  });

  it.each([
    'https://customer.example',
    'https://customer.example/',
    'https://customer.example//',
  ])('has no doubled slash after %s', (url) =>
    expect(build(target({}, { url })).url).toBe('https://customer.example/message/receive'));

  it('is verified by the Standard Webhooks library', () => {
    const { headers, body } = build(target());
    expect(() => new Webhook(secret).verify(body ?? '', { ...headers })).not.toThrow();
    expect(() => new Webhook(newWebhookSecret()).verify(body ?? '', { ...headers })).toThrow();
    expect(() => new Webhook(secret).verify(`${body} `, { ...headers })).toThrow();
  });

  it('is verified with each secret while its rotation lasts, and with the new one only after it', () => {
    const until = (moment: Date, value: string) => ({
      sealed: vault.seal(value),
      until: moment.toISOString(),
    });
    const soon = new Date(at.getTime() + 1);
    const [earlier, over] = [newWebhookSecret(), newWebhookSecret()];
    const previousSecrets = [until(soon, previous), until(soon, earlier), until(at, over)];
    const { headers, body } = build(target({}, { previousSecrets }));
    for (const valid of [secret, previous, earlier])
      expect(() => new Webhook(valid).verify(body ?? '', { ...headers })).not.toThrow();
    expect(() => new Webhook(over).verify(body ?? '', { ...headers })).toThrow();
  });

  it('carries the headers of the customer, which cannot take the place of ours', () => {
    const { headers } = build(target({}, { headers: { authorization: 'Bearer x', 'webhook-id': 'forged' } }));
    expect(headers['authorization']).toBe('Bearer x');
    expect(headers['webhook-id']).toMatch(/^EV/);
  });

  it('is kept with an address that holds none of its fields, whatever the method', () => {
    for (const method of ['POST', 'GET'] as const)
      expect(build(target({}, { method })).address).toBe(
        'https://customer.example/hooks/message/receive?key=1',
      );
  });

  it('by GET has its fields in the query, and the query signed', () => {
    const { method, url, headers, body } = build(target({}, { method: 'GET' }));
    expect([method, body]).toEqual(['GET', null]);
    const { searchParams, search } = new URL(url);
    expect(Object.fromEntries(searchParams)).toEqual({ key: '1', body: 'Grüße, 世界', id: '1000000000001' });
    expect(() => new Webhook(secret).verify(search.slice(1), { ...headers })).not.toThrow(/signature/);
  });
});

describe('a callback', () => {
  const form = new URLSearchParams({ Status: 'completed', PhoneNumber: '+14158675310', FailureReason: '' });

  it('is a form that the official validateRequest accepts', () => {
    const url = 'https://customer.example/status?order=1';
    const request = build(target({ kind: 'order/status', url }, null, form.toString()));
    expect(request).toMatchObject({ method: 'POST', url, body: form.toString() });
    expect(request.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    const signature = request.headers['x-twilio-signature'] ?? '';
    const parameters = Object.fromEntries(new URLSearchParams(request.body ?? ''));
    expect(twilio.validateRequest(authToken, signature, url, parameters)).toBe(true);
    expect(twilio.validateRequest('another', signature, url, parameters)).toBe(false);
  });

  it.each([
    'https://customer.example/status',
    'https://customer.example/status?order=1',
    'https://customer.example',
  ])('by GET has its fields in the query of %s, which validateRequest accepts', (url) => {
    const request = build(target({ kind: 'order/status', url, method: 'GET' }, null, form.toString()));
    expect(request).toMatchObject({ method: 'GET', body: null });
    expect(new URL(request.url).searchParams.get('PhoneNumber')).toBe('+14158675310');
    const signature = request.headers['x-twilio-signature'] ?? '';
    expect(twilio.validateRequest(authToken, signature, request.url, {})).toBe(true);
  });

  it('carries every header that the reference lists, and no other', () => {
    const url = 'https://customer.example/status';
    const given = target({ kind: 'order/status', url }, null, form.toString());
    expect(headersOf(given)).toEqual(listed(callbackHeaders));
    const byGet = target({ kind: 'order/status', url, method: 'GET' }, null, form.toString());
    expect(headersOf(byGet)).toEqual(listed(callbackHeaders, 'content-type'));
  });

  it('names its delivery as the idempotency token', () => {
    const given = target({ kind: 'message/status', url: 'https://customer.example/' }, null, form.toString());
    expect(build(given).headers['i-twilio-idempotency-token']).toBe(given.delivery.sid);
  });

  it('shares its limits with callbacks of the same account to the same host only', () => {
    const url = 'https://shared.example/hook';
    const one = endpointKeyOf(target({ kind: 'order/status', url }, null, ''));
    const two = endpointKeyOf(target({ kind: 'order/status', url }, null, ''));
    expect(one).not.toBe(two);
    expect(Buffer.byteLength(one)).toBeLessThanOrEqual(64);
  });
});
