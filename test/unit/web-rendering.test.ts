/** What pages make of what people typed (design.md §2 row web; §6). */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { callbackHeaders, eventHeaders } from '../../domain/delivery-headers.ts';
import { apiErrors } from '../../domain/errors.ts';
import type { DocumentToSign } from '../../db/reads/signing.ts';
import { curl } from '../../web/components/command.tsx';
import { link, pageFromQuery } from '../../web/components/pager.tsx';
import { formatPhone } from '../../web/components/phone.ts';
import { formatDuration, formatInstant, formatTimeLeft } from '../../web/components/when.tsx';
import { createSignIn } from '../../web/console/sign-in.tsx';
import type { WebDeps } from '../../web/deps.ts';
import { ErrorsPage } from '../../web/docs/errors.tsx';
import { exampleRequest } from '../../web/docs/examples.ts';
import { WebhooksPage } from '../../web/docs/webhooks.tsx';
import { ClosedPage, closings, SigningPage } from '../../web/sign/pages.tsx';
import type { Markup } from '../../web/render.ts';
import { signature } from '../support/signature.ts';

const markup = async (page: unknown): Promise<string> => String(await (page as Markup));

const hostile = `"><script>alert(1)</script>&'`;
const document: DocumentToSign = {
  sid: 'PX00000000000000000000000000000001',
  accountSid: 'AC00000000000000000000000000000001',
  status: 'signing',
  mailing: 1,
  failureReason: null,
  lastActor: 'customer',
  signerName: null,
  signedAt: null,
  expiresAt: new Date('2026-12-24T12:00:00Z'),
  email: 'owner@example.com',
  contactTitle: null,
  contactPhoneNumber: null,
  address: null,
  phoneNumbers: ['+14158675310'],
};

function signingPage(changes: Partial<Parameters<typeof SigningPage>[0]> = {}): Promise<string> {
  const page = {
    action: '/sign/token',
    document,
    provider: 'Hosted SMS',
    countries: ['US', 'CA'],
    values: {},
    errors: {},
    letterSha256: 'ab'.repeat(32),
    ...changes,
  };
  return markup(SigningPage(page));
}

describe('the signing page', () => {
  it('shows hostile text as text, wherever it stands', async () => {
    const page = await signingPage({
      provider: hostile,
      values: { businessName: hostile, signerName: hostile },
      errors: { signerName: hostile },
      document: { ...document, email: hostile, phoneNumbers: [hostile] },
    });
    expect(page).not.toContain('<script');
    expect(page).not.toContain(hostile);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('has no inline script, no inline style and nothing from another origin', async () => {
    const page = await signingPage();
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(page).not.toMatch(/\sstyle=|<style|\son[a-z]+=/);
    expect(page).not.toMatch(/(?:src|href|action)="(?!\/|#)/);
  });

  it('asks for what the letter lacks, and gives every field a label', async () => {
    const page = await signingPage();
    const asked = [...page.matchAll(/<(?:input|select|textarea)[^>]*\bname="(\w+)"/g)].map(
      ([, name]) => name,
    );
    expect(asked).toEqual([
      'businessName',
      'street',
      'streetSecondary',
      'city',
      'region',
      'postalCode',
      'isoCountry',
      'signerTitle',
      'signerPhone',
      'consent',
      'signerName',
      'reason',
    ]);
    for (const name of asked) expect(page).toContain(`<label for="${name}"`);
  });

  it('asks for nothing that the letter states', async () => {
    const { address } = signature;
    const stated = { ...document, address, contactTitle: 'Owner', contactPhoneNumber: '+14158675310' };
    const page = await signingPage({ document: stated });
    expect(page).not.toMatch(/name="(?:street|city|signerTitle|signerPhone)"/);
    expect(page).toContain('742 Evergreen Terrace');
  });

  it('keeps what was typed when something is missing, and points at it', async () => {
    const page = await signingPage({
      values: { businessName: 'Bäckerei Müller', consent: 'yes' },
      errors: { signerName: 'Type your full name to sign.' },
    });
    expect(page).toContain('value="Bäckerei Müller"');
    expect(page).toMatch(/<input[^>]*name="consent"[^>]*checked/);
    expect(page).toMatch(/name="signerName"[^>]*aria-invalid="true"/);
    expect(page).toContain('role="alert"');
    expect(page).toContain('href="#signerName"');
  });

  it('does not offer to sign a letter that is not there yet', async () => {
    const page = await signingPage({ letterSha256: undefined });
    expect(page).not.toContain('name="signerName"');
  });
});

describe('a void link', () => {
  it.each(
    Object.keys(closings) as (keyof typeof closings)[],
  )('%s: says so in words of its own', async (reason) => {
    const page = await markup(ClosedPage({ reason, provider: 'Hosted SMS' }));
    expect(page).toContain(closings[reason].title);
    expect(page).not.toContain('<form');
    expect(Object.values(closings).filter(({ title }) => title === closings[reason].title)).toHaveLength(1);
  });
});

describe('the table of errors', () => {
  it('has a row with an anchor for every code, and for no other', async () => {
    const page = await markup(ErrorsPage({}));
    const anchors = [...page.matchAll(/<tr id="(\d+)"/g)].map(([, code]) => Number(code));
    expect(new Set(anchors)).toEqual(new Set(Object.keys(apiErrors).map(Number)));
    expect(anchors).toHaveLength(Object.keys(apiErrors).length);
  });
});

describe('small parts', () => {
  it('instants are told in UTC', () => {
    expect(formatInstant(new Date('2026-03-04T05:06:07.890Z'))).toBe('4 Mar 2026, 05:06:07 UTC');
  });

  it.each([
    [0, '0 seconds'],
    [-5, '0 seconds'],
    [1000, '1 second'],
    [119_000, '1 minute'],
    [7 * 86_400_000, '7 days'],
  ])('%d ms is %s', (milliseconds, words) => expect(formatDuration(milliseconds)).toBe(words));

  it.each([
    [-1, '0 seconds'],
    [7 * 86_400_000 - 1, '7 days'],
    [6.4 * 86_400_000, '6 days'],
    [89_000, '1 minute'],
  ])('of %d ms there are %s left', (milliseconds, words) => expect(formatTimeLeft(milliseconds)).toBe(words));

  it('phone numbers never break over a line; what is none stays as it is', () => {
    expect(formatPhone('+14158675310')).toBe('+1\u00a0415\u00a0867\u00a05310');
    expect(formatPhone('unknown')).toBe('unknown');
  });

  it('a command survives the shell, whatever its values hold', () => {
    const command = curl({ publicUrl: 'http://x', path: '/y', form: { Body: `it's $HOME "now"` } });
    expect(command).toContain(`--data-urlencode 'Body=it'\\''s $HOME "now"'`);
  });

  it('a place in a list that is no number is the first page', () => {
    expect(pageFromQuery({ after: '1 or 1=1' }).cursor).toBeNull();
    expect(pageFromQuery({ after: '41' }).cursor).toEqual({ direction: 'next', position: 41 });
    expect(pageFromQuery({ before: '41' }).cursor).toEqual({ direction: 'previous', position: 41 });
  });

  it('a link keeps filters that are set, encoded', () => {
    expect(link('/orders', { status: '', number: '+1&x' })).toBe('/orders?number=%2B1%26x');
  });
});

describe('the page about webhooks', () => {
  it('tells of every header that a delivery carries', async () => {
    const page = await markup(WebhooksPage({ config: readConfig({}) }));
    const rows = [...page.matchAll(/<th scope="row"><code>([a-z-]+)<\/code>/g)].map(([, name]) => name);
    expect(rows).toEqual([...Object.keys(eventHeaders), ...Object.keys(callbackHeaders)]);
  });
});

describe('the example of a webhook', () => {
  it('is one that the official library takes for genuine', async () => {
    const { Webhook } = await import('standardwebhooks');
    const text = exampleRequest();
    for (const name of Object.keys(eventHeaders)) expect(text).toContain(`\n${name}: `);
    const headers = Object.fromEntries(
      [...text.matchAll(/^(webhook-[a-z]+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    const body = /^\{.*\}$/m.exec(text)?.[0] ?? '';
    const secret = /^# secret: (.*)$/m.exec(text)?.[1] ?? '';
    const signature = new Webhook(secret).sign(
      headers['webhook-id'] ?? '',
      new Date(Number(headers['webhook-timestamp']) * 1000),
      body,
    );
    expect(headers['webhook-signature']).toBe(signature);
  });
});

describe('the sign-in page', () => {
  const pageWith = async (secretsFile: string): Promise<string> => {
    const deps = { config: { api: { secretsFile } } } as unknown as WebDeps;
    return (await createSignIn(deps).request('/login')).text();
  };

  it('says where the credentials are, as a shell takes it', async () => {
    expect(await pageWith('/srv/sms/secrets.json')).toContain('cat /srv/sms/secrets.json<');
    expect(await pageWith('/my data/secrets.json')).toContain('cat &#39;/my data/secrets.json&#39;<');
  });

  it('says nothing of a file where `npm start` did not make one', async () => {
    expect(await pageWith(readConfig({}).api.secretsFile)).not.toMatch(/secrets|npm start/);
  });
});
