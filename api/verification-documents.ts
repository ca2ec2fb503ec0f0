/** /HostedNumbers/VerificationDocuments: phone bills that prove ownership where a call cannot. Source: domain.md §1.2. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  findVerificationDocument,
  type VerificationDocumentRow,
} from '../db/reads/authorization-documents.ts';
import { insertVerificationDocument } from '../db/writes/configuration.ts';
import { ApiError } from '../domain/errors.ts';
import { isoDate } from './dates.ts';
import * as field from './fields.ts';
import { operation, type Operation } from './operation.ts';

const path = '/HostedNumbers/VerificationDocuments';
const tag = 'Verification documents';

const proofSchema = z
  .object({
    sid: z.string().meta({ examples: ['RI0123456789abcdef0123456789abcdef'] }),
    account_sid: z.string(),
    file_name: z.string(),
    mime_type: z.string(),
    size: z.int().meta({ description: 'Bytes' }),
    sha256: z.string(),
    date_created: z.string().meta({ format: 'date-time' }),
    url: z.url(),
  })
  .meta({ id: 'VerificationDocument' });

/** First bytes of the kinds of file an operator can look at. */
const kinds = [
  { mimeType: 'application/pdf', start: '25504446' },
  { mimeType: 'image/png', start: '89504e47' },
  { mimeType: 'image/jpeg', start: 'ffd8ff' },
  { mimeType: 'image/tiff', start: '49492a00' },
  { mimeType: 'image/tiff', start: '4d4d002a' },
] as const;

const createOperation = operation({
  id: 'createVerificationDocument',
  method: 'POST',
  path,
  tag,
  summary: 'Hand in a phone bill',
  description:
    'multipart/form-data with one `File`: PDF, PNG, JPEG or TIFF. Its sid goes into VerificationDocumentSid.',
  auth: 'account',
  form: z.object({ File: field.file() }),
  bodyLimitBytes: (config) => config.api.uploadLimitBytes,
  responses: { 201: { description: 'The document', schema: proofSchema } },
  handler: async ({ ctx, deps, account, form, newSid }) => {
    const bytes = Buffer.from(await form.File.arrayBuffer());
    const start = bytes.subarray(0, 4).toString('hex');
    const kind = kinds.find((kind) => start.startsWith(kind.start));
    if (!kind) throw new ApiError(20001, 'File must be a PDF, PNG, JPEG or TIFF');
    const document: VerificationDocumentRow = {
      sid: newSid('verificationDocument'),
      accountSid: account.sid,
      fileName: form.File.name.replaceAll('\0', '').slice(0, 255),
      mimeType: kind.mimeType,
      bytes,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      dateCreated: new Date(),
    };
    const stored = await insertVerificationDocument(deps.db, document);
    // A repeated request finds the document of the first.
    const kept = stored ? document : await findVerificationDocument(deps.db, document);
    return ctx.json(proofJson(kept ?? document, deps.config.env.publicUrl), 201);
  },
});

const fetchOperation = operation({
  id: 'fetchVerificationDocument',
  method: 'GET',
  path: `${path}/{Sid}`,
  tag,
  summary: 'Fetch what is known of a phone bill',
  auth: 'account',
  responses: { 200: { description: 'The document', schema: proofSchema } },
  handler: async ({ ctx, deps, account, params }) => {
    const document = await findVerificationDocument(deps.db, { sid: params.Sid, accountSid: account.sid });
    if (!document) throw new ApiError(20404);
    return ctx.json(proofJson(document, deps.config.env.publicUrl));
  },
});

export const verificationDocumentOperations: readonly Operation[] = [createOperation, fetchOperation];

function proofJson(document: VerificationDocumentRow, publicUrl: string): z.infer<typeof proofSchema> {
  return {
    sid: document.sid,
    account_sid: document.accountSid,
    file_name: document.fileName,
    mime_type: document.mimeType,
    size: document.bytes.length,
    sha256: document.sha256,
    date_created: isoDate(document.dateCreated),
    url: `${publicUrl}${path}/${document.sid}`,
  };
}
