/** Paths of hostedNumberOrder that came after the first recordings: each has a patch in its history. */
import { until } from '../../support/until.ts';
import { act, cancel, toCarrier, useUpCalls } from './orders.ts';
import type { Scenario } from './scenario.ts';

const bill = { verificationType: 'phone-bill', verificationDocumentSid: `RI${'0'.repeat(32)}` };

/** Each of some twenty updates replays the order where there is no cache. */
const patience = { timeoutMs: 100_000 };

export const laterOrderScenarios: readonly Scenario[] = [
  {
    name: 'order-canceled-while-its-call-cannot-be-placed',
    answers: { placeVerificationCall: () => Promise.reject(new Error('the provider is down')) },
    play: async (world) => {
      const order = await world.placeOrder();
      const update = { changes: {}, startVerification: true };
      const starting = order.handle.executeUpdate('updateOrder', { args: [update] });
      await until(() => world.asked('placeVerificationCall').length > 0);
      const canceled = await cancel(order);
      await starting;
      return canceled;
    },
  },
  {
    name: 'order-letter-given-up-canceled',
    answers: { submitRegistration: async () => ({ state: 'rejected', reason: 'name mismatch' }) },
    play: async (world) => {
      const order = await toCarrier(world);
      await order.untilStatus('action-required');
      await act(order, 'resolve', [{ target: 'verified', reason: 'a new letter is needed' }]);
      return cancel(order);
    },
  },
  {
    name: 'order-letter-grown-old-canceled',
    env: { HOSTED_SMS_DOCUMENTS__SIGNATURE: '2 seconds' },
    play: async (world) => {
      const order = await world.placeOrder();
      const documentSid = `PX${order.sid.slice(2)}`;
      await act(order, 'attachDocument', [{ documentSid }]);
      await order.handle.signal('documentSigned', { documentSid });
      await until(() => order.snapshot()?.documentSigned);
      await order.untilStatus('received');
      return cancel(order);
    },
  },
  {
    name: 'order-bill-beside-letter-accepted',
    play: async (world) => {
      const order = await world.placeOrder();
      await act(order, 'attachDocument', [{ documentSid: `PX${order.sid.slice(2)}` }]);
      await act(order, 'updateOrder', [{ changes: bill, startVerification: true }]);
      await act(order, 'reviewBill', [{ accepted: true }]);
      return cancel(order);
    },
  },
  {
    name: 'order-canceled-through-temporal',
    play: async (world) => {
      const order = await world.placeOrder();
      await order.handle.cancel();
      await order.handle.result();
      return order.sid;
    },
  },
  {
    name: 'order-in-service-not-canceled-through-temporal-retired',
    env: { HOSTED_SMS_ORDERS__RETIREMENT: '1 second' },
    play: async (world) => {
      const order = await toCarrier(world);
      await order.untilStatus('completed');
      await order.handle.cancel();
      await until(() => order.snapshot()?.timeline.at(-1)?.what.includes('changes nothing'));
      await act(order, 'updateOrder', [{ changes: { extension: null }, startVerification: false }]);
      await act(order, 'release');
      await order.handle.result();
      return order.sid;
    },
  },
  {
    name: 'order-code-entered-beside-letter-canceled',
    play: async (world) => {
      const order = await world.placeOrder();
      await act(order, 'attachDocument', [{ documentSid: `PX${order.sid.slice(2)}` }]);
      await order.startVerification();
      const callSid = await until(() => order.snapshot()?.verificationCallSids.at(-1));
      await act(order, 'enterToken', [{ callSid, prompt: 1, correct: true }]);
      return cancel(order);
    },
  },
  {
    name: 'order-bill-kept-under-review-canceled',
    play: async (world) => {
      const order = await world.placeOrder();
      await act(order, 'updateOrder', [{ changes: bill, startVerification: true }]);
      await act(order, 'updateOrder', [
        { changes: { verificationDocumentSid: null }, startVerification: false },
      ]);
      return cancel(order);
    },
  },
  {
    name: 'order-proof-keeps-its-type-canceled',
    play: async (world) => {
      const order = await world.placeOrder();
      await act(order, 'updateOrder', [{ changes: bill, startVerification: true }]);
      await act(order, 'updateOrder', [
        { changes: { verificationType: 'phone-call' }, startVerification: false },
      ]);
      return cancel(order);
    },
  },
  {
    name: 'order-no-call-beside-review-canceled',
    play: async (world) => {
      const order = await world.placeOrder();
      await act(order, 'attachDocument', [{ documentSid: `PX${order.sid.slice(2)}` }]);
      await act(order, 'updateOrder', [{ changes: bill, startVerification: true }]);
      const call = { changes: { verificationType: 'phone-call' }, startVerification: true };
      await act(order, 'updateOrder', [call]);
      return cancel(order);
    },
  },
  {
    name: 'order-registry-silent-decided-by-administrator',
    env: { HOSTED_SMS_ORDERS__RETIREMENT: '1 second' },
    answers: { submitRegistration: () => Promise.reject(new Error('the registry is down')) },
    play: async (world) => {
      const order = await toCarrier(world);
      await until(() => world.asked('submitRegistration').length > 0);
      await order.handle.signal('registryDecided', { accepted: true, reason: null });
      await order.untilStatus('completed');
      await act(order, 'release');
      await order.handle.result();
      return order.sid;
    },
  },
  {
    name: 'order-in-action-required-goes-on-in-another-run',
    dynamicConfig: { 'history.maxTotalUpdates': 20 },
    play: async (world) => {
      const order = await useUpCalls(world);
      const first = await order.handle.describe();
      await until(async () => {
        await act(order, 'updateOrder', [{ changes: { friendlyName: 'Desk' }, startVerification: false }]);
        return (await order.handle.describe()).runId !== first.runId;
      }, patience);
      await act(order, 'resetVerification');
      await cancel(order);
      return { workflowId: order.sid, runId: first.runId };
    },
  },
];
