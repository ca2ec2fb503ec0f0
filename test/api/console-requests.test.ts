/** Requests to the console that none of its pages makes, by somebody who is signed in. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { startService, type Service } from '../support/service.ts';
import { brokenBodies } from './broken-bodies.ts';

let service: Service;
let customer: string;
let admin: string;
let logged: MockInstance;

beforeAll(async () => {
  service = await startService();
  const { accountSid, authToken, adminToken } = service.credentials;
  customer = await cookieOf(accountSid, authToken);
  admin = await cookieOf('admin', adminToken);
  logged = vi.spyOn(service.deps.log, 'error');
});
afterAll(() => service?.stop());
beforeEach(() => logged.mockClear());

async function cookieOf(user: string, password: string): Promise<string> {
  const response = await fetch(`${service.url}/console/login`, {
    method: 'POST',
    headers: { Origin: service.url },
    body: new URLSearchParams({ user, password }),
    redirect: 'manual',
  });
  expect(response.status).toBe(303);
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const order = `HR${'0'.repeat(32)}`;

describe.each([
  '/console/orders',
  `/console/orders/${order}/verify`,
  `/console/orders/${order}/number`,
  '/console/documents',
  '/console/messages',
  '/console/webhooks',
  `/console/webhooks/WH${'0'.repeat(32)}/enable`,
  '/console/accounts/numbers',
  `/console/orders/${order}/resolve`,
])('a form posted to %s', (path) => {
  it.each(brokenBodies)('that is $what is refused in words, and is no error of the service', async (body) => {
    const cookie = /numbers$|resolve$/.test(path) ? admin : customer;
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: { Cookie: cookie, Origin: service.url, 'Content-Type': body.type },
      body: body.text,
      redirect: 'manual',
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(body.told);
    expect(logged).not.toHaveBeenCalled();
  });
});

it.each([
  '/console/orders/%00',
  '/console/documents/%00',
  '/console/documents/%00/letter.pdf',
  '/console/webhooks/%00',
  '/console/deliveries/%00',
])('%s is there for nobody, and no error of the service', async (path) => {
  const response = await fetch(service.url + path, { headers: { Cookie: customer } });
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('There is no such page');
  expect(logged).not.toHaveBeenCalled();
});
