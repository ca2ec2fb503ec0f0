/** The whole story in a browser, by nothing but what a person sees and clicks: phone, mailbox, signing page, console. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { orderSteps, type OrderSteps } from '../support/order-steps.ts';
import { outsideWorldAt } from '../support/outside.ts';
import { openBrowser } from '../support/browser.ts';
import { startService, type Service } from '../support/service.ts';
import { twilioFor, type TwilioClient } from '../support/twilio.ts';

let service: Service;
let client: TwilioClient;
let steps: OrderSteps;
let browser: Browser | null;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), openBrowser()]);
  client = twilioFor(service);
  steps = orderSteps(client, outsideWorldAt(service.local.url));
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** A page that notes every request that would leave this machine. */
async function openPage(context: TestContext): Promise<{ page: Page; foreign: string[] }> {
  if (!browser) return context.skip('no Chromium here');
  const page = await browser.newPage();
  const foreign: string[] = [];
  page.context().on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && !['localhost', '127.0.0.1'].includes(hostname))
      foreign.push(request.url());
  });
  return { page, foreign };
}

async function answerAndKey(page: Page, number: string, code: string): Promise<void> {
  await page.goto(`${service.local.url}/phone`);
  const call = page.locator('article', { hasText: number });
  await call.getByRole('button', { name: 'Answer' }).click();
  for (const digit of code) await call.getByRole('button', { name: digit, exact: true }).click();
}

/** Has the letter mailed with everything left to the signer; answers the signer's address. */
async function mailLetter(orderSid: string): Promise<string> {
  const email = `person-${orderSid}@example.com`;
  const basic = `${service.credentials.accountSid}:${service.credentials.authToken}`;
  await fetch(`${service.url}/HostedNumbers/AuthorizationDocuments`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
    body: new URLSearchParams({ HostedNumberOrderSids: orderSid, Email: email }),
  });
  return email;
}

async function openLetter(page: Page, email: string): Promise<Page> {
  await page.goto(`${service.local.url}/mail`);
  await page.getByRole('row', { name: email }).getByRole('link').first().click();
  const signingPage = page.context().waitForEvent('page');
  await page.locator('a[href*="/sign/"]').first().click();
  const opened = await signingPage;
  await opened.waitForLoadState();
  return opened;
}

async function sign(page: Page): Promise<void> {
  await page.getByLabel('Business name').fill('Springfield Bakery LLC');
  await page.getByLabel('Street and number').fill('742 Evergreen Terrace');
  await page.getByLabel('City').fill('Springfield');
  await page.getByLabel('State or province').fill('IL');
  await page.getByLabel('Postal code').fill('62704');
  await page.getByLabel('Your title').fill('Owner');
  await page.getByLabel('Your phone number').fill('+1 415 867 5310');
  await page.getByLabel(/I agree/).check();
  await page.getByLabel(/Your signature/).fill('Zoë Müller');
  await page.getByRole('button', { name: 'Sign the letter' }).click();
}

describe('a person with a browser (service.md §1)', () => {
  it('answers the call, keys the code, reads the letter, signs it, and the order completes', async (context) => {
    const { page, foreign } = await openPage(context);
    const order = await steps.create();
    const code = await steps.startCall(order.sid);
    await answerAndKey(page, order.phoneNumber, code);
    await steps.untilStatus(order.sid, 'verified');

    const email = await mailLetter(order.sid);
    const letter = await openLetter(page, email);
    await sign(letter);
    await letter
      .getByText(/SHA-256/)
      .first()
      .waitFor();
    await steps.untilStatus(order.sid, 'completed');

    await page.goto(`${service.url}/console`);
    await page
      .getByLabel(/AccountSid|Account|User/i)
      .first()
      .fill(service.credentials.accountSid);
    await page
      .getByLabel(/token|password/i)
      .first()
      .fill(service.credentials.authToken);
    await page.getByRole('button', { name: /sign in|log in/i }).click();
    await page
      .getByRole('row', { name: /completed/ })
      .first()
      .waitFor();
    expect(foreign).toEqual([]);
  });

  it('sees on a phone at once what is wrong with a letter that was not taken', async (context) => {
    const { page } = await openPage(context);
    const order = await steps.create();
    await openLetter(page, await mailLetter(order.sid));
    const letter = page.context().pages().at(-1) ?? page;
    await letter.setViewportSize({ width: 390, height: 844 });
    // Twice: the second form is sent from an address that has the anchor already.
    for (const time of ['first', 'second']) {
      await letter.getByRole('button', { name: 'Sign the letter' }).click();
      const errors = letter.getByRole('alert');
      await errors.getByText('need your attention').waitFor();
      expect((await errors.boundingBox())?.y, time).toBeLessThan(400);
      expect(await letter.locator(':focus').getAttribute('role'), time).toBe('alert');
      expect(await letter.title(), time).toMatch(/^Error: /);
      await letter.mouse.wheel(0, 3000);
    }
  });

  it('reads the outside world on a phone without moving it sideways', async (context) => {
    const { page } = await openPage(context);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['/', '/phone', '/mail', '/handsets', '/registry']) {
      await page.goto(service.local.url + path);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(390);
    }
  });

  it('reads a mail to its end, without moving it or its frame', async (context) => {
    const { page } = await openPage(context);
    const order = await steps.create();
    const email = await mailLetter(order.sid);
    await openLetter(page, email);
    await page.setViewportSize({ width: 390, height: 844 });
    const frame = 'document.querySelector("iframe").contentDocument.documentElement';
    for (const [held, holds] of [
      [`${frame}.scrollHeight`, `${frame}.clientHeight`],
      [`${frame}.scrollWidth`, `${frame}.clientWidth`],
      ['document.documentElement.scrollWidth', '390'],
    ] as const) {
      await expect.poll(() => page.evaluate(`${held} - ${holds}`), { message: held }).toBe(0);
    }
  });
});
