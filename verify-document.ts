/**
 * `npm run verify-document -- FILE [--key PEM]`: checks a signed letter of authorization offline. Its last line is the
 * service's signature over all bytes before it, and its audit record states length and SHA-256 of the letter it begins
 * with. PEM is a file or an address; without it the key is fetched from the service this environment is that of.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { PDFDocument } from '@cantoo/pdf-lib';
import { z } from 'zod';
import { readConfig } from './config.ts';
import { checkSeal, type SealCheck } from './security/sealed-file.ts';

const keyPath = '/.well-known/hosted-sms-signing-key.pem';

const auditRecord = z.object({
  documentSid: z.string(),
  mailing: z.int(),
  letter: z.object({ byteLength: z.int().nonnegative(), sha256: z.string() }),
  phoneNumbers: z.array(z.string()),
  signer: z.object({ name: z.string(), title: z.string(), email: z.string() }),
  consent: z.object({ at: z.string() }),
  signedAt: z.string(),
  ipAddress: z.string(),
});

export interface Findings {
  readonly seal: SealCheck;
  /** The file begins with the letter its audit record names; `null` where it bears neither record nor seal, as one not signed yet. */
  readonly letterIntact: boolean | null;
  readonly audit: z.infer<typeof auditRecord> | null;
}

/** Looks at the file's bytes alone. A file that is no PDF has no audit record. */
export async function verifyDocument(file: Uint8Array, publicKeyPem: string): Promise<Findings> {
  const audit = await readAudit(file);
  const letter = audit && file.subarray(0, audit.letter.byteLength);
  const sha256 = letter && createHash('sha256').update(letter).digest('hex');
  const seal = checkSeal(file, publicKeyPem);
  const unsigned = audit === null && seal === 'unsealed';
  return { seal, letterIntact: unsigned ? null : audit !== null && sha256 === audit.letter.sha256, audit };
}

async function readAudit(file: Uint8Array): Promise<Findings['audit']> {
  try {
    const pdf = await PDFDocument.load(file, { updateMetadata: false });
    const attached = pdf.getAttachments().find(({ name }) => name === 'audit.json');
    if (!attached) return null;
    return auditRecord.parse(JSON.parse(Buffer.from(attached.data).toString('utf8')));
  } catch {
    return null;
  }
}

function report({ seal, letterIntact, audit }: Findings): string {
  const seals: Record<SealCheck, string> = {
    genuine: 'genuine: not a byte was changed since the service sealed it',
    altered: 'NOT GENUINE: the file was altered, or another service sealed it',
    unsealed: 'MISSING: the file was not signed, or its end is lost',
  };
  const letter = letterIntact ? 'intact: length and SHA-256 are those of the audit record' : 'NOT INTACT';
  const unsigned = 'not told by the file: one that was mailed but not signed, only the page /verify knows';
  const lines = [
    `Signature of the service  ${seals[seal]}`,
    `Letter as it was mailed   ${letterIntact === null ? unsigned : letter}`,
  ];
  if (audit === null) return [...lines, 'Audit record              MISSING'].join('\n');
  const { documentSid, mailing, signer, signedAt, consent, ipAddress, phoneNumbers } = audit;
  return [
    ...lines,
    `Document                  ${documentSid}, mailing ${mailing}`,
    `Signed by                 ${signer.name}, ${signer.title} (${signer.email})`,
    `Signed                    ${signedAt} from ${ipAddress}, consent given ${consent.at}`,
    `Telephone numbers         ${phoneNumbers.join(', ')}`,
    `SHA-256 of the letter     ${audit.letter.sha256} (${audit.letter.byteLength} bytes)`,
  ].join('\n');
}

async function readKey(source: string): Promise<string> {
  if (!/^https?:\/\//.test(source)) return readFile(source, 'utf8');
  const answer = await fetch(source).catch((err: unknown) => {
    const advice = 'start it, set PUBLIC_URL or PORT to where it is, or give --key FILE';
    throw new Error(`the service at ${source} does not answer: ${advice}`, { cause: err });
  });
  if (!answer.ok) throw new Error(`${source} answered with status ${answer.status}`);
  return answer.text();
}

/** Exit codes: 0 genuine and signed, 1 not so, 2 not checked. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: { key: { type: 'string' } }, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined) {
    process.stderr.write('Usage: npm run verify-document -- FILE [--key PEM file or address]\n');
    return 2;
  }
  const bytes = await readFile(file);
  const key = await readKey(values.key ?? readConfig().env.publicUrl + keyPath);
  const findings = await verifyDocument(bytes, key);
  process.stdout.write(`${report(findings)}\n`);
  return findings.seal === 'genuine' && findings.letterIntact === true ? 0 : 1;
}

if (import.meta.filename === process.argv[1]) {
  main().then(
    (code) => process.exit(code),
    (err: unknown) => {
      process.stderr.write(`Not checked: ${err instanceof Error ? err.message : String(err)}\n`);
      process.exit(2);
    },
  );
}
