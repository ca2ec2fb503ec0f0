/** Activities of an authorization document: its place in the read model, its letter, its mails. */
import { createHash } from 'node:crypto';
import { activityInfo } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import {
  findAnyDocument,
  findDocumentFile,
  type DocumentFileRow,
} from '../db/reads/authorization-documents.ts';
import { findAnyOrder } from '../db/reads/hosted-number-orders.ts';
import { readDocumentToSign } from '../db/reads/signing.ts';
import { keepFile, writeDocumentSnapshot } from '../db/writes/authorization-documents.ts';
import type { DocumentActivities } from '../domain/ports.ts';
import { attachDocumentUpdate, orderWorkflowId } from '../workflows/messages.ts';
import type { ActivityDeps } from './deps.ts';
import { createLetterMailActivities } from './document-mails.ts';
import { permanentFailure } from './failures.ts';
import { letterFaults } from './letter/check.ts';
import { loadFonts } from './letter/fonts.ts';
import { renderLetter, type Letter } from './letter/letter.ts';
import { sealLetter } from './letter/seal.ts';

/** Throws when a font file of `documents.fonts` cannot be read. */
export function createDocumentActivities(deps: ActivityDeps): DocumentActivities {
  const { db, settings } = deps;
  const { provider } = settings.documents;
  const fonts = loadFonts(settings.documents.fonts);
  return {
    ...createLetterMailActivities(deps),

    recordDocument: (snapshot) => writeDocumentSnapshot(db, snapshot),

    attachOrder: (input) => attachOrder(deps, input),

    async prepareLetter({ documentSid, mailing }) {
      const existing = await findDocumentFile(db, documentSid, 'letter', mailing);
      if (existing) return { sha256: existing.sha256, byteLength: existing.byteLength };
      const letter = await letterOf(deps, documentSid, mailing);
      const faults = letterFaults(letter, (text) => fonts.missing(text));
      if (faults.length > 0)
        throw permanentFailure(`The letter would be refused: ${faults.join('; ')}`, 'LetterFaults');
      const bytes = await renderLetter(letter, fonts);
      return keep(deps, { documentSid, mailing, kind: 'letter', bytes, dateCreated: letter.date });
    },

    async sealDocument({ documentSid, mailing, signature, signedAt }) {
      const existing = await findDocumentFile(db, documentSid, 'signed', mailing);
      if (existing) return { sha256: existing.sha256 };
      const letter = await findDocumentFile(db, documentSid, 'letter', mailing);
      if (!letter) throw permanentFailure('The letter to be sealed does not exist', 'LetterNotFound');
      const { contactEmail, phoneNumbers } = await letterOf(deps, documentSid, mailing);
      const dateCreated = new Date(signedAt);
      const unsealed = await sealLetter(
        {
          documentSid,
          mailing,
          letter: letter.bytes,
          provider,
          signerEmail: contactEmail,
          phoneNumbers,
          signature,
          signedAt: dateCreated,
        },
        fonts,
      );
      const bytes = deps.vault.sealer.seal(unsealed);
      const { sha256 } = await keep(deps, { documentSid, mailing, kind: 'signed', bytes, dateCreated });
      return { sha256 };
    },
  };
}

/** The update's id is that of this activity: a try that repeats it gets the first answer, a later attachment its own. */
async function attachOrder(
  { db, temporal }: ActivityDeps,
  { orderSid, accountSid, documentSid }: Parameters<DocumentActivities['attachOrder']>[0],
): Promise<{ attached: boolean }> {
  const order = await findAnyOrder(db, orderSid);
  if (order?.accountSid !== accountSid) return { attached: false };
  const { activityId, workflowExecution } = activityInfo();
  try {
    const answer = await temporal.workflow
      .getHandle(orderWorkflowId(orderSid))
      .executeUpdate(attachDocumentUpdate, {
        args: [{ documentSid }],
        updateId: `${documentSid}/${workflowExecution?.runId ?? ''}/${activityId}`,
      });
    return { attached: answer.ok };
  } catch (err) {
    // The order's workflow has ended: it was canceled, failed, or its number is retired.
    if (err instanceof WorkflowNotFoundError) return { attached: false };
    throw err;
  }
}

/** What the letter of a mailing says. Throws while the state it was sent in is not recorded: the row is an older one. */
async function letterOf(
  { db, settings }: ActivityDeps,
  documentSid: string,
  mailing: number,
): Promise<Letter> {
  const [document, contents] = await Promise.all([
    findAnyDocument(db, documentSid),
    readDocumentToSign(db, documentSid),
  ]);
  if (!document || !contents)
    throw permanentFailure('The document is not in the database', 'DocumentNotFound');
  if (document.mailing < mailing) throw new Error('the mailing is not recorded yet');
  if (document.mailing > mailing) throw permanentFailure('The letter is void', 'LetterVoid');
  return {
    documentSid,
    date: document.dateUpdated,
    provider: settings.documents.provider,
    phoneNumbers: contents.phoneNumbers,
    address: contents.address,
    contactEmail: document.email,
    contactTitle: document.contactTitle,
    contactPhoneNumber: document.contactPhoneNumber,
  };
}

/** Keeps a file and answers what is kept: the first bytes stay, whoever wrote them. */
async function keep(
  { db }: ActivityDeps,
  file: Pick<DocumentFileRow, 'documentSid' | 'mailing' | 'kind' | 'bytes' | 'dateCreated'>,
): Promise<{ sha256: string; byteLength: number }> {
  const sha256 = createHash('sha256').update(file.bytes).digest('hex');
  await keepFile(db, { ...file, sha256, byteLength: file.bytes.length });
  const kept = await findDocumentFile(db, file.documentSid, file.kind, file.mailing);
  if (!kept) throw new Error(`the ${file.kind} of ${file.documentSid} was not kept`);
  return { sha256: kept.sha256, byteLength: kept.byteLength };
}
