/** The mails about a letter: invitation, reminder, copies. */
import type { Mail } from '../../gateways/mail.ts';
import { mailText, type Paragraph } from '../mail-text.ts';
import { longDate } from './letter.ts';

export interface LetterMail {
  readonly documentSid: string;
  readonly mailing: number;
  readonly to: string;
  readonly provider: string;
  readonly numberCount: number;
  readonly pdf: Buffer;
  /** Domain of the sender, for the Message-ID. */
  readonly host: string;
}

/** To the signer, with the link to sign. `number` counts the mails of a kind: 0 for the invitation. */
export function signingMail(
  mail: LetterMail & {
    readonly kind: 'invitation' | 'reminder';
    readonly number: number;
    readonly link: string;
    readonly expiresAt: Date;
  },
): Mail {
  const { kind, number, link, expiresAt, provider } = mail;
  const opening =
    kind === 'invitation'
      ? `${provider} has been asked to enable text messaging on ${numbers(mail)}. The owner has to authorize it: please read the attached letter of authorization and sign it.`
      : `a letter of authorization for text messaging on ${numbers(mail)} still waits for your signature.`;
  return compose(mail, {
    id: `${kind}.${number}`,
    subject:
      kind === 'invitation'
        ? 'Please sign: letter of authorization'
        : 'Reminder: please sign the letter of authorization',
    paragraphs: [
      opening,
      { link, label: 'Read and sign the letter' },
      `The link is for you alone and works until ${longDate(expiresAt)}. You can decline on the same page. ` +
        'Voice service on the numbers is not changed.',
      'If you know nothing of this, you need not do anything: without your signature nothing happens.',
    ],
    filename: 'letter-of-authorization.pdf',
  });
}

/** To a copied recipient of the invitation: the letter without the link, which is the signer's alone. */
export function invitationCopyMail(mail: LetterMail & { readonly copy: number }): Mail {
  return compose(mail, {
    id: `invitation.0.copy-${mail.copy}`,
    subject: 'For your information: letter of authorization',
    paragraphs: [
      `${mail.provider} has mailed the attached letter of authorization, for text messaging on ${numbers(mail)}, ` +
        'to its signer. You get this copy because you were named as a recipient; you need not do anything.',
    ],
    filename: 'letter-of-authorization.pdf',
  });
}

/** To the signer and the copied recipients: the signed letter. */
export function signedCopyMail(
  mail: LetterMail & { readonly copy: number; readonly signerName: string; readonly sha256: string },
): Mail {
  return compose(mail, {
    id: `signed.${mail.copy}`,
    subject: 'Signed: letter of authorization',
    paragraphs: [
      `${mail.signerName} has signed the letter of authorization for text messaging on ${numbers(mail)}. ` +
        'The signed letter is attached; please keep it.',
      'Its last page says who signed, when and from where, and how to check that the letter was not altered. ' +
        `SHA-256 of the attached file: ${mail.sha256}`,
    ],
    filename: 'letter-of-authorization-signed.pdf',
  });
}

/** The domain part of a sender such as `Name <user@domain>`. */
export function senderDomain(from: string): string {
  return /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost';
}

function compose(
  mail: LetterMail,
  content: {
    readonly id: string;
    readonly subject: string;
    readonly paragraphs: readonly Paragraph[];
    readonly filename: string;
  },
): Mail {
  const { documentSid, mailing, to, provider, pdf, host } = mail;
  const paragraphs = ['Hello,', ...content.paragraphs, provider, `Document ${documentSid}`];
  return {
    messageId: `${documentSid}.${mailing}.${content.id}@${host}`,
    to,
    cc: [],
    subject: content.subject,
    ...mailText(paragraphs),
    attachments: [{ filename: content.filename, content: pdf, contentType: 'application/pdf' }],
  };
}

const numbers = ({ numberCount }: LetterMail): string =>
  numberCount === 1 ? 'one telephone number' : `${numberCount} telephone numbers`;
