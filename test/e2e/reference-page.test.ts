/** The API reference in a browser: what a stranger presses there has to work, with nothing typed but what is needed. */
import type { Browser, Locator, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { startService, type Service } from '../support/service.ts';

const newOrder = 'createHostedNumberOrder';
const eligibility = 'checkEligibility';

let service: Service;
let browser: Browser | null;
/** The reference, loaded once, since it describes a hundred operations. */
let page: Page | undefined;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), openBrowser()]);
  page = await browser?.newPage();
  if (!page) return;
  await authorize(page);
  await openOperation(page, 'Hosted number orders', newOrder);
  await openOperation(page, 'Numbers v1', eligibility);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Types into whatever has the focus, as a person does who does not read the headings. */
async function authorize(page: Page): Promise<void> {
  await page.goto(`${service.url}/docs`);
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.keyboard.type(service.credentials.accountSid);
  await page.keyboard.press('Tab');
  await page.keyboard.type(service.credentials.authToken);
  await page.keyboard.press('Enter');
  await page.locator('.modal-ux button.btn-done').first().click();
}

const operationOf = (page: Page, id: string): Locator => page.locator(`.opblock[id$="-${id}"]`);

async function openOperation(page: Page, group: string, id: string): Promise<void> {
  await page.getByRole('link', { name: group }).click();
  await operationOf(page, id).locator('.opblock-summary-control').click();
}

function opened(context: TestContext, id: string): Locator {
  return page ? operationOf(page, id) : context.skip('no Chromium here');
}

/** Presses “Execute”; resolves with the answer. */
async function execute(operation: Locator): Promise<Response> {
  const answered = operation.page().waitForResponse((response) => response.request().method() === 'POST');
  await operation.getByRole('button', { name: 'Execute' }).click();
  return answered;
}

describe('the reference to somebody who hears it', () => {
  it('has one first heading, and a name for every field beside its operations', async (context) => {
    const opened = page ?? context.skip('no Chromium here');
    expect(await opened.locator('h1').allTextContents()).toEqual(['API reference']);
    expect(await opened.locator('h2.title').textContent()).toMatch(/^Hosted SMS/);
    const fields = '[...document.querySelectorAll(":is(input, select, textarea):not(.opblock *)")]';
    const nameless = `${fields}.filter((field) => !field.labels.length && !field.ariaLabel)`;
    expect(await opened.evaluate(`${fields}.length`)).toBe(2);
    expect(await opened.evaluate(`${nameless}.map((field) => field.outerHTML)`)).toEqual([]);
    expect(await opened.getByLabel('Filter by tag or path').count()).toBe(1);
  });
});

describe('“Try it out” of the reference', () => {
  it('makes an order of the account that was typed where the focus is, from nothing but a number', async (context) => {
    const operation = opened(context, newOrder);
    const number = operation.getByPlaceholder('PhoneNumber');
    expect(await number.inputValue()).toMatch(/^\+\d+$/);
    await number.fill(newPhoneNumber());
    const answer = await execute(operation);
    expect(answer.request().postData()).toMatch(/^(?=.*PhoneNumber=)(?=.*SmsCapability=true)[^&]+&[^&]+$/);
    expect(answer.status()).toBe(201);
    expect(await answer.json()).toMatchObject({ account_sid: service.credentials.accountSid });
  });

  it('sends a JSON body that is taken as it stands', async (context) => {
    const operation = opened(context, eligibility);
    const answer = await execute(operation);
    expect(answer.request().postDataJSON()).toEqual({ phone_number: '+14158675310' });
    expect(answer.status()).toBe(200);
  });

  it('lets an empty value be sent where that is asked for', async (context) => {
    const operation = opened(context, newOrder);
    const emptyToo = operation.getByLabel('Send empty value').first();
    expect(await emptyToo.isChecked()).toBe(false);
    const look = 'getComputedStyle(document.querySelector(".opblock input[type=checkbox]")).appearance';
    expect(await operation.page().evaluate(look)).toBe('auto');
    expect((await emptyToo.boundingBox())?.width).toBeGreaterThan(10);
  });
});
