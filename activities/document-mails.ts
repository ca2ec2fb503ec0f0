/** Mails the letter with its signing link, and the signed letter to whoever gets a copy. */
import { findAccount } from '../db/reads/accounts.ts';
import {
  findAnyDocument,
  findDocumentFile,
  listDocumentOrders,
} from '../db/reads/authorization-documents.ts';
import { nameOfAccount } from '../domain/account.ts';
import type { DocumentActivities } from '../domain/ports.ts';
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

export function createLetterMailActivities(deps: ActivityDeps): LetterMailActivities {
  const { gateways, vault, publicUrl, log } = deps;

  /** A copied recipient whose server refuses the mail for good does not stop the others. */
  async function sendCopy(mail: Parameters<typeof gateways.mail.send>[0]): Promise<void> {
    const sent = await gateways.mail.send(mail);
    if ('refused' in sent)
      log.warn({ messageId: mail.messageId, reason: sent.refused }, 'a copy was refused');
  }

  return {
    async mailLetter({ documentSid, mailing, kind, number, expiresAt: expiry }) {
      const { mail, ccEmails } = await readMail(deps, { documentSid, mailing, kind: 'letter' });
      const expiresAt = new Date(expiry);
      const token = vault.issueToken({
        purpose: 'sign-document',
        subject: `${documentSid}:${mailing}`,
        expiresAt,
      });
      const link = `${publicUrl}/sign/${token}`;
      const sent = await gateways.mail.send(signingMail({ ...mail, kind, number, link, expiresAt }));
      if ('refused' in sent) return { accepted: false, reason: sent.refused };
      if (kind === 'invitation') {
        for (const [index, to] of ccEmails.entries())
          await sendCopy(invitationCopyMail({ ...mail, to, copy: index + 1 }));
      }
      return { accepted: true };
    },

    async mailCopies({ documentSid, mailing }) {
      const { mail, ccEmails, signerName, sha256 } = await readMail(deps, {
        documentSid,
        mailing,
        kind: 'signed',
      });
      for (const [index, to] of [mail.to, ...ccEmails].entries())
        await sendCopy(signedCopyMail({ ...mail, to, copy: index, signerName, sha256 }));
    },
  };
}

interface MailParts {
  readonly mail: LetterMail;
  readonly ccEmails: readonly string[];
  readonly signerName: string;
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
    ccEmails: document.ccEmails.filter((email) => email !== document.email),
    signerName: document.signerName ?? 'The signer',
    sha256: file.sha256,
  };
}
