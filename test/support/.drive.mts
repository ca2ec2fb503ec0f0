import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
const s = JSON.parse(readFileSync('/tmp/stest/secrets.json', 'utf8'));
const API = 'http://localhost:4900',
  L = 'http://localhost:4901';
const auth = 'Basic ' + Buffer.from(s.ACCOUNT_SID + ':' + s.AUTH_TOKEN).toString('base64');
const post = async (p: string, f: Record<string, string>) => {
  const r = await fetch(API + p, {
    method: 'POST',
    headers: { authorization: auth },
    body: new URLSearchParams(f),
  });
  const t = await r.text();
  console.log(p, r.status, t.slice(0, 160));
  return JSON.parse(t);
};
const get = async (p: string) => (await fetch(API + p, { headers: { authorization: auth } })).json() as any;
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
page.on('console', (m) => console.log('browser:', m.text()));
page.on('pageerror', (e) => console.log('pageerror', e.message));
const shot = (n: string) => page.screenshot({ path: `/tmp/shots/${n}.png`, fullPage: true });
const number = '+1415555' + String(1000 + Math.floor(Math.random() * 8999));
await page.goto(L + '/');
await shot('index');
await page.goto(L + '/phone');
await shot('phone-idle');
const o = await post('/HostedNumbers/HostedNumberOrders', { PhoneNumber: number, SmsCapability: 'true' });
const v = await post('/HostedNumbers/HostedNumberOrders/' + o.sid, {
  VerificationType: 'phone-call',
  Status: 'pending-verification',
});
const code = v.verification_code;
console.log('code', code);
await page.waitForSelector('.ringing', { timeout: 20000 });
await shot('phone-ringing');
await page.click('button.answer');
await page.waitForSelector('.keypad', { timeout: 10000 });
await page.waitForTimeout(1500);
await page.click('.keypad button[value="1"]');
await page.waitForTimeout(1200);
await shot('phone-talking');
await page.keyboard.type('00000');
await page.waitForTimeout(6000);
await page.keyboard.type(code, { delay: 60 });
await page.waitForTimeout(1500);
await shot('phone-keyed');
await page.waitForTimeout(5000);
await page.click('details summary').catch(() => {});
await shot('phone-after');
console.log((await get('/HostedNumbers/HostedNumberOrders/' + o.sid)).status);
const d = await post('/HostedNumbers/AuthorizationDocuments', {
  HostedNumberOrderSids: o.sid,
  Email: 'owner@example.com',
  CcEmails: 'boss@example.com',
});
await page.goto(L + '/mail');
for (let i = 0; i < 20 && !(await page.$('tbody a')); i++) await page.waitForTimeout(500);
await shot('mail-list');
await page.click('tbody a');
await page.waitForTimeout(1500);
await shot('mail');
await page.goto(L + '/registry?number=' + encodeURIComponent(number));
await shot('registry');
await page.goto(L + '/handsets');
await shot('handsets');
console.log(JSON.stringify((await (await fetch(L + '/mail')).json())[0]).slice(0, 900));
await browser.close();
