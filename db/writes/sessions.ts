/** Sessions of the Zipwhip calls: plain configuration, written by the API. */
import type { Queryable } from '../client.ts';
import { sessions } from '../schema/messages.ts';

export interface NewSession {
  /** SHA-256 of the session's key, hexadecimal: who reads the table cannot use a session. */
  readonly keyHash: string;
  readonly accountSid: string;
  /** The line that logged in, E.164. */
  readonly line: string;
  /** Fingerprint of the auth token it logged in with; the session ends with the token. */
  readonly tokenHash: string;
  readonly at: Date;
}

export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  const { keyHash, accountSid, line, tokenHash, at } = session;
  await db.insert(sessions).values({ keyHash, accountSid, line, details: { tokenHash }, dateCreated: at });
}
