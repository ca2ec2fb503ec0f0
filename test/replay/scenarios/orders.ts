/** Paths of hostedNumberOrder. */
import type { FakeOrder, FakeWorld } from '../../support/fake-world.ts';
import { until } from '../../support/until.ts';
import type { Scenario } from './scenario.ts';

export const act = (order: FakeOrder, update: string, args: unknown[] = []): Promise<unknown> =>
  order.handle.executeUpdate<unknown, [unknown]>(update, { args: args as [unknown] });

/** Ownership verified by a call, and a document joined that is signed at once. */
export async function toCarrier(world: FakeWorld): Promise<FakeOrder> {
  const order = await world.placeOrder();
  await order.startVerification();
  const callSid = await until(() => order.snapshot()?.verificationCallSids.at(-1));
  await act(order, 'enterToken', [{ callSid, prompt: 1, correct: false }]);
  await act(order, 'enterToken', [{ callSid, prompt: 2, correct: true }]);
  await order.handle.signal('callProgress', { callSid, status: 'completed' });
  const documentSid = `PX${order.sid.slice(2)}`;
  await act(order, 'attachDocument', [{ documentSid }]);
  await order.handle.signal('documentSigned', { documentSid });
  return order;
}

export async function useUpCalls(world: FakeWorld): Promise<FakeOrder> {
  const order = await world.placeOrder();
  for (let call = 1; call <= 3; call++) await order.failCall();
  await order.untilStatus('action-required');
  return order;
}

export async function cancel(order: FakeOrder): Promise<string> {
  await act(order, 'cancelOrder');
  await order.handle.result();
  return order.sid;
}

export const orderScenarios: readonly Scenario[] = [
  {
    name: 'order-completed-released-retired',
    env: { HOSTED_SMS_ORDERS__RETIREMENT: '1 second' },
    play: async (world) => {
      const order = await toCarrier(world);
      await order.untilStatus('completed');
      await act(order, 'release');
      await order.handle.result();
      return order.sid;
    },
  },
  {
    name: 'order-number-taken-refused',
    answers: { placeOrder: async () => ({ kind: 'refused', code: 22110 }) },
    play: async (world) => {
      const order = await world.placeOrder();
      await order.handle.result();
      return order.sid;
    },
  },
  {
    name: 'order-ineligible-failed',
    answers: {
      placeOrder: async () => ({
        kind: 'placed',
        eligibility: { kind: 'ineligible', reason: 'enabled elsewhere', holder: 'another' },
      }),
    },
    play: async (world) => {
      const order = await world.placeOrder();
      await order.handle.result();
      return order.sid;
    },
  },
  {
    name: 'order-slow-registry-received-canceled',
    answers: { placeOrder: async () => ({ kind: 'placed', eligibility: { kind: 'pending' } }) },
    play: async (world) => {
      const order = await world.placeOrder();
      await order.untilStatus('received');
      return cancel(order);
    },
  },
  {
    name: 'order-calls-used-up-reset-canceled',
    play: async (world) => {
      const order = await useUpCalls(world);
      await act(order, 'resetVerification', [{ reason: 'the owner was away' }]);
      return cancel(order);
    },
  },
  {
    name: 'order-idle-failed',
    env: { HOSTED_SMS_ORDERS__ACTION_REQUIRED: '3 seconds' },
    play: async (world) => {
      const order = await useUpCalls(world);
      await order.handle.result();
      return order.sid;
    },
  },
  {
    name: 'order-delayed-call-canceled',
    play: async (world) => {
      const order = await world.placeOrder();
      const changes = { callDelay: 30, friendlyName: 'Desk', uniqueName: 'desk' };
      await act(order, 'updateOrder', [{ changes, startVerification: true }]);
      return cancel(order);
    },
  },
  {
    name: 'order-live-call-canceled',
    play: async (world) => {
      const order = await world.placeOrder();
      await order.startVerification();
      return cancel(order);
    },
  },
  {
    name: 'order-call-refused',
    answers: { placeVerificationCall: async () => ({ placed: false, reason: 'no such number' }) },
    play: async (world) => {
      const order = await world.placeOrder();
      await order.startVerification();
      await order.untilStatus('received');
      return cancel(order);
    },
  },
  {
    name: 'order-lost-call-looked-up',
    env: { HOSTED_SMS_ORDERS__CALL_DEADLINE: '300 milliseconds' },
    answers: { fetchVerificationCall: async () => ({ status: 'busy' }) },
    play: async (world) => {
      const order = await world.placeOrder();
      await order.startVerification();
      await order.untilCallOver();
      return cancel(order);
    },
  },
  {
    name: 'order-bill-accepted',
    play: async (world) => {
      const order = await world.placeOrder();
      const changes = { verificationType: 'phone-bill', verificationDocumentSid: `RI${'0'.repeat(32)}` };
      await act(order, 'updateOrder', [{ changes, startVerification: true }]);
      await act(order, 'reviewBill', [{ accepted: true }]);
      return cancel(order);
    },
  },
  {
    name: 'order-bill-refused-resolved',
    play: async (world) => {
      const order = await world.placeOrder();
      const changes = { verificationType: 'phone-bill', verificationDocumentSid: `RI${'0'.repeat(32)}` };
      await act(order, 'updateOrder', [{ changes, startVerification: true }]);
      await act(order, 'reviewBill', [{ accepted: false, reason: 'not legible' }]);
      await act(order, 'resolve', [{ target: 'verified', reason: 'seen in person' }]);
      return cancel(order);
    },
  },
  {
    name: 'order-registry-pending-rejected-resolved-route-failed',
    env: {
      HOSTED_SMS_ORDERS__REGISTRY_POLL: '200 milliseconds',
      HOSTED_SMS_ORDERS__ROUTE_TEST_ROUND: '200 milliseconds',
      HOSTED_SMS_ORDERS__ACTION_REQUIRED: '4 seconds',
    },
    answers: {
      submitRegistration: async ({ submission }) => ({ state: submission === 1 ? 'pending' : 'accepted' }),
      fetchRegistration: async () => ({ state: 'rejected', reason: 'name mismatch' }),
      sendRouteTest: async () => {},
    },
    play: async (world) => {
      const order = await toCarrier(world);
      await order.untilStatus('action-required');
      await act(order, 'resolve', [{ target: 'carrier-processing' }]);
      await until(() => world.asked('sendRouteTest').length === 3);
      await order.handle.result();
      return order.sid;
    },
  },
  {
    name: 'order-registry-tells-by-itself',
    answers: { submitRegistration: async () => ({ state: 'pending' }) },
    env: { HOSTED_SMS_ORDERS__RETIREMENT: '1 second' },
    play: async (world) => {
      const order = await toCarrier(world);
      await until(() => world.asked('submitRegistration').length === 1);
      await order.handle.signal('registryDecided', { accepted: true, reason: null });
      await order.untilStatus('completed');
      await act(order, 'release');
      await order.handle.result();
      return order.sid;
    },
  },
  {
    name: 'order-taken-over-released-restored-retired',
    env: { HOSTED_SMS_ORDERS__RETIREMENT: '1 second' },
    play: async (world) => {
      const order = await world.placeOrder({ takeOver: true });
      await act(order, 'release');
      await act(order, 'restore', [{ reason: 'by mistake' }]);
      await act(order, 'release');
      await order.handle.result();
      return order.sid;
    },
  },
  {
    name: 'order-with-status-callbacks',
    answers: {
      prepareOrderCallback: async ({ orderSid, sequence }) => ({
        deliverySid: `DL${orderSid.slice(4)}${String(sequence).padStart(2, '0')}`,
        accountSid: `AC${'0'.repeat(32)}`,
        kind: 'order/status',
        endpointHost: 'customer.example',
        endpointKey: 'customer.example',
        sequence,
      }),
    },
    play: async (world) => {
      const order = await world.placeOrder({ statusCallbackUrl: 'https://customer.example/' });
      await order.failCall();
      return cancel(order);
    },
  },
];
