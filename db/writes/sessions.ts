/** Sessions of the Zipwhip calls and of the console: plain configuration, written by the API and by the pages. */
import { eq, lte } from 'drizzle-orm';
import type { Queryable } from '../client.ts';
import { sessions } from '../schema/sessions.ts';

export interface NewSession {
  /** SHA-256 of the session's key, hexadecimal: who reads the table cannot use a session. */
  readonly keyHash: string;
  readonly accountSid: string;
  /** The line that logged in, E.164; `console` for the console. */
  readonly line: string;
  /** Fingerprint of the auth token it logged in with; the session ends with the token. */
  readonly tokenHash: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** Keeps a session, and forgets those that have expired by then. */
export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  const { tokenHash, at, ...row } = session;
  await db.delete(sessions).where(lte(sessions.expiresAt, at));
  await db.insert(sessions).values({ ...row, details: { tokenHash }, dateCreated: at });
}

/** Moves the end of a session. */
export async function renewSession(db: Queryable, keyHash: string, expiresAt: Date): Promise<void> {
  await db.update(sessions).set({ expiresAt }).where(eq(sessions.keyHash, keyHash));
}

export async function deleteSession(db: Queryable, keyHash: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.keyHash, keyHash));
}
