/** Who gets into the console, and what ends a session (design.md §6). */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertSession } from '../../db/writes/sessions.ts';
import type { TokenPurpose } from '../../security/vault.ts';
import { browserWith, signedIn, signIn } from '../support/console-browser.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

describe('signing in', () => {
  it('gives a cookie that scripts cannot read and other sites cannot send', async () => {
    const { accountSid, authToken } = service.credentials;
    const cookie = (await signIn(service, [accountSid, authToken])).headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).toMatch(/; Path=\/console/);
    expect(cookie).not.toContain(authToken);
  });

  it('is refused with the wrong token, an unknown account, and no token at all', async () => {
    const { accountSid } = service.credentials;
    for (const [user, password] of [
      [accountSid, 'wrong'],
      [accountSid, ''],
      [`AC${'0'.repeat(32)}`, 'x'],
      ['admin', 'wrong'],
      ['admin', ''],
      ['carrier', service.credentials.carrierToken],
    ] as const) {
      const response = await signIn(service, [user, password]);
      expect(response.status, user).toBe(401);
      expect(response.headers.get('set-cookie')).toBeNull();
    }
  });

  it('leads nowhere but to the console', async () => {
    const { accountSid, authToken } = service.credentials;
    for (const next of ['//evil.example', 'https://evil.example/', '/console/../admin', '/admin']) {
      const response = await fetch(`${service.url}/console/login`, {
        method: 'POST',
        headers: { Origin: service.url },
        body: new URLSearchParams({ user: accountSid, password: authToken, next }),
        redirect: 'manual',
      });
      expect(response.headers.get('location')).toMatch(/^\/console/);
      expect(response.headers.get('location')).not.toContain('..');
    }
  });

  it('is asked for on every page', async () => {
    const nobody = browserWith(service.url, '');
    for (const path of ['/console/orders', '/console/webhooks', '/console/work', '/console/messages']) {
      expect((await nobody.get(path)).location).toMatch(/^\/console\/login\?next=/);
    }
    expect((await browserWith(service.url, 'hosted_sms_session=x.y').get('/console/orders')).status).toBe(
      303,
    );
  });

  it.each([
    'a customer',
    'an administrator',
  ])('ends for %s by signing out, also where the cookie was copied to', async (who) => {
    const { adminToken } = service.credentials;
    const account = await service.addAccount();
    const credentials =
      who === 'a customer' ? ([account.sid, account.token] as const) : (['admin', adminToken] as const);
    const [own, elsewhere] = [await signedIn(service, credentials), await signedIn(service, credentials)];
    expect((await own.get('/console/orders')).status).toBe(200);
    expect((await own.submit('/console/logout')).path).toBe('/console/login');
    // The browser that stands for the copy still sends the cookie.
    expect((await own.get('/console/orders')).location).toMatch(/^\/console\/login/);
    expect((await elsewhere.get('/console/orders')).status).toBe(200);
  });

  it('is no session of the Zipwhip calls', async () => {
    const { accountSid, authToken } = service.credentials;
    const cookie = (await signIn(service, [accountSid, authToken])).headers.get('set-cookie') ?? '';
    const session = /^hosted_sms_session=([^;]+)/.exec(cookie)?.[1] ?? '';
    const response = await fetch(`${service.url}/webhook/list`, {
      method: 'POST',
      body: new URLSearchParams({ session: decodeURIComponent(session) }),
    });
    expect(response.status).toBe(401);
  });

  it('ends when the token it was opened with is no longer one of the account', async () => {
    const account = await service.addAccount();
    const own = await signedIn(service, [account.sid, account.token]);
    expect((await own.get('/console/orders')).status).toBe(200);
    await service.sql`update accounts set auth_token_sealed = ${service.deps.vault.seal('another')}
      where sid = ${account.sid}`;
    expect((await own.get('/console/orders')).status).toBe(303);
  });

  it('ends when the account is suspended', async () => {
    const account = await service.addAccount();
    const own = await signedIn(service, [account.sid, account.token]);
    await service.sql`update accounts set status = 'suspended' where sid = ${account.sid}`;
    expect((await own.get('/console/orders')).status).toBe(303);
  });

  it('gives a token of its own kind: one that was issued for something else is no session', async () => {
    const cookieFor = async (purpose: TokenPurpose) => `hosted_sms_session=${await keptToken(purpose)}`;
    const statusFor = async (purpose: TokenPurpose) =>
      (await browserWith(service.url, await cookieFor(purpose)).get('/console/orders')).status;
    expect(await statusFor('console-session')).toBe(200);
    expect(await statusFor('sign-document')).toBe(303);
  });

  it('tells a part that polls to leave for the sign-in page', async () => {
    const response = await fetch(`${service.url}/console/orders/list`, { headers: { 'HX-Request': 'true' } });
    expect(response.headers.get('hx-redirect')).toBe('/console/login');
  });
});

/** A token that says what the token of a session says, and is kept as that is; only what it is for may differ. */
async function keptToken(purpose: TokenPurpose): Promise<string> {
  const { accountSid, authToken } = service.credentials;
  const at = new Date();
  const expiresAt = new Date(at.getTime() + 60_000);
  const tokenHash = hash(authToken).toString('base64url').slice(0, 22);
  const subject = `${accountSid}:${tokenHash}:${randomUUID()}`;
  const token = service.deps.vault.issueToken({ purpose, subject, expiresAt });
  const keyHash = hash(token).toString('hex');
  await insertSession(service.db, { keyHash, accountSid, line: 'console', tokenHash, at, expiresAt });
  return token;
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
