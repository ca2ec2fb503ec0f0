/** News that reaches an order late, or while it is at something else. On a real server, in a world of remembered calls. */
import { describe, expect, it } from 'vitest';
import { releaseUpdate, type Answer } from '../../workflows/messages.ts';
import { atCarrier, changeOrder, completed, joinDocument } from '../support/fake-orders.ts';
import { gate } from '../support/gate.ts';
import { realWorlds } from '../support/real-worlds.ts';
import { until } from '../support/until.ts';

const inWorld = realWorlds();

describe('the registration of an order', () => {
  it('holds its number until it is gone, whatever is recorded meanwhile, and the number cannot be restored', () => {
    const { passed, open } = gate();
    return inWorld(
      async (world) => {
        const order = await completed(world);
        await order.handle.executeUpdate(releaseUpdate);
        await until(() => world.asked('removeRegistration').length === 1);
        const restored = await order.handle.executeUpdate<Answer, [object]>('restore', { args: [{}] });
        const then = order.snapshot();
        await changeOrder(order, { friendlyName: 'Desk' });
        const meanwhile = order.snapshot();
        open();
        expect(restored).toEqual({ ok: false, code: 20409 });
        expect(then).toMatchObject({ holdsNumber: true });
        expect(meanwhile).toMatchObject({ numberState: 'retired', holdsNumber: true, friendlyName: 'Desk' });
        expect(await order.handle.result()).toBe('retired');
        expect(order.snapshot()).toMatchObject({ numberState: 'retired', holdsNumber: false });
      },
      {
        env: { HOSTED_SMS_ORDERS__RETIREMENT: '1 second' },
        answers: { removeRegistration: () => passed },
      },
    );
  });

  it('is removed when the order fails after it was submitted', () =>
    inWorld(
      async (world) => {
        const order = await atCarrier(world);
        expect(await order.handle.result()).toBe('failed');
        expect(world.asked('removeRegistration')).toMatchObject([{ orderSid: order.sid }]);
      },
      {
        env: { HOSTED_SMS_ORDERS__ACTION_REQUIRED: '1 second' },
        answers: { submitRegistration: async () => ({ state: 'rejected', reason: 'name mismatch' }) },
      },
    ));

  it('that is submitted again waits for a decision of its own', () =>
    inWorld(
      async (world) => {
        const order = await atCarrier(world);
        await until(() => world.asked('submitRegistration').length === 1);
        await order.handle.signal('registryDecided', { accepted: false, reason: 'name mismatch' });
        await order.untilStatus('action-required');
        await order.handle.executeUpdate('resolve', { args: [{ target: 'carrier-processing' }] });
        await until(() => world.asked('submitRegistration').length === 2);
        await order.handle.signal('registryDecided', { accepted: true });
        await order.untilStatus('completed');
      },
      {
        answers: {
          submitRegistration: async () => ({ state: 'pending' }),
          fetchRegistration: async () => ({ state: 'pending' }),
        },
      },
    ));

  it('that the registry does not answer, being down, is decided by whom an administrator asked', () =>
    inWorld(
      async (world) => {
        const order = await atCarrier(world);
        await until(() => world.asked('submitRegistration').length > 0);
        await order.handle.signal('registryDecided', { accepted: false, reason: 'name mismatch' });
        await order.untilStatus('action-required');
        expect(order.snapshot()?.failureReason).toBe('name mismatch');
      },
      { answers: { submitRegistration: () => Promise.reject(new Error('the registry is down')) } },
    ));

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a word for the truth', { accepted: 'false' }],
    ['the truth alone', true],
  ])('that is told %s as its decision waits on, and hears the next', (_, given) =>
    inWorld(
      async (world) => {
        const order = await atCarrier(world);
        await until(() => world.asked('submitRegistration').length === 1);
        await order.handle.signal('registryDecided', given);
        expect((await order.facts()).status).toBe('carrier-processing');
        await order.handle.signal('registryDecided', { accepted: true });
        await order.untilStatus('completed');
      },
      { answers: { submitRegistration: async () => ({ state: 'pending' }) } },
    ));
});

describe('a number that is released and restored at the same moment', () => {
  it('is either in service, or released since then', () =>
    inWorld(async (world) => {
      const order = await completed(world);
      for (let round = 0; round < 6; round++) {
        await Promise.all([
          order.handle.executeUpdate(releaseUpdate),
          order.handle.executeUpdate('restore', { args: [{}] }),
        ]);
        const { numberState, releasedAt } = order.snapshot() ?? {};
        expect([numberState, releasedAt !== null]).toEqual(
          numberState === 'in-use' ? ['in-use', false] : ['retiring', true],
        );
      }
    }));
});

describe('an order', () => {
  it('hears of the document it is on, and no more of one it has left', () =>
    inWorld(async (world) => {
      const order = await world.placeOrder();
      const [left, present] = [`PX${'1'.repeat(32)}`, `PX${'2'.repeat(32)}`];
      await joinDocument(order, left);
      await order.handle.signal('documentWithdrawn', { documentSid: left, reason: 'canceled' });
      await until(() => order.snapshot()?.signingDocumentSid === null);
      await joinDocument(order, present);
      await order.handle.signal('documentWithdrawn', { documentSid: left, reason: 'late' });
      await order.handle.signal('documentSigned', { documentSid: left });
      expect(await order.facts()).toMatchObject({
        status: 'pending-loa',
        documentSid: present,
        documentSigned: false,
      });
    }));

  it('loses no call to late word of the one before it', () =>
    inWorld(async (world) => {
      const order = await world.placeOrder();
      await order.failCall();
      const [first] = order.snapshot()?.verificationCallSids ?? [];
      await order.startVerification();
      const callSid = await until(() => order.snapshot()?.verificationCallSids[1]);
      await order.handle.signal('callProgress', { callSid: first, status: 'completed' });
      // When this is recorded the word has been heard.
      await changeOrder(order, { friendlyName: 'Desk' });
      const entered = await order.handle.executeUpdate('enterToken', {
        args: [{ callSid, prompt: 1, correct: true }],
      });
      expect(entered).toMatchObject({ ok: true });
      expect(await order.facts()).toMatchObject({ ownershipVerified: true });
    }));
});
