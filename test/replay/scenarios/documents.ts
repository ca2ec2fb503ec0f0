/** Paths of authorizationDocument. */
import type { FakeDocument } from '../../support/fake-world.ts';
import { untilMailed } from '../../support/fake-documents.ts';
import { signature } from '../../support/signature.ts';
import type { Scenario } from './scenario.ts';

const act = (document: FakeDocument, update: string, argument: unknown): Promise<unknown> =>
  document.handle.executeUpdate<unknown, [unknown]>(update, { args: [argument] });

/** Long enough for every step of a worker that replays from the first event. */
const shortTerms = {
  HOSTED_SMS_DOCUMENTS__REMINDERS: '[500 milliseconds, 1 second]',
  HOSTED_SMS_DOCUMENTS__SIGNATURE: '10 seconds',
};

export const documentScenarios: readonly Scenario[] = [
  {
    name: 'document-signed',
    play: async (world) => {
      const orders = [await world.placeOrder(), await world.placeOrder()];
      const document = await world.createDocument(orders);
      await untilMailed(world);
      await act(document, 'signDocument', { mailing: 1, signature });
      await document.handle.result();
      return document.sid;
    },
  },
  {
    name: 'document-reminded-expired',
    env: shortTerms,
    play: async (world) => {
      const document = await world.createDocument([await world.placeOrder()]);
      await document.handle.result();
      return document.sid;
    },
  },
  {
    name: 'document-declined',
    play: async (world) => {
      const document = await world.createDocument([await world.placeOrder()]);
      await untilMailed(world);
      await act(document, 'declineDocument', { mailing: 1, reason: 'not my number' });
      await document.handle.result();
      return document.sid;
    },
  },
  {
    name: 'document-taken-back-changed-sent-signed',
    play: async (world) => {
      const orders = [await world.placeOrder(), await world.placeOrder()];
      const document = await world.createDocument(orders);
      await untilMailed(world);
      await act(document, 'updateDocument', {
        status: 'opened',
        orderSids: [orders[0]?.sid],
        changes: { email: 'other@example.com' },
      });
      await act(document, 'updateDocument', { status: 'signing', changes: {} });
      await untilMailed(world, 2);
      await act(document, 'signDocument', { mailing: 2, signature });
      await document.handle.result();
      return document.sid;
    },
  },
  {
    name: 'document-left-open-failed',
    env: { ...shortTerms, HOSTED_SMS_DOCUMENTS__REMINDERS: '[]' },
    play: async (world) => {
      const document = await world.createDocument([await world.placeOrder()]);
      await untilMailed(world);
      await act(document, 'updateDocument', { status: 'opened', changes: {} });
      await document.handle.result();
      return document.sid;
    },
  },
  {
    name: 'document-last-order-left',
    play: async (world) => {
      const order = await world.placeOrder();
      const document = await world.createDocument([order]);
      await untilMailed(world);
      await order.handle.executeUpdate('cancelOrder');
      await document.handle.result();
      return document.sid;
    },
  },
  {
    name: 'document-canceled',
    play: async (world) => {
      const document = await world.createDocument([await world.placeOrder()]);
      await untilMailed(world);
      await document.handle.executeUpdate('cancelDocument');
      await document.handle.result();
      return document.sid;
    },
  },
  {
    name: 'document-orders-refused',
    answers: { attachOrder: async () => ({ attached: false }) },
    play: async (world) => {
      const document = await world.createDocument([await world.placeOrder()]);
      await document.handle.result();
      return document.sid;
    },
  },
  {
    name: 'document-bounced',
    answers: { mailLetter: async () => ({ accepted: false, reason: 'no such mailbox' }) },
    play: async (world) => {
      const document = await world.createDocument([await world.placeOrder()]);
      await document.handle.result();
      return document.sid;
    },
  },
];
