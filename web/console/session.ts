/**
 * Who is signed in to the console. The session is a token of the vault in a cookie: unguessable, expiring, and bound
 * to the credentials it was opened with, so that rotating an auth token ends the sessions opened with it. It is good only
 * while the database holds it, so that signing out ends it wherever the cookie was copied to.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { authTokensOf, isActive } from '../../api/account-tokens.ts';
import { type AccountWithOwner, findAccount } from '../../db/reads/accounts.ts';
import { findSession } from '../../db/reads/sessions.ts';
import { deleteSession, insertSession } from '../../db/writes/configuration.ts';
import { isSid } from '../../domain/sid.ts';
import { equalSecrets } from '../../security/vault.ts';
import type { WebDeps } from '../deps.ts';

export type Session =
  | { readonly kind: 'account'; readonly account: AccountWithOwner; readonly token: string }
  | { readonly kind: 'admin'; readonly token: string };

/** Variables of every request behind the sign-in. */
export interface ConsoleEnv {
  Variables: { session: Session };
}

const cookieName = 'hosted_sms_session';
const cookiePath = '/console';
/** How long a session lasts. A working day. Milliseconds. */
const sessionMs = 12 * 3_600_000;
/** What stands in place of a line in the sessions of the console. */
const line = 'console';

/** Checks credentials as the API does: an AccountSid with one of its tokens, or `admin` with the ADMIN_TOKEN. */
export async function checkCredentials(
  deps: WebDeps,
  user: string,
  password: string,
): Promise<Session | null> {
  if (password === '') return null;
  const candidates = await sessionsOf(deps, user);
  return candidates.find((session) => equalSecrets(session.token, password)) ?? null;
}

export async function openSession(deps: WebDeps, ctx: Context, session: Session): Promise<void> {
  const at = new Date();
  const user = userOf(session);
  const tokenHash = fingerprint(session.token);
  const expiresAt = new Date(at.getTime() + sessionMs);
  const token = deps.vault.issueToken({
    purpose: 'console-session',
    subject: `${user}:${tokenHash}:${randomUUID()}`,
    expiresAt,
  });
  await insertSession(deps.db, { keyHash: sha256(token), accountSid: user, line, tokenHash, at, expiresAt });
  setCookie(ctx, cookieName, token, {
    path: cookiePath,
    httpOnly: true,
    sameSite: 'Lax',
    secure: deps.config.env.publicUrl.startsWith('https:'),
    maxAge: sessionMs / 1000,
  });
}

/** The session of a request; `null` when there is none, it has ended, or its credentials are no longer good. */
export async function readSession(deps: WebDeps, ctx: Context): Promise<Session | null> {
  const token = getCookie(ctx, cookieName);
  const at = new Date();
  const claims = token === undefined ? null : deps.vault.readToken('console-session', token, at);
  const [user = '', mark = ''] = claims?.subject.split(':') ?? [];
  if (token === undefined || claims === null) return null;
  if ((await findSession(deps.db, sha256(token), at)) === undefined) return null;
  const candidates = await sessionsOf(deps, user);
  return candidates.find((session) => equalSecrets(fingerprint(session.token), mark)) ?? null;
}

export async function closeSession(deps: WebDeps, ctx: Context): Promise<void> {
  const token = getCookie(ctx, cookieName);
  if (token !== undefined) await deleteSession(deps.db, sha256(token));
  deleteCookie(ctx, cookieName, { path: cookiePath });
}

export function userOf(session: Session): string {
  return session.kind === 'admin' ? 'admin' : session.account.sid;
}

/** Sessions that a user could have, one for each of its tokens. None where the account is not active. */
async function sessionsOf(deps: WebDeps, user: string): Promise<Session[]> {
  const { adminToken } = deps.config.env;
  if (user === 'admin') return adminToken === undefined ? [] : [{ kind: 'admin', token: adminToken }];
  const account = isSid('account', user) ? await findAccount(deps.db, user) : undefined;
  if (!account || !isActive(account)) return [];
  return authTokensOf(account, deps.vault).map((token) => ({ kind: 'account', account, token }));
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const fingerprint = (token: string): string =>
  createHash('sha256').update(token).digest('base64url').slice(0, 22);
