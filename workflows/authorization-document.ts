/**
 * One authorization document (the LOA): takes its orders in, is mailed, waits for its signer, is sealed and copied.
 * Its id is the document's sid. What may happen to it is the table in domain/authorization-document.ts.
 */
import { allHandlersFinished, condition, continueAsNew, patched } from '@temporalio/workflow';
import { authorizationDocumentOf01 } from './authorization-document-0-1.ts';
import { shielded } from './cancellation.ts';
import { cancelByOperator, handleMessages, type Desk } from './document-handlers.ts';
import { mailSignedCopies, seekSignature } from './document-mailing.ts';
import { LiveDocument, type CarriedDocument, type DocumentEnd } from './document-state.ts';
import type { AuthorizationDocumentInput } from './messages.ts';

export async function authorizationDocument(
  input: AuthorizationDocumentInput,
  carried?: CarriedDocument,
): Promise<DocumentEnd> {
  if (!patched('mail-beside-the-wait')) return authorizationDocumentOf01(input);
  const document = new LiveDocument(input, carried);
  const created = carried ? ({ ok: true, value: null } as const) : null;
  const desk: Desk = { document, timers: input.timers, created, left: new Set(), turn: Promise.resolve() };
  if (carried) document.showInWebUi();
  handleMessages(desk);
  return shielded(
    () => live(desk, input),
    () => cancelByOperator(desk),
  );
}

/** Goes from status to status until nothing can happen to the document any more. */
async function live(desk: Desk, input: AuthorizationDocumentInput): Promise<DocumentEnd> {
  const { document, timers } = desk;
  if (!(await create(desk, input))) return end(document, 'refused');
  while (document.status === 'opened' || document.status === 'signing') {
    if (document.mayRest) await rest(document, input);
    else if (document.status === 'signing') await seekSignature(document, timers);
    else await awaitCustomer(document, timers.signatureMs);
  }
  await finish(document);
  return end(document, document.status);
}

/** Attaches the orders and stores the document as it is mailed: all, or nothing is left of it. */
async function create(desk: Desk, { orderSids }: AuthorizationDocumentInput): Promise<boolean> {
  const { document, timers } = desk;
  if (desk.created !== null) return true;
  const attached = await document.attach(orderSids);
  if (attached.ok) {
    document.send(timers.signatureMs);
    await document.publish();
  }
  desk.created = attached;
  return attached.ok;
}

/** An opened document waits as long as a letter would be valid, then it fails. */
async function awaitCustomer(document: LiveDocument, patienceMs: number): Promise<void> {
  document.openUntil ??= Date.now() + patienceMs;
  const moved = (): boolean => document.status !== 'opened' || document.mayRest;
  const summary = 'the document is open for changes';
  if (await condition(moved, Math.max(1, document.openUntil - Date.now()), { summary })) return;
  document.apply('expire', 'service', 'the document was left open', 'It was not sent to the signer in time');
  await document.publish();
}

/** A run holds so many events and updates; the document goes on in a new one, unless somebody moved it meanwhile. */
async function rest(document: LiveDocument, input: AuthorizationDocumentInput): Promise<void> {
  await condition(() => allHandlersFinished() || !document.mayRest);
  await document.settled();
  if (!document.mayRest || !allHandlersFinished() || document.over) return;
  await continueAsNew<typeof authorizationDocument>(input, document.carried());
}

async function finish(document: LiveDocument): Promise<void> {
  const { status, orderSids, failureReason } = document;
  if (status === 'signed') {
    await document.tellOrders(orderSids, 'signed', '');
    await mailSignedCopies(document);
  } else {
    await document.tellOrders(orderSids, 'withdrawn', failureReason ?? 'the document was canceled');
  }
}

async function end(document: LiveDocument, how: DocumentEnd): Promise<DocumentEnd> {
  await condition(allHandlersFinished); // no deadline: handlers only wait for activities that are tried until they succeed
  await document.settled();
  return how;
}
