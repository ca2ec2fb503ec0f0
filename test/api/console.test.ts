/** The console: whose orders its users see, and that its buttons do what the API does (design.md §2, §6). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedIn, signIn, type Browser } from '../support/console-browser.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { rawClient } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';
import { until } from '../support/until.ts';

let service: Service;
let browser: Browser;
let admin: Browser;

beforeAll(async () => {
  service = await startService();
  const { accountSid, authToken, adminToken } = service.credentials;
  browser = await signedIn(service, [accountSid, authToken]);
  admin = await signedIn(service, ['admin', adminToken]);
});
afterAll(() => service?.stop());

/** Orders a number with the form; answers the order's sid. */
async function orderBy(who: Browser, form: Readonly<Record<string, string>> = {}): Promise<string> {
  const page = await who.submit('/console/orders', { PhoneNumber: newPhoneNumber(), ...form });
  expect(page.status).toBe(200);
  return /HR[0-9a-f]{32}/.exec(page.path)?.[0] ?? '';
}

describe('forms', () => {
  it('are taken from our own pages only', async () => {
    const { accountSid, authToken } = service.credentials;
    expect((await signIn(service, [accountSid, authToken], 'https://evil.example')).status).toBe(403);
  });

  it('show the API’s own code and keep what was typed when it refuses', async () => {
    const form = { PhoneNumber: '12', FriendlyName: 'Fr<i>ont' };
    const page = await browser.submit('/console/orders', form);
    expect(page.status).toBe(400);
    expect(page.text).toContain('href="/docs/errors#22102"');
    expect(page.text).toContain('value="Fr&lt;i&gt;ont"');
  });
});

describe('an order', () => {
  it('is told as a story, with the code of its call', async () => {
    const sid = await orderBy(browser, { FriendlyName: '<script>alert(1)</script>' });
    const page = await browser.submit(`/console/orders/${sid}/verify`, { Extension: '', CallDelay: '' });
    expect(page.text).toContain('pending-verification');
    expect(page.text).toMatch(/<output class="code-digits">\d{6}<\/output>/);
    expect(page.text).toContain('Answer the verification call');
    // Who and what stand apart: what is said is sometimes a whole sentence.
    expect(page.text).toMatch(/<p>Asked for verification call 1[\s\S]*?Customer · <time/);
    expect(page.text).toMatch(/<p>The number is eligible[\s\S]*?Registry · <time/);
    expect(page.text).not.toContain('<script>alert');
    const list = await browser.get('/console/orders');
    expect(list.text).toContain(sid);
    expect(list.text).not.toContain('<script>alert');
    const canceled = await browser.submit(`/console/orders/${sid}/cancel`);
    expect(canceled.path).toBe('/console/orders?done=canceled');
    expect((await browser.get('/console/orders')).text).not.toContain(sid);
  });

  it('is found by its status and by any part of its number', async () => {
    const sid = await orderBy(browser);
    const [row] = await service.sql`select phone_number from hosted_number_orders where sid = ${sid}`;
    const digits = String(row?.['phone_number']).slice(4);
    expect((await browser.get(`/console/orders?number=${digits}&status=received`)).text).toContain(sid);
    expect((await browser.get(`/console/orders?number=${digits}&status=completed`)).text).not.toContain(sid);
  });

  it('has its number set before it is completed', async () => {
    const sid = await orderBy(browser);
    const form = { SmsUrl: 'https://app.example.com/sms', SmsFallbackUrl: '' };
    const page = await browser.submit(`/console/orders/${sid}/number`, form);
    expect(page.path).toContain('done=saved');
    expect(page.text).toContain('value="https://app.example.com/sms"');
  });

  it('of another account is not there, to look at or to change', async () => {
    const sid = await orderBy(browser);
    const other = await service.addAccount();
    const stranger = await signedIn(service, [other.sid, other.token]);
    for (const path of [
      `/console/orders/${sid}`,
      `/console/orders/${sid}/live`,
      `/console/orders/${sid}/bill`,
    ]) {
      expect((await stranger.get(path)).status, path).toBe(404);
    }
    for (const action of ['verify', 'cancel', 'release', 'number']) {
      expect((await stranger.submit(`/console/orders/${sid}/${action}`)).status, action).toBe(404);
    }
    expect((await browser.get(`/console/orders/${sid}`)).status).toBe(200);
  });

  it('gets its letter from the console', async () => {
    const sid = await orderBy(browser);
    const page = await browser.submit('/console/documents', {
      HostedNumberOrderSids: sid,
      Email: `owner-${sid}@example.com`,
      CcEmails: 'a@example.com, b@example.com',
    });
    expect(page.path).toMatch(/^\/console\/documents\/PX[0-9a-f]{32}\?done=mailed$/);
    expect(page.text).toContain('a@example.com, b@example.com');
    await until(async () => (await browser.get(page.path)).text.includes('/letter.pdf'));
    expect((await browser.get('/console/documents')).text).toContain(`owner-${sid}@example.com`);
  });
});

describe('a webhook', () => {
  it('is made, tried, switched off and removed', async () => {
    const made = await browser.submit('/console/webhooks', {
      Url: `${service.url}/health/live`,
      Events: 'message/receive',
    });
    const path = /^\/console\/webhooks\/WH[0-9a-f]{32}/.exec(made.path)?.[0] ?? '';
    expect(made.text).toContain('whsec_');
    const tested = await browser.submit(`${path}/test`);
    expect(tested.path).toContain('done=tested');
    const delivery = /\/console\/deliveries\/DL[0-9a-f]{32}/.exec(tested.text)?.[0] ?? '';
    await until(async () => (await browser.get(delivery)).text.includes('HTTP '));
    expect((await browser.submit(`${path}/disable`)).text).toContain('Switch on');
    expect((await browser.submit(`${path}/replay`, { Hours: '1' })).status).not.toBe(500);
    expect((await browser.submit(`${path}/rotate`)).path).toContain('done=rotated');
    expect((await browser.submit(`${path}/remove`)).path).toBe('/console/webhooks?done=removed');
    expect((await browser.get(path)).status).toBe(404);
  });
});

it('a webhook says who is told when it is switched off, and that nobody is without an address', async () => {
  const account = await service.addAccount();
  const own = await signedIn(service, [account.sid, account.token]);
  const form = { Url: 'https://example.com/hooks', Events: 'message/receive' };
  const page = await own.submit('/console/webhooks', form);
  expect(page.text).toContain('Nobody: the account has no e-mail address');
  await service.sql`update accounts set email = 'it@example.com' where sid = ${account.sid}`;
  expect((await own.get(page.path)).text).toMatch(/switched off<\/dt><dd>it@example\.com<\/dd>/);
});

describe('an administrator', () => {
  it('sees what waits, why and since when, and resolves it with a reason', async () => {
    const sid = await orderBy(browser);
    await service.temporal.workflow.getHandle(sid).query('facts');
    for (let call = 1; call <= 3; call++) {
      await browser.submit(`/console/orders/${sid}/verify`);
      await rejectCall(sid);
    }
    const work = await until(async () => {
      const page = await admin.get('/console/work');
      return page.text.includes(sid) && page;
    });
    expect(work.text).toMatch(/action-required[\s\S]*Time left">7 days/);
    const page = await admin.submit(`/console/orders/${sid}/resolve`, {
      Target: 'verified',
      Reason: 'Seen on the phone bill',
    });
    expect(page.path).toContain('done=resolved');
    expect(page.text).toContain('Seen on the phone bill');
    expect((await admin.get('/console/work')).text).not.toContain(sid);
  });

  it('sees the phone bills that are to be reviewed', async () => {
    const sid = await orderBy(browser);
    await handInBill(sid);
    const { text } = await admin.get('/console/work');
    const row = text.split('<tr').find((row) => row.includes(`id="${sid}"`));
    expect(row).toContain('A phone bill is to be reviewed');
  });

  it('takes over a number that is hosted already', async () => {
    const page = await admin.submit('/console/accounts/numbers', {
      AccountSid: service.credentials.accountSid,
      PhoneNumber: newPhoneNumber(),
    });
    expect(page.path).toContain('done=hosted');
    expect(page.text).toContain('completed');
  });

  it('has pages that no customer sees, and none of a customer’s', async () => {
    for (const path of ['/console/work', '/console/accounts', '/console/work/list']) {
      expect((await browser.get(path)).status, path).toBe(403);
      expect((await admin.get(path)).status, path).toBe(200);
    }
    const sid = await orderBy(browser);
    expect((await browser.submit(`/console/orders/${sid}/resolve`, { Target: 'verified' })).status).toBe(403);
    for (const path of ['/console/messages', '/console/webhooks', '/console/documents/new']) {
      const { status, text } = await admin.get(path);
      expect(status, path).toBe(403);
      expect(text).toContain('This page is for accounts');
      expect(text).toContain('Sign out');
      expect(text).toContain('<a href="/console/work">');
    }
    expect((await browser.get('/console/work')).text).toContain('This page is for the administrator');
  });
});

/** Puts a phone bill in place of the call, and asks for its review. */
async function handInBill(orderSid: string): Promise<void> {
  const call = rawClient(service);
  const upload = new FormData();
  upload.append('File', new File(['%PDF-1.4 a phone bill'], 'bill.pdf', { type: 'application/pdf' }));
  const bill = await call('POST', '/HostedNumbers/VerificationDocuments', { form: upload });
  const form = {
    VerificationType: 'phone-bill',
    VerificationDocumentSid: String(bill.body['sid']),
    Status: 'pending-verification',
  };
  const { status } = await call('POST', `/HostedNumbers/HostedNumberOrders/${orderSid}`, { form });
  expect(status).toBe(200);
}

/** The callee rejects the call that rings; resolves when the order knows. */
async function rejectCall(orderSid: string): Promise<void> {
  const [order] = await service.sql`select phone_number from hosted_number_orders where sid = ${orderSid}`;
  const call = await until(async () => {
    const calls = (await (await fetch(`${service.local.url}/calls`)).json()) as readonly {
      readonly sid: string;
      readonly to: string;
    }[];
    return calls.find(({ to }) => to === order?.['phone_number']);
  });
  await fetch(`${service.local.url}/calls/${call.sid}/reject`, { method: 'POST' });
  await until(async () => {
    const [open] = await service.sql`select count(*)::int as n from verification_attempts
      where order_sid = ${orderSid} and outcome is null`;
    return open?.['n'] === 0;
  });
}
