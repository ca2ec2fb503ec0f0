/**
 * The authorization document as runs that were begun by 0.1.0 go on with it, command for command. New runs take
 * authorization-document.ts. To be removed when `temporal workflow list` shows no open document that began before them.
 */
import { ActivityFailure, allHandlersFinished, condition, setHandler } from '@temporalio/workflow';
import type { DocumentTimers } from '../domain/timers.ts';
import { mailActivities, recording } from './document-activities.ts';
import { seal } from './document-mailing.ts';
import { LiveDocument, type DocumentEnd } from './document-state.ts';
import * as messages from './messages.ts';
import type { Answer, AuthorizationDocumentInput, DocumentUpdate } from './messages.ts';

/** What the handlers and the steps of a run share. */
interface Desk {
  readonly document: LiveDocument;
  /** `null` until the orders are attached and the document is stored, or they were refused. */
  created: Answer | null;
}

export async function authorizationDocumentOf01(input: AuthorizationDocumentInput): Promise<DocumentEnd> {
  const document = new LiveDocument(input);
  const desk: Desk = { document, created: null };

  handleMessages(desk, input.timers);

  const attached = await document.attach(input.orderSids);
  if (!attached.ok) {
    desk.created = attached;
    await condition(allHandlersFinished);
    return 'refused';
  }
  document.send(input.timers.signatureMs);
  await document.publish();
  desk.created = attached;

  while (!document.over) {
    if (document.status === 'signing') await seekSignature(document, input.timers);
    else await awaitCustomer(document, input.timers);
  }
  await finish(document);
  await condition(allHandlersFinished); // no deadline: handlers only wait for activities that are tried until they succeed
  if (document.status === 'opened' || document.status === 'signing')
    throw new TypeError('the document is not over');
  return document.status;
}

function handleMessages(desk: Desk, timers: DocumentTimers): void {
  const { document } = desk;
  const once = async (): Promise<Answer> => {
    await condition(() => desk.created !== null); // no deadline: see the end of the workflow
    return desk.created ?? { ok: false, code: 20404 };
  };
  const act = async (step: () => Answer): Promise<Answer> => {
    const created = await once();
    const answer = created.ok ? step() : created;
    if (answer.ok) await document.publish();
    return answer;
  };
  setHandler(messages.documentStatusQuery, () => document.status, {
    description: 'Where the document stands',
  });
  setHandler(messages.createDocumentUpdate, once, { description: 'Create the document' });
  setHandler(
    messages.cancelDocumentUpdate,
    () => act(() => document.apply('cancel', 'customer', 'canceled the document')),
    {
      description: 'Cancel the document',
    },
  );
  setHandler(messages.declineDocumentUpdate, ({ mailing, reason }) =>
    act(() =>
      mailing === document.mailing.number
        ? document.apply('decline', 'signer', 'declined to sign', reason || null)
        : { ok: false, code: 22107 },
    ),
  );
  setHandler(messages.updateDocumentUpdate, async (update) => {
    const created = await once();
    return created.ok ? change(document, update, timers) : created;
  });
  setHandler(messages.signDocumentUpdate, async ({ mailing, signature }) => {
    const mayBeSigned =
      mailing === document.mailing.number && document.status === 'signing' && document.signature === null;
    if (!mayBeSigned) return { ok: false, code: 22107 };
    document.signature = signature;
    document.signedAt = new Date().toISOString();
    await condition(() => document.over || document.signature !== signature); // no deadline: sealing is tried until it succeeds
    return document.status === 'signed' ? { ok: true, value: null } : { ok: false, code: 22107 };
  });
  setHandler(messages.orderLeftSignal, async ({ orderSid }) => {
    document.orderSids = document.orderSids.filter((sid) => sid !== orderSid);
    document.note('customer', `order ${orderSid} left the document`);
    if (document.orderSids.length === 0)
      document.apply('last-order-left', 'service', 'no order needs the document any more');
    await document.publish();
  });
}

/** A change as the client asked for it: first back to opened, then the data, then out again. All or nothing. */
async function change(
  document: LiveDocument,
  { status, orderSids, changes }: DocumentUpdate,
  timers: DocumentTimers,
): Promise<Answer> {
  if (document.signature !== null || document.over) return { ok: false, code: 22107 };
  const hasData = orderSids !== undefined || Object.keys(changes).length > 0;
  const reopens = document.status === 'signing' && status === 'opened';
  if (document.status === 'signing' && !reopens && (hasData || status === undefined))
    return { ok: false, code: 22107 };
  const leaving = orderSids === undefined ? [] : document.orderSids.filter((sid) => !orderSids.includes(sid));
  const joining = orderSids === undefined ? [] : orderSids.filter((sid) => !document.orderSids.includes(sid));
  const attached = await document.attach(joining);
  if (!attached.ok) return attached;

  if (reopens) document.apply('reopen', 'customer', 'took the document back to change it');
  if (hasData) document.apply('change', 'customer', 'changed the data of the letter');
  document.details = { ...document.details, ...changes };
  if (orderSids !== undefined) document.orderSids = orderSids;
  if (status === 'signing' && document.status === 'opened') document.send(timers.signatureMs);
  await document.publish();
  await document.tellOrders(leaving, 'withdrawn', 'the order was taken off the document');
  return attached;
}

/** Renders and mails the letter, reminds the signer, and sees the signature through. Ends when the document leaves `signing`. */
async function seekSignature(document: LiveDocument, timers: DocumentTimers): Promise<void> {
  const { number } = document.mailing;
  // The customer may take the document back and send it anew at any moment: then this mailing is void.
  const live = (): boolean => document.status === 'signing' && document.mailing.number === number;
  const mailed = await mailLetter(document, 'invitation', 0, timers);
  const mailedAt = Date.now();
  for (const [index, afterMs] of [...timers.reminderMs, timers.signatureMs].entries()) {
    if (!mailed || !live()) return;
    const moved = (): boolean => !live() || document.signature !== null;
    const summary =
      index < timers.reminderMs.length
        ? `waiting for the signature; reminder ${index + 1} is next`
        : 'waiting for the signature; the link expires';
    if (await condition(moved, Math.max(1, mailedAt + afterMs - Date.now()), { summary })) {
      if (live()) await seal(document);
      return;
    }
    if (index < timers.reminderMs.length) await mailLetter(document, 'reminder', index + 1, timers);
  }
  document.apply('expire', 'service', 'the signing link expired', `Mailing ${number} was not signed in time`);
  await document.publish();
}

async function mailLetter(
  document: LiveDocument,
  kind: 'invitation' | 'reminder',
  number: number,
  timers: DocumentTimers,
): Promise<boolean> {
  const { number: mailingNumber, expiresAt } = document.mailing;
  const letter = { documentSid: document.sid, mailing: mailingNumber };
  let refusal: string;
  try {
    if (kind === 'invitation') await recording('prepare the letter').prepareLetter(letter);
    const answer = await mailActivities(`mail the ${kind}`, timers.signatureMs).mailLetter({
      ...letter,
      kind,
      number,
      expiresAt: expiresAt ?? '',
    });
    if (answer.accepted) {
      document.note(
        'service',
        kind === 'invitation' ? 'mailed the letter to the signer' : `reminded the signer (${number})`,
      );
      await document.publish();
      return true;
    }
    refusal = answer.reason;
  } catch (err) {
    if (!(err instanceof ActivityFailure)) throw err;
    refusal = err.cause?.message ?? 'The letter could not be prepared or mailed';
  }
  if (document.mailing.number !== mailingNumber) return false;
  document.apply('bounce', 'service', 'the letter could not be sent', refusal);
  await document.publish();
  return false;
}

/** An opened document waits as long as a letter would be valid, then it fails. */
async function awaitCustomer(document: LiveDocument, timers: DocumentTimers): Promise<void> {
  const summary = 'the document is open for changes';
  if (await condition(() => document.status !== 'opened', timers.signatureMs, { summary })) return;
  document.apply('expire', 'service', 'the document was left open', 'It was not sent to the signer in time');
  await document.publish();
}

async function finish(document: LiveDocument): Promise<void> {
  const { sid: documentSid, orderSids, failureReason } = document;
  if (document.status !== 'signed') {
    await document.tellOrders(orderSids, 'withdrawn', failureReason ?? 'the document was canceled');
    return;
  }
  await document.tellOrders(orderSids, 'signed', '');
  try {
    await mailActivities('mail the copies', 7 * 24 * 3600 * 1000).mailCopies({
      documentSid,
      mailing: document.mailing.number,
    });
  } catch (err) {
    // The letter is signed and kept; that a copy could not be mailed within a week changes nothing about it.
    if (!(err instanceof ActivityFailure)) throw err;
    document.note('service', 'the copies could not be mailed');
    await document.publish();
  }
}
