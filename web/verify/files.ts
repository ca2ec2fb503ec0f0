/** Finds out whether a PDF is one of ours, from its bytes alone. */
import { createHash } from 'node:crypto';
import { findFilesByHash, type KnownFile } from '../../db/reads/signing.ts';
import { checkSeal } from '../../security/sealed-file.ts';
import type { WebDeps } from '../deps.ts';

export type Verdict =
  /** Byte for byte the letter as it was signed; `letter` is the mailed letter it begins with. */
  | { readonly kind: 'signed'; readonly file: KnownFile; readonly letter: KnownFile | undefined }
  /** Sealed with this service's key, though the file is not kept here any more. */
  | { readonly kind: 'sealed' }
  /** Byte for byte a letter as it was mailed, without a signature. */
  | { readonly kind: 'letter'; readonly file: KnownFile }
  /** Begins with a letter of ours; what follows is not ours. */
  | { readonly kind: 'altered'; readonly letter: KnownFile }
  | { readonly kind: 'unknown' };

/** Places in a file looked at as the end of an earlier version. A signed letter has two; more make no sense. */
const maxVersions = 50;

export async function verifyFile(
  { db, vault }: Pick<WebDeps, 'db' | 'vault'>,
  bytes: Uint8Array,
): Promise<{ sha256: string; verdict: Verdict }> {
  const { sha256, versions } = hashVersions(bytes);
  const known = await findFilesByHash(db, [...new Set([sha256, ...versions])]);
  const sealed = checkSeal(bytes, vault.sealer.publicKeyPem) === 'genuine';
  return { sha256, verdict: judge(sha256, known, sealed) };
}

function judge(sha256: string, known: readonly KnownFile[], sealed: boolean): Verdict {
  const whole = known.find((file) => file.sha256 === sha256);
  const letter = known.find((file) => file.kind === 'letter' && file.sha256 !== sha256);
  if (whole?.kind === 'signed') return { kind: 'signed', file: whole, letter };
  if (whole) return { kind: 'letter', file: whole };
  if (sealed) return { kind: 'sealed' };
  return letter ? { kind: 'altered', letter } : { kind: 'unknown' };
}

/**
 * SHA-256 of the file and of each earlier version it holds. In one pass: reading a large file from its beginning for
 * every version would hold up all other requests.
 */
export function hashVersions(bytes: Uint8Array): { sha256: string; versions: string[] } {
  const hash = createHash('sha256');
  let at = 0;
  const versions = versionEnds(bytes).map((end) => {
    hash.update(bytes.subarray(at, end));
    at = end;
    return hash.copy().digest('hex');
  });
  return { sha256: hash.update(bytes.subarray(at)).digest('hex'), versions };
}

/**
 * Where earlier versions of the file end. A PDF that was added to keeps them whole, each closed by `%%EOF` and, as the
 * writer pleases, an end of line; so each marker stands for up to three ends. They ascend; the end of the file is not among them.
 */
export function versionEnds(bytes: Uint8Array): number[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const marker = Buffer.from('%%EOF');
  const ends: number[] = [];
  for (let at = file.indexOf(marker); at >= 0 && ends.length < maxVersions; ) {
    const end = at + marker.length;
    ends.push(end);
    if (file[end] === 0x0d || file[end] === 0x0a) ends.push(end + 1);
    if (file[end] === 0x0d && file[end + 1] === 0x0a) ends.push(end + 2);
    at = file.indexOf(marker, end);
  }
  return ends.filter((end) => end < file.length);
}
