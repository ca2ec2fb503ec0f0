/** The console on a phone: names and addresses that nothing breaks must not make a page wider than its screen. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { rawClient } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';

const width = 360;
/** Longest name of an account, in one word. */
const accountName = 'W'.repeat(64);
const word = 'm'.repeat(64);

let service: Service;
let browser: Browser | null;
/** An account's AccountSid and AuthToken. */
let account: readonly [sid: string, token: string];

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), openBrowser()]);
  const { sid, token } = await service.addAccount(accountName);
  account = [sid, token];
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function signedIn(context: TestContext, user: string, password: string): Promise<Page> {
  if (!browser) return context.skip('no Chromium here');
  const page = await browser.newPage({ viewport: { width, height: 780 } });
  await page.goto(`${service.url}/console/login`);
  await page.locator('input[name="user"]').fill(user);
  await page.locator('input[name="password"]').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/console\/(?:orders|work)/);
  return page;
}

async function made(path: string, form: Readonly<Record<string, string>>): Promise<string> {
  const { status, body } = await rawClient(service)('POST', path, { form, as: account });
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return String(body['sid']);
}

const newOrder = (): Promise<string> =>
  made('/HostedNumbers/HostedNumberOrders', {
    PhoneNumber: newPhoneNumber(),
    SmsCapability: 'true',
    FriendlyName: word,
    Email: `${word}@example.com`,
  });

/** Pages that are wider than the screen, each with its width. */
async function tooWide(page: Page, paths: readonly string[]): Promise<string[]> {
  const wide: string[] = [];
  for (const path of paths) {
    await page.goto(`${service.url}/console/${path}`);
    expect(await page.locator('h1').count(), path).toBe(1);
    const has = Number(await page.evaluate('document.documentElement.scrollWidth'));
    if (has > width) wide.push(`${path}: ${has}`);
  }
  return wide;
}

describe(`the console at ${width} pixels`, () => {
  it('moves sideways on no page of an account, however long its names and addresses are', async (context) => {
    const page = await signedIn(context, ...account);
    const [orderSid, other] = [await newOrder(), await newOrder()];
    const short = await made('/HostedNumbers/AuthorizationDocuments', {
      HostedNumberOrderSids: orderSid,
      Email: 'ex14156350153@example.com',
    });
    const long = await made('/HostedNumbers/AuthorizationDocuments', {
      HostedNumberOrderSids: other,
      Email: `${word}@${'a'.repeat(63)}.${'b'.repeat(63)}.example.com`,
      ContactTitle: word,
    });
    const webhook = await made('/Webhooks', {
      Url: `https://example.com/${word}?${word}`,
      FriendlyName: word,
    });
    const test = await rawClient(service)('POST', `/Webhooks/${webhook}/Test`, { as: account });
    expect(test.status).toBeLessThan(300);
    const paths = [
      'orders',
      'orders/new',
      `orders/${orderSid}`,
      'documents',
      'documents/new',
      `documents/${short}`,
      `documents/${long}`,
      'webhooks',
      'webhooks/new',
      `webhooks/${webhook}`,
      `deliveries/${String(test.body['sid'])}`,
      'messages',
    ];
    expect(await tooWide(page, paths)).toEqual([]);
  });

  it('moves sideways on no page of the administrator', async (context) => {
    const page = await signedIn(context, 'admin', service.credentials.adminToken);
    const orderSid = await newOrder();
    expect(await tooWide(page, ['work', 'orders', `orders/${orderSid}`, 'accounts'])).toEqual([]);
  });
});
