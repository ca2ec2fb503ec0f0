/** Paths of authorizationDocument that came after the first recordings: each has a patch in its history. */
import { changeDocument, signDocument, untilMailed, untilNoted } from '../../support/fake-documents.ts';
import { until } from '../../support/until.ts';
import type { Scenario } from './scenario.ts';

const down = async (): Promise<never> => {
  throw new Error('450 try later');
};

export const laterDocumentScenarios: readonly Scenario[] = [
  {
    name: 'document-reminder-refused-signed-with-copies',
    env: { HOSTED_SMS_DOCUMENTS__REMINDERS: '[1 second]' },
    answers: {
      mailLetter: async ({ kind }) =>
        kind === 'reminder' ? { accepted: false, reason: 'mailbox full' } : { accepted: true },
    },
    play: async (world) => {
      const orders = [await world.placeOrder(), await world.placeOrder()];
      const document = await world.createDocument(orders, ['one@example.org', 'two@example.org']);
      await untilNoted(world, 'reminder 1 could not be mailed');
      await signDocument(document);
      await document.handle.result();
      return document.sid;
    },
  },
  {
    name: 'document-canceled-while-mail-is-down',
    answers: { mailLetter: down },
    play: async (world) => {
      const document = await world.createDocument([await world.placeOrder()]);
      await until(() => world.asked('mailLetter').length > 0);
      await document.handle.executeUpdate('cancelDocument');
      await document.handle.result();
      return document.sid;
    },
  },
  {
    name: 'document-sent-anew-while-mail-is-down-declined',
    answers: { mailLetter: async ({ mailing }) => (mailing === 1 ? down() : { accepted: true }) },
    play: async (world) => {
      const document = await world.createDocument([await world.placeOrder()]);
      await until(() => world.asked('mailLetter').length > 0);
      await changeDocument(document, { status: 'opened', changes: { email: 'other@example.com' } });
      await changeDocument(document, { status: 'signing', changes: {} });
      await untilMailed(world);
      await document.handle.executeUpdate('declineDocument', { args: [{ mailing: 2, reason: '' }] });
      await document.handle.result();
      return document.sid;
    },
  },
  {
    name: 'document-mailed-again-canceled-through-temporal',
    play: async (world) => {
      const document = await world.createDocument([await world.placeOrder()]);
      await untilMailed(world);
      await changeDocument(document, { status: 'signing', changes: {} });
      await untilNoted(world, 'mailed the letter again');
      await document.handle.cancel();
      await document.handle.result();
      return document.sid;
    },
  },
];
