/**
 * The signed letter: the mailed bytes, untouched, and behind them a signature page and an audit page as an incremental
 * update. Whoever has the file can cut it at the stated length and check the hash of what was signed.
 */
import { createHash } from 'node:crypto';
import { signingConsent } from '../../domain/letter.ts';
import type { Signature } from '../../domain/ports.ts';
import { quietInk } from './canvas.ts';
import type { Fonts } from './fonts.ts';
import { addressFacts, formatPhone, longDate } from './letter.ts';
import { createSheet } from './sheet.ts';

export interface SignedLetter {
  readonly documentSid: string;
  readonly mailing: number;
  /** The letter as it was mailed, byte for byte. */
  readonly letter: Buffer;
  readonly provider: string;
  /** Where the invitation was mailed. */
  readonly signerEmail: string;
  readonly phoneNumbers: readonly string[];
  readonly signature: Signature;
  readonly signedAt: Date;
}

/** Name of the file inside the sealed PDF that states the audit record for programs. */
export const auditFileName = 'audit.json';

/** The same input always gives the same bytes, and they begin with those of the letter. */
export async function sealLetter(signed: SignedLetter, fonts: Fonts): Promise<Buffer> {
  const { letter, signedAt } = signed;
  const audit = auditRecord(signed);
  // Only now: it is half a second of a worker's start, which an order waits for whose worker was killed.
  const { AFRelationship, PDFDocument } = await import('@cantoo/pdf-lib');
  const [document, addition] = await Promise.all([
    PDFDocument.load(letter, { forIncrementalUpdate: true, updateMetadata: false }),
    PDFDocument.load(await additionalPages(signed, audit, fonts), { updateMetadata: false }),
  ]);
  for (const page of await document.copyPages(addition, addition.getPageIndices())) document.addPage(page);
  await document.attach(Buffer.from(JSON.stringify(audit, null, 2)), auditFileName, {
    mimeType: 'application/json',
    description: 'Audit record of the signature',
    creationDate: signedAt,
    modificationDate: signedAt,
    afRelationship: AFRelationship.Supplement,
  });
  document.setModificationDate(signedAt);
  const sealed = Buffer.from(await document.save());
  if (!sealed.subarray(0, letter.length).equals(letter))
    throw new Error('the sealed file does not begin with the letter');
  return sealed;
}

/** Who signed what, when, from where. Source: domain.md §5.4, ESIGN and UETA. */
interface AuditRecord {
  readonly documentSid: string;
  readonly mailing: number;
  readonly letter: { readonly byteLength: number; readonly sha256: string };
  readonly phoneNumbers: readonly string[];
  readonly signer: {
    readonly name: string;
    readonly title: string;
    readonly phone: string;
    readonly email: string;
  };
  readonly consent: { readonly text: string; readonly at: string };
  readonly signedAt: string;
  readonly ipAddress: string;
  readonly userAgent: string;
}

function auditRecord(signed: SignedLetter): AuditRecord {
  const { letter, signature } = signed;
  return {
    documentSid: signed.documentSid,
    mailing: signed.mailing,
    letter: { byteLength: letter.length, sha256: createHash('sha256').update(letter).digest('hex') },
    phoneNumbers: signed.phoneNumbers,
    signer: {
      name: signature.signerName,
      title: signature.signerTitle,
      phone: signature.signerPhone,
      email: signed.signerEmail,
    },
    consent: { text: signingConsent, at: signature.consentedAt },
    signedAt: signed.signedAt.toISOString(),
    ipAddress: signature.ipAddress,
    userAgent: signature.userAgent,
  };
}

async function additionalPages(signed: SignedLetter, audit: AuditRecord, fonts: Fonts): Promise<Buffer> {
  const { documentSid, provider, signature, signedAt, phoneNumbers } = signed;
  const sheet = createSheet({
    fonts,
    title: 'Signature and audit record',
    date: signedAt,
    tagged: false,
    footer: `Signature and audit record of letter ${documentSid}`,
  });
  sheet.heading('Signature page', 1);
  sheet.paragraph(
    `This page is part of letter of authorization ${documentSid} to ${provider}. ` +
      'The signer has read the letter, gives or confirms the particulars below, and signs it.',
    { gapAfter: 14 },
  );
  sheet.facts([
    ['Business name', signature.address.customerName],
    ...addressFacts(signature.address),
    ['Authorized contact', signature.signerName],
    ['Title', signature.signerTitle],
    ['Telephone', formatPhone(signature.signerPhone)],
    ['E-mail', signed.signerEmail],
    ['Date', longDate(signedAt)],
  ]);
  sheet.gap(16);
  sheet.signature(
    signature.signerName,
    `${signature.signerName}, ${signature.signerTitle}, signed electronically`,
  );

  sheet.newPage();
  sheet.heading('Audit record', 1);
  sheet.paragraph('Made by the service when the letter was signed.', { color: quietInk, gapAfter: 14 });
  sheet.facts([
    ['Document', `${documentSid}, mailing ${audit.mailing}`],
    ['Signed by', audit.signer.name],
    ['Invitation mailed to', audit.signer.email],
    ['Consent', audit.consent.text],
    ['Consent given', audit.consent.at],
    ['Signed', audit.signedAt],
    ['IP address', audit.ipAddress],
    ['Browser', audit.userAgent.slice(0, 500)],
    ['SHA-256 of the letter', audit.letter.sha256],
    ['Length of the letter', `${audit.letter.byteLength} bytes`],
  ]);
  sheet.heading(phoneNumbers.length === 1 ? 'Telephone number' : 'Telephone numbers', 2);
  sheet.list(phoneNumbers.map(formatPhone), 3);
  sheet.paragraph(
    `To check this file: its first ${audit.letter.byteLength} bytes are the letter as it was mailed, ` +
      `and their SHA-256 is the one above. The same record is attached as ${auditFileName}. The last line of the file ` +
      'is the signature of the service (Ed25519) over all bytes before it; its public key is at ' +
      '/.well-known/hosted-sms-signing-key.pem, and the page /verify checks both.',
  );
  return sheet.finish();
}
