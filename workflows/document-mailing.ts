/**
 * A letter on its way: mailed, brought to mind, signed. Mail goes on beside the wait for the signature, and stops at once
 * when there is nothing left to mail for: the letter was signed or taken back, the document has ended.
 */
import {
  ActivityFailure,
  CancellationScope,
  condition,
  isCancellation,
  sleep,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { MailAnswer, MailRecipient } from '../domain/ports.ts';
import type { DocumentTimers } from '../domain/timers.ts';
import { mailActivities, recording } from './document-activities.ts';
import type { LiveDocument, Mailing } from './document-state.ts';

/** How long copies of a signed letter are tried. */
const copiesMs = 7 * 24 * 3600 * 1000;

/** One mailing, as its steps see it. */
interface Errand {
  readonly document: LiveDocument;
  readonly mailing: Mailing;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** There is nothing left to mail for. Asked after every wait: the answer to a mail may come together with the end. */
  readonly moved: () => boolean;
}

/** Sees the live mailing through: until it is sealed, void or expired, or the run has to rest. */
export async function seekSignature(document: LiveDocument, timers: DocumentTimers): Promise<void> {
  const { mailing } = document;
  const live = (): boolean => document.status === 'signing' && document.mailing === mailing;
  const moved = (): boolean => !live() || document.signature !== null;
  const expiresAt = Date.parse(mailing.expiresAt ?? '');
  const scope = new CancellationScope();
  const mailed = scope
    .run(() => mailAndRemind({ document, mailing, expiresAt, moved }, timers))
    .catch((err: unknown) => {
      if (!isCancellation(err)) throw err;
    });
  await Promise.race([mailed, condition(() => moved() || document.mayRest)]);
  scope.cancel();
  await mailed;
  if (live()) await seal(document);
}

async function mailAndRemind(errand: Errand, timers: DocumentTimers): Promise<void> {
  const isNew = errand.mailing.mailedAt === null;
  if (isNew && !(await step(errand, () => invite(errand)))) return;
  await Promise.all([
    isNew ? mailInvitationCopies(errand) : null,
    mailAgainWhenAsked(errand),
    remind(errand, timers),
  ]);
}

/** The one mail that decides: a signer whom the invitation cannot reach cannot sign. */
async function invite(errand: Errand): Promise<boolean> {
  const { document, mailing, moved } = errand;
  // The letter says what is recorded.
  await document.settled();
  const refusal = await refusalOf(async () => {
    await recording('prepare the letter').prepareLetter({
      documentSid: document.sid,
      mailing: mailing.number,
    });
    mailing.prepared = true;
    return mailSigner(errand, 'invitation', 0, errand.expiresAt);
  });
  if (moved()) return false;
  if (refusal === null) {
    mailing.mailedAt = Date.now();
    mailing.answered = mailing.asked;
    document.note('service', 'mailed the letter to the signer');
  } else {
    document.apply('bounce', 'service', 'the letter could not be sent', refusal);
  }
  await document.publish();
  return refusal === null;
}

/** Reminds the signer at the times that are still to come, then the link expires. */
async function remind(errand: Errand, timers: DocumentTimers): Promise<void> {
  const { document, mailing, expiresAt, moved } = errand;
  const dueAt = (index: number): number =>
    Math.min(expiresAt, (mailing.mailedAt ?? 0) + (timers.reminderMs[index] ?? Number.POSITIVE_INFINITY));
  while (dueAt(mailing.reminders) < expiresAt) {
    const number = mailing.reminders + 1;
    await sleepUntil(dueAt(number - 1), `waiting for the signature; reminder ${number} is next`);
    if (moved()) return;
    mailing.reminders = number;
    await step(errand, async () => {
      const refusal = await refusalOf(() => mailSigner(errand, 'reminder', number, dueAt(number)));
      const what =
        refusal === null ? `reminded the signer (${number})` : `reminder ${number} could not be mailed`;
      await tell(errand, what, refusal);
    });
    if (moved()) return;
  }
  await sleepUntil(expiresAt, 'waiting for the signature; the link expires');
  if (moved()) return;
  const why = `Mailing ${mailing.number} was not signed in time`;
  document.apply('expire', 'service', 'the signing link expired', why);
  await document.publish();
}

/** Mails the invitation anew, link and letter unchanged, as often as the customer asks. Ends with the scope. */
async function mailAgainWhenAsked(errand: Errand): Promise<void> {
  const { mailing, expiresAt } = errand;
  for (;;) {
    await condition(() => mailing.asked > mailing.answered);
    const number = mailing.asked;
    mailing.answered = number;
    await step(errand, async () => {
      const refusal = await refusalOf(() => mailSigner(errand, 'invitation', number, expiresAt));
      const what = refusal === null ? 'mailed the letter again' : 'the letter could not be mailed again';
      await tell(errand, what, refusal);
    });
  }
}

function mailSigner(
  { document, mailing, expiresAt }: Errand,
  kind: 'invitation' | 'reminder',
  number: number,
  deadline: number,
): Promise<MailAnswer> {
  return mailActivities(`mail the ${kind}`, deadline - Date.now()).mailLetter({
    documentSid: document.sid,
    mailing: mailing.number,
    kind,
    number,
    expiresAt: new Date(expiresAt).toISOString(),
    recipient: { to: document.details.email, copy: 0 },
  });
}

function mailInvitationCopies({ document, mailing, expiresAt }: Errand): Promise<void> {
  return toEach(document, copiedRecipients(document), (recipient) =>
    mailActivities(`mail copy ${recipient.copy} of the letter`, expiresAt - Date.now()).mailLetter({
      documentSid: document.sid,
      mailing: mailing.number,
      kind: 'invitation',
      number: 0,
      expiresAt: new Date(expiresAt).toISOString(),
      recipient,
    }),
  );
}

/** The letter is signed and kept: that a copy could not be mailed within a week changes nothing about it. */
export function mailSignedCopies(document: LiveDocument): Promise<void> {
  const { sid: documentSid, mailing, details } = document;
  const recipients = [{ to: details.email, copy: 0 }, ...copiedRecipients(document)];
  return toEach(document, recipients, (recipient) =>
    mailActivities(`mail copy ${recipient.copy} of the signed letter`, copiesMs).mailCopies({
      documentSid,
      mailing: mailing.number,
      recipient,
    }),
  );
}

function copiedRecipients({ details: { email, ccEmails } }: LiveDocument): readonly MailRecipient[] {
  return [...new Set(ccEmails)].filter((to) => to !== email).map((to, index) => ({ to, copy: index + 1 }));
}

/** Each recipient's mail is tried by itself. One that cannot be mailed is noted and holds up nobody. */
async function toEach(
  document: LiveDocument,
  recipients: readonly MailRecipient[],
  mail: (recipient: MailRecipient) => Promise<MailAnswer>,
): Promise<void> {
  await Promise.all(
    recipients.map((recipient) =>
      step({ document }, async () => {
        const refusal = await refusalOf(() => mail(recipient));
        if (refusal === null) return;
        document.note('service', `the copy to ${recipient.to} could not be mailed`, refusal);
        await document.publish();
      }),
    ),
  );
}

/** Why a mail did not go out; `null` when it did. One that was called off throws: nobody waits for its answer. */
async function refusalOf(mail: () => Promise<MailAnswer>): Promise<string | null> {
  try {
    const answer = await mail();
    return answer.accepted ? null : answer.reason;
  } catch (err) {
    if (isCancellation(err) || !(err instanceof ActivityFailure)) throw err;
    // A time-out's own words are for operators; this is what the customer reads.
    const { cause } = err;
    return cause && !(cause instanceof TimeoutFailure)
      ? cause.message
      : 'The mail server did not answer in time';
  }
}

/** Notes what became of a mail, unless it is void by now. */
async function tell({ document, moved }: Errand, what: string, why: string | null): Promise<void> {
  if (moved()) return;
  document.note('service', what, why);
  await document.publish();
}

/** A step that a run does not rest in: what it did would be forgotten, and done again. */
async function step<T>({ document }: Pick<Errand, 'document'>, take: () => Promise<T>): Promise<T> {
  document.stepsUnderWay += 1;
  try {
    return await take();
  } finally {
    document.stepsUnderWay -= 1;
  }
}

function sleepUntil(at: number, summary: string): Promise<void> {
  return sleep(Math.max(1, at - Date.now()), { summary });
}

/** Nothing comes between a signature and its seal: the table counts the document as signed meanwhile. */
export async function seal(document: LiveDocument): Promise<void> {
  if (document.signature === null || document.signedAt === null) return;
  await recording('seal the signed letter').sealDocument({
    documentSid: document.sid,
    mailing: document.mailing.number,
    signature: document.signature,
    signedAt: document.signedAt,
  });
  document.apply('sign', 'signer', 'signed the letter');
  await document.publish();
}
