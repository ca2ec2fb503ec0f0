/** Sessions of the Zipwhip calls and of the console: plain configuration, written by the API and by the pages. */
import { and, eq, lt } from 'drizzle-orm';
import type { Queryable } from '../client.ts';
import { sessions } from '../schema/messages.ts';

export interface NewSession {
  /** SHA-256 of the session's key, hexadecimal: who reads the table cannot use a session. */
  readonly keyHash: string;
  readonly accountSid: string;
  /** The line that logged in, E.164; `console` for the console. */
  readonly line: string;
  /** Fingerprint of the auth token it logged in with; the session ends with the token. */
  readonly tokenHash: string;
  readonly at: Date;
}

export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  const { keyHash, accountSid, line, tokenHash, at } = session;
  await db.insert(sessions).values({ keyHash, accountSid, line, details: { tokenHash }, dateCreated: at });
}

export async function deleteSession(db: Queryable, keyHash: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.keyHash, keyHash));
}

/** Forgets the sessions of a line that were made before a time. */
export async function deleteSessionsBefore(db: Queryable, line: string, before: Date): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.line, line), lt(sessions.dateCreated, before)));
}
