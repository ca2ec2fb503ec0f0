/** The mails about a letter: invitation, reminder, copies. */
import type { Mail } from '../../gateways/mail.ts';
import { mailText, type Paragraph } from '../mail-text.ts';
import { formatPhone, longDate } from './letter.ts';

/** Numbers that a mail names one by one. */
const namedNumbers = 5;

export interface LetterMail {
  readonly documentSid: string;
  readonly mailing: number;
  readonly to: string;
  readonly provider: string;
  /** The customer who ordered the letter, where it is known by a name. */
  readonly requester: string | null;
  /** E.164, sorted, as the letter lists them. */
  readonly phoneNumbers: readonly string[];
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
  const { kind, number, link, expiresAt, phoneNumbers } = mail;
  const opening =
    kind === 'invitation'
      ? `${wasAsked(mail)} to enable text messaging on ${numbers(mail)}. The owner has to authorize it: please read the attached letter of authorization and sign it.`
      : `a letter of authorization for text messaging on ${numbers(mail)} still waits for your signature. ${wasAsked(mail)} to enable it.`;
  return compose(mail, {
    id: `${kind}.${number}`,
    subject:
      kind === 'invitation'
        ? `Letter of authorization for ${firstNumber(mail)}: please sign`
        : `Reminder: letter of authorization for ${firstNumber(mail)}`,
    paragraphs: [
      opening,
      { link, label: 'Read and sign the letter' },
      `The link is for you alone and works until ${longDate(expiresAt)}. You can decline on the same page. ` +
        `Voice service on the ${phoneNumbers.length === 1 ? 'number' : 'numbers'} is not changed.`,
      'If you know nothing of this, you need not do anything: without your signature nothing happens.',
    ],
    filename: 'letter-of-authorization.pdf',
  });
}

/** To a copied recipient of the invitation: the letter without the link, which is the signer's alone. */
export function invitationCopyMail(mail: LetterMail & { readonly copy: number }): Mail {
  return compose(mail, {
    id: `invitation.0.copy-${mail.copy}`,
    subject: `For your information: letter of authorization for ${firstNumber(mail)}`,
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
    subject: `Signed: letter of authorization for ${firstNumber(mail)}`,
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

function wasAsked({ requester, provider }: LetterMail): string {
  return requester === null ? `${provider} has been asked` : `${requester} has asked ${provider}`;
}

/** For a subject: `+1 415 555 0100`, `+1 415 555 0100 and 2 more`. */
function firstNumber({ phoneNumbers: [first = '', ...others] }: LetterMail): string {
  return formatPhone(first) + (others.length === 0 ? '' : ` and ${others.length} more`);
}

/** For a sentence: all of them while they are few; the letter lists the rest. */
function numbers({ phoneNumbers }: LetterMail): string {
  if (phoneNumbers.length === 1) return `the telephone number ${phoneNumbers.map(formatPhone).join()}`;
  const named = phoneNumbers.slice(0, namedNumbers).map(formatPhone);
  const rest = phoneNumbers.length - named.length;
  const list = new Intl.ListFormat('en-GB').format(rest === 0 ? named : [...named, `${rest} more`]);
  return `the telephone numbers ${list}`;
}
