/** The signing link and the page behind it (issue 3 "Letter of authorization"; design.md §6), and the check of a file. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi, type MockInstance } from 'vitest';
import { orderSteps, type OrderSteps } from '../support/order-steps.ts';
import { outsideWorldAt, signerForm, type Outside } from '../support/outside.ts';
import { startService, type Service } from '../support/service.ts';
import { twilioFor, type TwilioClient } from '../support/twilio.ts';
import { until } from '../support/until.ts';
import { verifyDocument } from '../../verify-document.ts';
import { documentWorkflowId } from '../../workflows/messages.ts';
import { brokenBodies } from './broken-bodies.ts';

let service: Service;
let client: TwilioClient;
let outside: Outside;
let steps: OrderSteps;

beforeAll(async () => {
  service = await startService();
  client = twilioFor(service);
  outside = outsideWorldAt(service.local.url);
  steps = orderSteps(client, outside);
});
afterAll(() => service?.stop());

interface Letter {
  readonly link: string;
  readonly documentSid: string;
  readonly email: string;
}

/** A letter on its way, with everything left for the signer to fill in. */
async function mailedLetter(): Promise<Letter> {
  const order = await steps.create();
  const email = `owner-${order.sid}@example.com`;
  // The specification's own call: no address, no contact. The official client would ask for them.
  const { accountSid, authToken } = service.credentials;
  const response = await fetch(`${service.url}/HostedNumbers/AuthorizationDocuments`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` },
    body: new URLSearchParams({ HostedNumberOrderSids: order.sid, Email: email }),
  });
  const document = (await response.json()) as { readonly sid: string };
  const { link } = await outside.letterTo(email);
  return { link, email, documentSid: document.sid };
}

const get = (path: string): Promise<Response> => fetch(new URL(path, service.url), { redirect: 'manual' });
const post = (path: string, form: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(path, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
const linkFor = (subject: string, expiresAt: Date): string =>
  `/sign/${service.deps.vault.issueToken({ purpose: 'sign-document', subject, expiresAt })}`;
const tomorrow = (): Date => new Date(Date.now() + 86_400_000);

async function pageAt(path: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await get(path);
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe('a signing link', () => {
  let letter: Letter;
  beforeAll(async () => {
    letter = await mailedLetter();
  });

  it('opens the letter, which nobody may keep or frame and which leaks no referrer', async () => {
    const { status, text, headers } = await pageAt(letter.link);
    expect(status).toBe(200);
    expect(text).toContain('What the letter says');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(text).toContain('<meta name="referrer" content="same-origin"');
  });

  it('is void when a character of it is changed, cut or made for another purpose', async () => {
    const { pathname } = new URL(letter.link);
    const flipped = pathname.slice(0, -1) + (pathname.endsWith('A') ? 'B' : 'A');
    const session = service.deps.vault.issueToken({
      purpose: 'console-session',
      subject: `${letter.documentSid}:1`,
      expiresAt: tomorrow(),
    });
    for (const path of [flipped, pathname.slice(0, -10), `/sign/${session}`, '/sign/x', '/sign/x.y']) {
      const { status, text } = await pageAt(path);
      expect(status, path).toBe(404);
      expect(text).toContain('This link is not valid');
      expect(text).not.toContain(letter.email);
    }
  });

  it('is void when it has expired, and says so', async () => {
    const { status, text } = await pageAt(linkFor(`${letter.documentSid}:1`, new Date(Date.now() - 1000)));
    expect(status).toBe(410);
    expect(text).toContain('This link has expired');
  });

  it('is void for a mailing that is not the live one, its files too', async () => {
    const link = linkFor(`${letter.documentSid}:2`, tomorrow());
    for (const path of [link, `${link}/letter.pdf`]) {
      const { status, text } = await pageAt(path);
      expect(status).toBe(410);
      expect(text).toContain('A newer letter has been sent');
    }
  });

  it('is void for a document that does not exist', async () => {
    const { status } = await pageAt(linkFor(`PX${'0'.repeat(32)}:1`, tomorrow()));
    expect(status).toBe(404);
  });

  it('shows the letter byte for byte as it was mailed', async () => {
    const { mail } = await outside.letterTo(letter.email);
    const pdf = await get(`${letter.link}/letter.pdf`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(sha256(await pdf.arrayBuffer())).toBe(mail.attachments[0]?.sha256);
  });

  it('comes back with what was typed when a field is missing, and signs nothing', async () => {
    const { consent: _, ...form } = signerForm;
    const response = await post(letter.link, form);
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(text).toContain('value="Springfield Bakery LLC"');
    expect(text).toContain('Tick the box, or decline below.');
    expect((await pageAt(letter.link)).text).toContain('Sign the letter');
  });

  it('refuses a form that is too large', async () => {
    const response = await post(letter.link, { ...signerForm, signerName: 'A'.repeat(70_000) });
    expect(response.status).toBe(413);
  });

  it.each(brokenBodies)('takes $what for neither a signature nor a refusal, and says so', async (body) => {
    const logged = vi.spyOn(service.deps.log, 'error');
    for (const path of [letter.link, `${letter.link}/decline`]) {
      const headers = { 'Content-Type': body.type };
      const response = await fetch(path, { method: 'POST', headers, body: body.text, redirect: 'manual' });
      expect(response.status, path).toBe(400);
      expect(await response.text()).toContain(body.told);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    expect(logged).not.toHaveBeenCalled();
    expect((await pageAt(letter.link)).text).toContain('Sign the letter');
  });

  it('shows text from the letter as text', async () => {
    const response = await post(letter.link, {
      ...signerForm,
      consent: '',
      signerName: '<script>x</script>',
    });
    expect(await response.text()).not.toContain('<script>x');
  });
});

describe('an answer that Temporal does not take', () => {
  let letter: Letter;
  let unreachable: MockInstance;
  beforeAll(async () => {
    letter = await mailedLetter();
    const { workflow } = service.deps.temporal;
    const handleOf = workflow.getHandle.bind(workflow);
    unreachable = vi.spyOn(workflow, 'getHandle').mockImplementation((workflowId, ...rest) => {
      if (workflowId === documentWorkflowId(letter.documentSid)) throw new Error('Temporal is not there');
      return handleOf(workflowId, ...rest);
    });
  });
  afterAll(() => unreachable?.mockRestore());

  it('comes back with every field of the signature as it was typed', async () => {
    const { consent: _, isoCountry: _us, ...given } = signerForm;
    const lines = { ...given, streetSecondary: 'Suite 5', postalCode: 'K1A 0B1' };
    const response = await post(letter.link, { ...lines, consent: 'yes', isoCountry: 'CA' });
    const text = await response.text();
    expect(response.status).toBe(503);
    expect(text).toContain('Please press “Sign the letter” again.');
    for (const [name, value] of Object.entries(lines))
      expect(text).toContain(`name="${name}" value="${value}"`);
    expect(text).toContain('<option value="CA" selected');
    expect(text).toMatch(/<input[^>]*id="consent"[^>]*checked/);
  });

  it('comes back with the reason for declining, in a form that is open', async () => {
    const response = await post(`${letter.link}/decline`, { reason: 'wrong <b>address\n& name' });
    const text = await response.text();
    expect(response.status).toBe(503);
    expect(text).toContain('Please decline again.');
    expect(text).toContain('<details class="card decline" open');
    expect(text).toMatch(/<textarea[^>]*>wrong &lt;b&gt;address\r?\n&amp; name<\/textarea>/);
  });
});

describe('signing', () => {
  it('leads to a page with the sealed letter, whose hash it states, and which anyone can verify', async () => {
    const letter = await mailedLetter();
    const answer = await post(letter.link, { ...signerForm, signerName: 'Ada <b>Owner' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(new URL(letter.link).pathname);

    const { text } = await pageAt(letter.link);
    expect(text).toContain('The letter is signed');
    expect(text).toContain('Ada &lt;b&gt;Owner');
    const signed = Buffer.from(await (await get(`${letter.link}/signed.pdf`)).arrayBuffer());
    const mailed = Buffer.from(await (await get(`${letter.link}/letter.pdf`)).arrayBuffer());
    expect(signed.subarray(0, mailed.length).equals(mailed)).toBe(true);
    expect(text.replaceAll(/<\/?span>/g, '')).toContain(sha256(signed));

    expect(await verify(signed)).toContain('Genuine and signed');
    const key = await (await fetch(`${service.url}/.well-known/hosted-sms-signing-key.pem`)).text();
    expect(await verifyDocument(signed, key)).toMatchObject({ seal: 'genuine', letterIntact: true });
    expect(await verify(mailed)).toContain('Genuine, but not signed');
    expect(await verify(Buffer.concat([signed, Buffer.from('\n%more')]))).toContain('Altered');
    expect(await verify(Buffer.from('%PDF-1.7\n%%EOF\n'))).toContain('Not a letter of this service');
  });

  it('happens once: a second signature changes nothing', async () => {
    const letter = await mailedLetter();
    await Promise.all([post(letter.link, signerForm), post(letter.link, signerForm)]);
    const first = (await pageAt(letter.link)).text;
    await post(letter.link, { ...signerForm, signerName: 'Somebody Else' });
    expect((await pageAt(letter.link)).text).toBe(first);
  });

  it('is refused once the letter was declined; the reason reaches the customer', async () => {
    const letter = await mailedLetter();
    const answer = await post(`${letter.link}/decline`, { reason: 'wrong address' });
    expect(answer.status).toBe(303);
    const { status, text } = await pageAt(letter.link);
    expect(status).toBe(410);
    expect(text).toContain('The letter was declined');
    expect((await post(letter.link, signerForm)).status).toBe(410);
    const document = client.preview.hosted_numbers.authorizationDocuments(letter.documentSid);
    expect((await document.fetch()).status).toBe('canceled');
  });

  it('is refused while the customer changes the letter, and goes on with the new link only', async () => {
    const letter = await mailedLetter();
    const document = client.preview.hosted_numbers.authorizationDocuments(letter.documentSid);
    await document.update({ status: 'opened' });
    expect((await pageAt(letter.link)).text).toContain('The sender is changing the letter');
    await document.update({ status: 'signing' });
    const link = await until(async () => {
      const links = (await outside.mailsTo(letter.email)).flatMap((mail) => mail.links);
      return links.find((link) => link.includes('/sign/') && link !== letter.link);
    });
    expect((await pageAt(letter.link)).text).toContain('A newer letter has been sent');
    expect((await pageAt(link)).status).toBe(200);
  });
});

async function verify(file: Buffer): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(file)]), '<i>letter</i>.pdf');
  const response = await fetch(`${service.url}/verify`, { method: 'POST', body: form });
  const text = await response.text();
  expect(text).toContain('&lt;i&gt;letter&lt;/i&gt;.pdf');
  return text;
}

function sha256(bytes: ArrayBuffer | Buffer): string {
  return createHash('sha256')
    .update(Buffer.from(bytes as ArrayBuffer))
    .digest('hex');
}
