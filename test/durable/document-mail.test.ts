/**
 * Mail about a letter, on a real server: whatever a mail server does, it never holds the document up (decision 0018).
 * Clocks are short; the real ones are in test/time/document.test.ts.
 */
import { describe, expect, it } from 'vitest';
import type { MailAnswer } from '../../domain/ports.ts';
import { cancelDocumentUpdate } from '../../workflows/messages.ts';
import type { AskedOf } from '../support/fake-activities.ts';
import { changeDocument, notesOf, signDocument, untilMailed, untilNoted } from '../support/fake-documents.ts';
import type { FakeWorld, FakeWorldOptions } from '../support/fake-world.ts';
import { realWorlds } from '../support/real-worlds.ts';
import { until } from '../support/until.ts';

const worlds = realWorlds();

/** Plays with documents whose reminders and links last so long, in seconds. */
const inWorld = (
  play: (world: FakeWorld) => Promise<void>,
  answers: FakeWorldOptions['answers'] = {},
  {
    reminders = [3600],
    link = 7200,
  }: { readonly reminders?: readonly number[]; readonly link?: number } = {},
): Promise<void> => {
  const env = {
    HOSTED_SMS_DOCUMENTS__REMINDERS: `[${reminders.map((after) => `${after} seconds`).join(', ')}]`,
    HOSTED_SMS_DOCUMENTS__SIGNATURE: `${link} seconds`,
  };
  return worlds(play, { answers, env });
};

const taken = async (): Promise<MailAnswer> => ({ accepted: true });
const down = async (): Promise<never> => {
  throw new Error('450 try later');
};

describe.concurrent('mail about a letter that cannot be sent', () => {
  const asked = (world: FakeWorld): Promise<unknown> => until(() => world.asked('mailLetter').length > 0);

  it('does not keep a canceled document from letting its orders go', () =>
    inWorld(
      async (world) => {
        const order = await world.placeOrder();
        const document = await world.createDocument([order]);
        await asked(world);
        expect((await document.handle.executeUpdate(cancelDocumentUpdate)).ok).toBe(true);
        expect(await document.handle.result()).toBe('canceled');
        await order.untilStatus('received');
      },
      { mailLetter: down },
    ));

  it('is given up when the letter is sent anew, which goes out at once', () =>
    inWorld(
      async (world) => {
        const document = await world.createDocument([await world.placeOrder()]);
        await asked(world);
        await changeDocument(document, { status: 'opened', changes: { email: 'right@example.com' } });
        await changeDocument(document, { status: 'signing', changes: {} });
        await untilMailed(world);
        expect(world.asked('mailLetter').at(-1)).toMatchObject({
          mailing: 2,
          recipient: { to: 'right@example.com' },
        });
      },
      { mailLetter: (mail) => (mail.mailing === 1 ? down() : taken()) },
    ));

  it('fails the document when it is the invitation and the link expires meanwhile', () =>
    inWorld(
      async (world) => {
        const order = await world.placeOrder();
        const document = await world.createDocument([order]);
        expect(await document.handle.result()).toBe('failed');
        await order.untilStatus('received');
      },
      { mailLetter: down },
      { link: 2 },
    ));

  it('does not keep a signature from being sealed when it is a reminder', () =>
    inWorld(
      async (world) => {
        const document = await world.createDocument([await world.placeOrder()]);
        await untilMailed(world);
        await until(() => world.asked('mailLetter').length > 1);
        expect(await signDocument(document)).toEqual({ ok: true, value: null });
        expect(await document.handle.result()).toBe('signed');
      },
      { mailLetter: (mail) => (mail.kind === 'reminder' ? down() : taken()) },
      { reminders: [1] },
    ));

  it('is tried until the next reminder is due when it is a reminder', () =>
    inWorld(
      async (world) => {
        const document = await world.createDocument([await world.placeOrder()]);
        await untilMailed(world);
        await untilNoted(world, 'reminded the signer (2)');
        expect(notesOf(world)).toContain('reminder 1 could not be mailed');
        expect(document.snapshot()?.status).toBe('signing');
      },
      { mailLetter: (mail) => (mail.number === 1 ? down() : taken()) },
      { reminders: [1, 2] },
    ));
});

describe.concurrent('mail about a letter that is refused', () => {
  it('fails the document when it is the invitation', () =>
    inWorld(
      async (world) => {
        const order = await world.placeOrder();
        const document = await world.createDocument([order]);
        expect(await document.handle.result()).toBe('failed');
        expect(document.snapshot()?.failureReason).toBe('no such mailbox');
        await order.untilStatus('received');
      },
      { mailLetter: async () => ({ accepted: false, reason: 'no such mailbox' }) },
    ));

  it('is only noted when it is a reminder: the letter lies in the mailbox, and can be signed', () =>
    inWorld(
      async (world) => {
        const document = await world.createDocument([await world.placeOrder()]);
        await untilMailed(world);
        await untilNoted(world, 'reminder 1 could not be mailed');
        expect(document.snapshot()?.status).toBe('signing');
        expect((await signDocument(document)).ok).toBe(true);
        expect(await document.handle.result()).toBe('signed');
      },
      {
        mailLetter: async ({ kind }) =>
          kind === 'reminder' ? { accepted: false, reason: 'mailbox full' } : { accepted: true },
      },
      { reminders: [1] },
    ));
});

describe.concurrent('copies of a letter', () => {
  const cc = ['works@example.org', 'slow@example.org', 'gone@example.org'];
  const reception = async ({ recipient }: Pick<AskedOf<'mailLetter'>, 'recipient'>): Promise<MailAnswer> => {
    if (recipient?.to === 'slow@example.org') throw new Error('450 greylisted');
    return recipient?.to === 'gone@example.org'
      ? { accepted: false, reason: 'no such mailbox' }
      : { accepted: true };
  };
  const triesOf = (mails: readonly { readonly recipient?: { readonly to: string } }[], to: string): number =>
    mails.filter(({ recipient }) => recipient?.to === to).length;

  it('go to each recipient by themselves: trouble with one repeats nobody else’s mail and is noted', () =>
    inWorld(
      async (world) => {
        const document = await world.createDocument([await world.placeOrder()], cc);
        await untilNoted(world, 'the copy to gone@example.org could not be mailed');
        await until(() => triesOf(world.asked('mailLetter'), 'slow@example.org') > 1);
        const mails = world.asked('mailLetter');
        for (const to of ['signer@example.com', 'works@example.org', 'gone@example.org'])
          expect(triesOf(mails, to), to).toBe(1);
        expect((await signDocument(document)).ok).toBe(true);
        await until(() => triesOf(world.asked('mailCopies'), 'slow@example.org') > 1);
        const signed = world.asked('mailCopies');
        for (const to of ['signer@example.com', 'works@example.org', 'gone@example.org'])
          expect(triesOf(signed, to), to).toBe(1);
        await untilNoted(world, 'the copy to gone@example.org could not be mailed', 2);
      },
      { mailLetter: reception, mailCopies: reception },
    ));
});

describe.concurrent('a letter that is asked for again', () => {
  it('is mailed again, the same letter with a key of its own, and keeps its link, clock and reminders', () =>
    inWorld(
      async (world) => {
        const document = await world.createDocument([await world.placeOrder()], ['copied@example.org']);
        await untilMailed(world);
        const expiresAt = document.snapshot()?.expiresAt;
        expect(await changeDocument(document, { status: 'signing', changes: {} })).toEqual({
          ok: true,
          value: null,
        });
        await untilNoted(world, 'mailed the letter again');
        const toSigner = world.asked('mailLetter').filter(({ recipient }) => recipient?.copy === 0);
        expect(toSigner.map(({ mailing, kind, number }) => [mailing, kind, number])).toEqual([
          [1, 'invitation', 0],
          [1, 'invitation', 1],
        ]);
        expect(world.asked('mailLetter')).toHaveLength(3);
        expect(document.snapshot()).toMatchObject({ expiresAt, mailing: 1 });
        await untilNoted(world, 'reminded the signer (1)');
      },
      {},
      { reminders: [3] },
    ));

  it('stays valid though the mail server refuses the repetition', () =>
    inWorld(
      async (world) => {
        const document = await world.createDocument([await world.placeOrder()]);
        await untilMailed(world);
        await changeDocument(document, { status: 'signing', changes: {} });
        await untilNoted(world, 'the letter could not be mailed again');
        expect(document.snapshot()?.status).toBe('signing');
        expect((await signDocument(document)).ok).toBe(true);
      },
      {
        mailLetter: async ({ number }) =>
          number > 0 ? { accepted: false, reason: 'mailbox full' } : { accepted: true },
      },
    ));
});
