/** The API reference in a browser: what a stranger presses there has to work, with nothing typed but what is needed. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;
let browser: Browser | null;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** The reference with the dialog of “Authorize” open. */
async function openDialog(context: TestContext): Promise<Page> {
  if (!browser) return context.skip('no Chromium here');
  const page = await browser.newPage();
  await page.goto(`${service.url}/docs`);
  await page.getByRole('button', { name: 'Authorize' }).click();
  return page;
}

/** Types into whatever has the focus, as a person does who does not read the headings. */
async function authorize(page: Page): Promise<void> {
  await page.keyboard.type(service.credentials.accountSid);
  await page.keyboard.press('Tab');
  await page.keyboard.type(service.credentials.authToken);
  await page.keyboard.press('Enter');
  await page.locator('.modal-ux button.btn-done').first().click();
}

async function openOperation(page: Page, id: string) {
  const operation = page.locator(`.opblock[id$="-${id}"]`);
  await page.getByRole('link', { name: 'Hosted number orders' }).click();
  await operation.locator('.opblock-summary-control').click();
  return operation;
}

describe('“Try it out” of the reference', () => {
  it('makes an order of the account that was typed where the focus is, from nothing but a number', async (context) => {
    const page = await openDialog(context);
    await authorize(page);
    const operation = await openOperation(page, 'createHostedNumberOrder');
    const number = operation.getByPlaceholder('PhoneNumber');
    expect(await number.inputValue()).toMatch(/^\+\d+$/);
    await number.fill(newPhoneNumber());
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = await answered;
    expect(answer.request().postData()).toMatch(/^(?=.*PhoneNumber=)(?=.*SmsCapability=true)[^&]+&[^&]+$/);
    expect(answer.status()).toBe(201);
    expect(await answer.json()).toMatchObject({ account_sid: service.credentials.accountSid });
  });

  it('sends a JSON body that is taken as it stands', async (context) => {
    const page = await openDialog(context);
    await authorize(page);
    await page.getByRole('link', { name: 'Numbers v1' }).click();
    const operation = page.locator('.opblock', { hasText: '/v1/HostedNumber/Eligibility' }).first();
    await operation.locator('.opblock-summary-control').click();
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = await answered;
    expect(answer.request().postDataJSON()).toEqual({ phone_number: '+14158675310' });
    expect(answer.status()).toBe(200);
  });

  it('lets an empty value be sent where that is asked for', async (context) => {
    const page = await openDialog(context);
    await page.locator('.modal-ux button.btn-done').first().click();
    const operation = await openOperation(page, 'createHostedNumberOrder');
    const emptyToo = operation.getByLabel('Send empty value').first();
    expect(await emptyToo.isChecked()).toBe(false);
    const look = 'getComputedStyle(document.querySelector(".opblock input[type=checkbox]")).appearance';
    expect(await page.evaluate(look)).toBe('auto');
    expect((await emptyToo.boundingBox())?.width).toBeGreaterThan(10);
  });
});
