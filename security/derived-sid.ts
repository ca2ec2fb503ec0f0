/** Identifiers from chance, or from the input, so that the same request made twice names the same thing. */
import { createHash, randomBytes } from 'node:crypto';
import { sidFromHex, type SidKind } from '../domain/sid.ts';

export function newSid(kind: SidKind): string {
  return sidFromHex(kind, randomBytes(16).toString('hex'));
}

/** The same parts always give the same identifier. Parts are joined unambiguously before hashing. */
export function derivedSid(kind: SidKind, ...parts: readonly string[]): string {
  return sidFromHex(kind, createHash('sha256').update(JSON.stringify(parts)).digest('hex'));
}
