/** What an order's workflow guarantees whatever comes at the same time. On a real server, in a world of remembered calls. */
import { describe, expect, it } from 'vitest';
import { newSid } from '../../security/derived-sid.ts';
import { releaseUpdate, updateOrderUpdate, type Answer } from '../../workflows/messages.ts';
import {
  act,
  atCarrier,
  changeOrder as change,
  completed,
  documentOf,
  joinDocument,
} from '../support/fake-orders.ts';
import { gate } from '../support/gate.ts';
import { updatesAccepted } from '../support/histories.ts';
import { realWorlds } from '../support/real-worlds.ts';
import { until } from '../support/until.ts';

const inWorld = realWorlds();

const eligibility = { kind: 'eligible', holder: null } as const;
const bill = { verificationType: 'phone-bill', verificationDocumentSid: `RI${'0'.repeat(32)}` } as const;

describe('`temporal workflow cancel` on an order', () => {
  it('cancels it while its customer could, recorded like the customer’s own request', () =>
    inWorld(async (world) => {
      const order = await world.placeOrder();
      await order.handle.cancel();
      expect(await order.handle.result()).toBe('canceled');
      expect(order.snapshot()).toMatchObject({ canceled: true, holdsNumber: false, numberState: 'removed' });
    }));

  it('hangs up the call that is on, and ends its attempt', () =>
    inWorld(async (world) => {
      const order = await world.placeOrder();
      await order.startVerification();
      await until(() => order.snapshot()?.verificationCallSids.length === 1);
      await order.handle.cancel();
      expect(await order.handle.result()).toBe('canceled');
      expect(world.asked('endVerificationCall')).toHaveLength(1);
      expect(world.asked('closeVerificationAttempt')).toMatchObject([{ outcome: 'canceled' }]);
    }));

  it('changes nothing about a number in service, which can still be released', () =>
    inWorld(
      async (world) => {
        const order = await completed(world);
        await order.handle.cancel();
        await until(() => order.snapshot()?.timeline.at(-1)?.what.includes('changes nothing'));
        expect(order.snapshot()).toMatchObject({ status: 'completed', numberState: 'in-use' });
        expect(await order.handle.executeUpdate(releaseUpdate)).toMatchObject({ ok: true });
        expect(await order.handle.result()).toBe('retired');
      },
      { env: { HOSTED_SMS_ORDERS__RETIREMENT: '1 second' } },
    ));

  it('does not break off what goes on with the registry', () => {
    const { passed, open } = gate();
    return inWorld(
      async (world) => {
        const order = await atCarrier(world);
        await until(() => world.asked('submitRegistration').length === 1);
        await order.handle.cancel();
        await until(() => order.snapshot()?.timeline.at(-1)?.what.includes('changes nothing'));
        open();
        await order.untilStatus('completed');
      },
      { answers: { submitRegistration: () => passed.then(() => ({ state: 'accepted' })) } },
    );
  });
});

describe('an administrator', () => {
  it('sends an order whose letter the registry refused back to verified: the letter is given up, a new one can be signed', () =>
    inWorld(
      async (world) => {
        const order = await atCarrier(world);
        await order.untilStatus('action-required');
        expect(await act(order, 'resolve', { target: 'verified' })).toMatchObject({ ok: true });
        expect(order.snapshot()).toMatchObject({
          status: 'verified',
          signingDocumentSid: null,
          documentSigned: false,
          failureReason: null,
        });
        const documentSid = `PX${'1'.repeat(32)}`;
        await joinDocument(order, documentSid);
        await order.handle.signal('documentSigned', { documentSid });
        await order.untilStatus('completed');
        expect(world.asked('submitRegistration')).toMatchObject([
          { documentSid: documentOf(order) },
          { documentSid, submission: 2 },
        ]);
      },
      {
        answers: {
          submitRegistration: async ({ submission }) =>
            submission === 1 ? { state: 'rejected', reason: 'name mismatch' } : { state: 'accepted' },
        },
      },
    ));

  it('who gives a letter up that nobody signed yet takes the order off its document', () =>
    inWorld(async (world) => {
      const order = await world.placeOrder();
      await change(order, bill, true);
      const document = await world.createDocument([order]);
      await act(order, 'reviewBill', { accepted: false });
      expect(await act(order, 'resolve', { target: 'received' })).toMatchObject({ ok: true });
      expect(await document.handle.result()).toBe('canceled');
      expect(await order.facts()).toMatchObject({ status: 'received', documentSid: null });
    }));

  it('who accepts a phone bill leaves no reason of failure behind', () =>
    inWorld(async (world) => {
      const order = await world.placeOrder();
      await change(order, bill, true);
      await act(order, 'reviewBill', { accepted: true, reason: 'name and number match' });
      expect(order.snapshot()).toMatchObject({ status: 'verified', failureReason: null });
    }));
});

describe('a customer', () => {
  it('hands a phone bill in after a call that failed, and beside the letter', () =>
    inWorld(async (world) => {
      const [one, two] = [await world.placeOrder(), await world.placeOrder()];
      await one.failCall();
      expect(await change(one, bill, true)).toMatchObject({ ok: true });
      expect(one.snapshot()).toMatchObject({ status: 'pending-verification', billUnderReview: true });
      await joinDocument(two);
      expect(await change(two, bill, true)).toMatchObject({ ok: true });
      expect(two.snapshot()).toMatchObject({ status: 'pending-loa', billUnderReview: true });
      expect(await change(two, bill, true)).toMatchObject({ ok: false });
    }));

  it('who asks twice at a time for a call gets the one that was accepted, with its own extension', () => {
    const { passed, open } = gate();
    return inWorld(
      async (world) => {
        const sid = newSid('hostedNumberOrder');
        const placing = world.placeOrder({ sid });
        await until(() => world.asked('placeOrder').length === 1);
        const handle = world.client.workflow.getHandle(sid);
        const asked = ['1', '2'].map(async (extension) => {
          const update = { changes: { extension }, startVerification: true };
          return { extension, answer: await handle.executeUpdate(updateOrderUpdate, { args: [update] }) };
        });
        // Both wait in the workflow, beside the order itself, and go on in the same moment.
        await until(async () => (await updatesAccepted(handle)) === 3, { timeoutMs: 60_000 });
        open();
        await placing;
        const answers = await Promise.all(asked);
        const [accepted, ...others] = answers.filter(({ answer }) => answer.ok);
        expect(others).toEqual([]);
        await until(() => world.asked('placeVerificationCall').length === 1);
        expect(world.asked('placeVerificationCall')).toMatchObject([{ extension: accepted?.extension }]);
      },
      {
        answers: { placeOrder: () => passed.then(() => ({ kind: 'placed', eligibility })) },
        // The task that places the order takes in what came meanwhile before it has used this up.
        env: { HOSTED_SMS_TEMPORAL__WORKFLOW_TASK_TIMEOUT: '2 seconds' },
      },
    );
  });

  it('may empty a field of the verification exactly when it may be changed', () =>
    inWorld(async (world) => {
      const order = await completed(world);
      expect(await change(order, { extension: '1' })).toEqual({ ok: false, code: 22112 });
      expect(await change(order, { extension: null })).toEqual({ ok: false, code: 22112 });
      expect(await change(order, { friendlyName: null })).toMatchObject({ ok: true });
    }));
});

describe('a verification call that is on', () => {
  it('stays the proof that the order names (22112)', () =>
    inWorld(async (world) => {
      const order = await world.placeOrder();
      await order.startVerification();
      expect(await change(order, { verificationType: 'phone-bill' })).toEqual({ ok: false, code: 22112 });
      expect(await change(order, { verificationType: 'phone-call' })).toMatchObject({ ok: true });
    }));
});

describe('a call that cannot be placed, the provider being down', () => {
  const down = () => Promise.reject(new Error('the provider is down'));
  const start = { changes: {}, startVerification: true };

  it('is not placed any more once the order is canceled, and does not keep the order open', () =>
    inWorld(
      async (world) => {
        const order = await world.placeOrder();
        const starting = order.handle.executeUpdate('updateOrder', { args: [start] });
        await until(() => world.asked('placeVerificationCall').length > 0);
        await order.handle.executeUpdate('cancelOrder');
        expect(await order.handle.result()).toBe('canceled');
        await starting;
        const asked = world.asked('placeVerificationCall').length;
        expect(world.asked('closeVerificationAttempt')).toMatchObject([{ outcome: 'canceled' }]);
        expect(world.asked('placeVerificationCall')).toHaveLength(asked);
      },
      { answers: { placeVerificationCall: down } },
    ));

  it('is given up when its time is over, and its attempt given back', () =>
    inWorld(
      async (world) => {
        const order = await world.placeOrder();
        const answer = await order.handle.executeUpdate<Answer, [object]>('updateOrder', { args: [start] });
        expect(answer).toEqual({ ok: false, code: 22123 });
        expect(await order.facts()).toMatchObject({ status: 'received', verificationAttempts: 0 });
      },
      { env: { HOSTED_SMS_ORDERS__CALL_DEADLINE: '3 seconds' }, answers: { placeVerificationCall: down } },
    ));
});

describe('a phone bill that is under review', () => {
  it('is neither taken away nor replaced, and anything else may change (22112)', () =>
    inWorld(async (world) => {
      const order = await world.placeOrder();
      expect(await change(order, bill, true)).toMatchObject({ ok: true });
      for (const other of [null, `RI${'1'.repeat(32)}`])
        expect(await change(order, { verificationDocumentSid: other })).toEqual({ ok: false, code: 22112 });
      expect(await change(order, { verificationType: 'phone-call' })).toEqual({ ok: false, code: 22112 });
      expect(await change(order, { friendlyName: 'Desk' })).toMatchObject({ ok: true });
      expect(await act(order, 'reviewBill', { accepted: true })).toMatchObject({ ok: true });
      expect(order.snapshot()).toMatchObject({
        status: 'verified',
        verificationType: 'phone-bill',
        verificationDocumentSid: bill.verificationDocumentSid,
      });
    }));

  it('is the only proof under way: no call begins beside it, with a letter or without (22112)', () =>
    inWorld(async (world) => {
      const order = await world.placeOrder();
      await change(order, bill, true);
      const call = { verificationType: 'phone-call' } as const;
      expect(await change(order, call, true)).toEqual({ ok: false, code: 22112 });
      await joinDocument(order);
      expect(await change(order, call, true)).toEqual({ ok: false, code: 22112 });
      expect(await act(order, 'reviewBill', { accepted: false })).toMatchObject({ ok: true });
      expect(await act(order, 'resetVerification')).toMatchObject({ ok: true });
      expect(await change(order, call, true)).toMatchObject({ ok: true });
      expect(world.asked('placeVerificationCall')).toHaveLength(1);
    }));
});

describe('ownership that is proved beside a letter', () => {
  it('is recorded, and no change of status that anybody is told of', () =>
    inWorld(async (world) => {
      const order = await world.placeOrder({ statusCallbackUrl: 'https://customer.example/' });
      await joinDocument(order);
      await order.startVerification();
      const callSid = await until(() => order.snapshot()?.verificationCallSids.at(-1));
      await act(order, 'enterToken', { callSid, prompt: 1, correct: true });
      expect(order.snapshot()).toMatchObject({ ownershipVerified: true, status: 'pending-loa' });
      await act(order, 'cancelOrder');
      const told = world.asked('prepareOrderCallback').map(({ status, sequence }) => [sequence, status]);
      expect(told).toEqual([
        [1, 'pending-loa'],
        [2, 'canceled'],
      ]);
    }));
});
