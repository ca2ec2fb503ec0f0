/**
 * Secrets at rest and short proofs, all from one master key (SECRET_KEY). Each use has a key of its own,
 * derived by HKDF-SHA-256, so that a proof made for one purpose never fits another.
 */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { decrypt, encrypt } from './encryption.ts';
import { createFileSealer, type FileSealer } from './sealed-file.ts';

export interface Vault {
  /** Signs files, with a key pair that follows from the master key. */
  readonly sealer: FileSealer;
  /** Encrypts a secret for a database column. The result is base64url text. */
  seal(plain: string): string;
  /** Opens what `seal` made. Throws when it was altered or sealed with another master key. */
  open(sealed: string): string;
  /** An unguessable, expiring proof bound to a purpose and a subject, for links and sessions. */
  issueToken(token: TokenClaims): string;
  /** The claims of a token that is genuine, for this purpose and not expired; else `null`. */
  readToken(purpose: TokenPurpose, token: string, now: Date): TokenClaims | null;
}

export type TokenPurpose = 'sign-document' | 'console-session';

export interface TokenClaims {
  readonly purpose: TokenPurpose;
  /** What the token is for, such as a document's sid and mailing. No secrets: it can be read by its holder. */
  readonly subject: string;
  readonly expiresAt: Date;
}

/** A secret that cannot be opened. What OpenSSL says of it names no key. */
class SealError extends Error {
  override readonly name = 'SealError';
  readonly code = 'ERR_OTHER_SECRET_KEY';

  constructor() {
    super('A secret was sealed with another SECRET_KEY, or altered');
  }
}

export function createVault(masterKey: string): Vault {
  if (masterKey.length < 32) throw new TypeError('SECRET_KEY needs at least 32 characters');
  const derive = (use: string): Buffer => Buffer.from(hkdfSync('sha256', masterKey, 'hosted-sms', use, 32));
  const sealKey = derive('seal');
  const proof = (text: string): Buffer => createHmac('sha256', derive('token')).update(text).digest();

  return {
    sealer: createFileSealer(derive('file-seal')),
    seal: (plain) => encrypt(Buffer.from(plain), sealKey).toString('base64url'),
    open: (sealed) => {
      try {
        return decrypt(Buffer.from(sealed, 'base64url'), sealKey).toString('utf8');
      } catch {
        throw new SealError();
      }
    },
    issueToken: ({ purpose, subject, expiresAt }) => {
      const claims = Buffer.from(`${purpose}\n${subject}\n${expiresAt.getTime()}`).toString('base64url');
      return `${claims}.${proof(claims).toString('base64url')}`;
    },
    readToken: (purpose, token, now) => {
      const [claims = '', mac = '', ...more] = token.split('.');
      if (more.length > 0 || !equalSecrets(mac, proof(claims).toString('base64url'))) return null;
      const [actual, subject, expiry] = Buffer.from(claims, 'base64url').toString('utf8').split('\n');
      const expiresAt = new Date(Number(expiry));
      if (actual !== purpose || subject === undefined || !(expiresAt > now)) return null;
      return { purpose, subject, expiresAt };
    },
  };
}

/** Compares two secrets in time that depends on neither: both are hashed first. */
export function equalSecrets(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
