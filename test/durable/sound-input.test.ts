/** Messages that a person typed wrongly, by the `temporal` CLI or in the Web UI: none of them can stop a workflow. */
import { describe, expect, it } from 'vitest';
import {
  cancelDocumentUpdate,
  cancelOrderUpdate,
  documentStatusQuery,
  type Answer,
} from '../../workflows/messages.ts';
import { realWorlds } from '../support/real-worlds.ts';

const inWorld = realWorlds();
const wrong = [undefined, null, {}, 'a word', { round: 'one', documentSid: 1, orderSid: null }];
const done: Answer = { ok: true, value: null };

describe.concurrent('an order', () => {
  it.each([
    'callProgress',
    'routeTestArrived',
    'registryDecided',
    'documentSigned',
    'documentWithdrawn',
  ])('that hears %s without what belongs to it goes on as before', (signal) =>
    inWorld(async (world) => {
      const order = await world.placeOrder();
      for (const given of wrong) await order.handle.signal(signal, given);
      expect((await order.facts()).status).toBe('received');
      expect(await order.handle.executeUpdate(cancelOrderUpdate)).toEqual(done);
    }));

  it.each([
    'updateOrder',
    'attachDocument',
    'enterToken',
    'resolve',
    'reviewBill',
  ])('refuses %s without what belongs to it, and goes on', (update) =>
    inWorld(async (world) => {
      const order = await world.placeOrder();
      for (const given of wrong)
        await expect(order.handle.executeUpdate(update, { args: [given] })).rejects.toThrow();
      expect(await order.handle.executeUpdate(cancelOrderUpdate)).toEqual(done);
    }));
});

describe.concurrent('a document', () => {
  it('that hears of an order it is not told, or is asked for nothing, goes on as before', () =>
    inWorld(async (world) => {
      const document = await world.createDocument([await world.placeOrder()]);
      for (const given of wrong) {
        await document.handle.signal('orderLeft', given);
        for (const update of ['updateDocument', 'signDocument', 'declineDocument'])
          await expect(document.handle.executeUpdate(update, { args: [given] })).rejects.toThrow();
      }
      expect(await document.handle.query(documentStatusQuery)).toBe('signing');
      expect(await document.handle.executeUpdate(cancelDocumentUpdate)).toEqual(done);
    }));
});
