/** The letter of a document as it was mailed, and as it was signed: PDF, byte for byte. */
import { findDocumentFile } from '../db/reads/authorization-documents.ts';
import { ApiError } from '../domain/errors.ts';
import { operation, type Operation } from './operation.ts';
import { requireDocument } from './required-rows.ts';

const path = '/HostedNumbers/AuthorizationDocuments/{Sid}';

export const authorizationDocumentFileOperations: readonly Operation[] = [
  pdfOperation('letter', 'Letter.pdf', 'The letter as it was mailed last'),
  pdfOperation('signed', 'Signed.pdf', 'The signed letter with its audit page'),
];

function pdfOperation(kind: 'letter' | 'signed', fileName: string, summary: string): Operation {
  return operation({
    id: `fetch${kind === 'letter' ? 'Letter' : 'SignedLetter'}`,
    method: 'GET',
    path: `${path}/${fileName}` as `${typeof path}/file`,
    tag: 'Authorization documents',
    summary,
    auth: 'account',
    responses: { 200: { description: 'PDF', contentType: 'application/pdf' } },
    handler: async ({ ctx, deps, account, params }) => {
      const document = await requireDocument(deps, account.sid, params.Sid);
      const file = await findDocumentFile(deps.db, document.sid, kind);
      if (!file) throw new ApiError(20404);
      return ctx.body(new Uint8Array(file.bytes), 200, {
        'Content-Type': 'application/pdf',
        'Content-Disposition': `inline; filename="${document.sid}-${fileName}"`,
        ETag: `"${file.sha256}"`,
      });
    },
  });
}
