/** Mails the letter with its signing link, and copies of it: one recipient at a time. */
import { findAccount } from '../db/reads/accounts.ts';
import {
  findAnyDocument,
  findDocumentFile,
  listDocumentOrders,
  type DocumentRow,
} from '../db/reads/authorization-documents.ts';
import { nameOfAccount } from '../domain/account.ts';
import type { DocumentActivities, MailAnswer } from '../domain/ports.ts';
import type { Mail } from '../gateways/mail.ts';
import type { ActivityDeps } from './deps.ts';
import { permanentFailure } from './failures.ts';
import {
  invitationCopyMail,
  senderDomain,
  signedCopyMail,
  signingMail,
  type LetterMail,
} from './letter/mails.ts';

type LetterMailActivities = Pick<DocumentActivities, 'mailLetter' | 'mailCopies'>;
type LetterToMail = Parameters<DocumentActivities['mailLetter']>[0];

export function createLetterMailActivities(deps: ActivityDeps): LetterMailActivities {
  const { gateways, log } = deps;

  async function send(mail: Mail): Promise<MailAnswer> {
    const sent = await gateways.mail.send(mail);
    return 'refused' in sent ? { accepted: false, reason: sent.refused } : { accepted: true };
  }

  /** For runs begun by 0.1.0, whose one execution mails everybody: a second try would write to the others again. */
  async function sendOnce(mails: readonly Mail[]): Promise<void> {
    for (const mail of mails) {
      const sent = await send(mail).catch(
        () => ({ accepted: false, reason: 'it could not be sent' }) as const,
      );
      if (!sent.accepted)
        log.warn({ messageId: mail.messageId, reason: sent.reason }, 'a copy was not mailed');
    }
  }

  return {
    async mailLetter(input) {
      const { documentSid, mailing, kind, recipient } = input;
      const { document, mail } = await readMail(deps, { documentSid, mailing, kind: 'letter' });
      if (isVoid(document, mailing)) return { accepted: false, reason: 'The letter is void' };
      const { to = mail.to, copy = 0 } = recipient ?? {};
      if (copy > 0) return send(invitationCopyMail({ ...mail, to, copy }));
      const sent = await send(signerMail(deps, input, { ...mail, to }));
      if (!recipient && sent.accepted && kind === 'invitation')
        await sendOnce(
          copiesOf(document).map((to, index) => invitationCopyMail({ ...mail, to, copy: index + 1 })),
        );
      return sent;
    },

    async mailCopies({ documentSid, mailing, recipient }) {
      const { document, mail, sha256 } = await readMail(deps, { documentSid, mailing, kind: 'signed' });
      const signerName = document.signerName ?? 'The signer';
      const { to = mail.to, copy = 0 } = recipient ?? {};
      const sent = await send(signedCopyMail({ ...mail, to, copy, signerName, sha256 }));
      if (!recipient)
        await sendOnce(
          copiesOf(document).map((to, index) =>
            signedCopyMail({ ...mail, to, copy: index + 1, signerName, sha256 }),
          ),
        );
      return sent;
    },
  };
}

/** To the signer, with the link that is theirs alone. */
function signerMail(
  { vault, publicUrl }: ActivityDeps,
  { documentSid, mailing, kind, number, expiresAt: expiry }: LetterToMail,
  mail: LetterMail,
): Mail {
  const expiresAt = new Date(expiry);
  const subject = `${documentSid}:${mailing}`;
  const token = vault.issueToken({ purpose: 'sign-document', subject, expiresAt });
  return signingMail({ ...mail, kind, number, expiresAt, link: `${publicUrl}/sign/${token}` });
}

/**
 * A mail may be tried for days, and its workflow can call off only a try that has not begun. Throws while the mailing is
 * not recorded yet.
 */
function isVoid(document: DocumentRow, mailing: number): boolean {
  if (document.mailing < mailing) throw new Error('the mailing is not recorded yet');
  return document.mailing > mailing || document.status !== 'signing';
}

const copiesOf = ({ email, ccEmails }: DocumentRow): readonly string[] =>
  ccEmails.filter((copied) => copied !== email);

interface MailParts {
  readonly document: DocumentRow;
  readonly mail: LetterMail;
  readonly sha256: string;
}

async function readMail(
  { db, settings }: ActivityDeps,
  { documentSid, mailing, kind }: { documentSid: string; mailing: number; kind: 'letter' | 'signed' },
): Promise<MailParts> {
  const [document, file, orders] = await Promise.all([
    findAnyDocument(db, documentSid),
    findDocumentFile(db, documentSid, kind, mailing),
    listDocumentOrders(db, documentSid),
  ]);
  if (!document || !file) throw permanentFailure('The letter to be mailed does not exist', 'LetterNotFound');
  const account = await findAccount(db, document.accountSid);
  return {
    document,
    mail: {
      documentSid,
      mailing,
      to: document.email,
      provider: settings.documents.provider,
      requester: account ? nameOfAccount(account.friendlyName) : null,
      phoneNumbers: orders.map(({ phoneNumber }) => phoneNumber).toSorted(),
      pdf: file.bytes,
      host: senderDomain(settings.gateways.mail.from),
    },
    sha256: file.sha256,
  };
}
