/** What a signing link opens: the letter, its result, or a plain word on why not. */
import { type DocumentToSign, readDocumentToSign } from '../../db/reads/signing.ts';
import type { WebDeps } from '../deps.ts';

export type ClosedReason =
  | 'unknown'
  | 'expired'
  | 'replaced'
  | 'taken-back'
  | 'declined'
  | 'canceled'
  | 'failed';

export type Access =
  | { readonly kind: 'open'; readonly document: DocumentToSign }
  | { readonly kind: 'signed'; readonly document: DocumentToSign }
  | { readonly kind: 'closed'; readonly reason: ClosedReason };

/** Reads a link's token, whose subject is `{documentSid}:{mailing}`, and looks at how the document stands now. */
export async function openLink(deps: WebDeps, token: string, now: Date): Promise<Access> {
  // Read as of the epoch: a link that is genuine but too old deserves another word than a forged one.
  const claims = deps.vault.readToken('sign-document', token, new Date(0));
  const [documentSid, mailing] = claims?.subject.split(':') ?? [];
  if (!claims || !documentSid) return { kind: 'closed', reason: 'unknown' };
  const document = await readDocumentToSign(deps.db, documentSid);
  if (!document) return { kind: 'closed', reason: 'unknown' };
  if (claims.expiresAt <= now) return { kind: 'closed', reason: 'expired' };
  if (Number(mailing) !== document.mailing) return { kind: 'closed', reason: 'replaced' };
  return accessTo(document);
}

function accessTo(document: DocumentToSign): Access {
  switch (document.status) {
    case 'signing':
      return { kind: 'open', document };
    case 'signed':
      return { kind: 'signed', document };
    case 'opened':
      return { kind: 'closed', reason: 'taken-back' };
    case 'canceled':
      return { kind: 'closed', reason: document.lastActor === 'signer' ? 'declined' : 'canceled' };
    case 'failed':
      return { kind: 'closed', reason: 'failed' };
  }
}
