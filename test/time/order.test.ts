/** The clocks of an order, with the real constants (service.md §3.1, §3.3, §8; decisions 0003 and 0005). */
import { expect, it } from 'vitest';
import { releaseUpdate, type Answer } from '../../workflows/messages.ts';
import { atCarrier, completed, untilActionRequired } from '../support/fake-orders.ts';
import { describeInSkippedTime, worldsOf } from '../support/time-skipping.ts';
import { until } from '../support/until.ts';

describeInSkippedTime('an order, as days go by', (env) => {
  const inWorld = worldsOf(env);

  it('that is idle in action-required for more than 7 days fails, and lets its number go', () =>
    inWorld(async (world) => {
      const order = await untilActionRequired(world);
      await env().sleep('167 hours');
      expect(await order.facts()).toMatchObject({ status: 'action-required', numberState: 'pending' });
      await env().sleep('2 hours');
      expect(await order.handle.result()).toBe('failed');
      expect(order.snapshot()).toMatchObject({
        status: 'failed',
        numberState: 'removed',
        holdsNumber: false,
      });
      expect(order.snapshot()?.failureReason).toMatch(
        /^Nobody resolved it in time: Ownership was not verified/,
      );
    }));

  it('that an administrator resolves on the seventh day goes on, and has 7 full days the next time', () =>
    inWorld(async (world) => {
      const order = await untilActionRequired(world);
      await env().sleep('167 hours');
      const answer = await order.handle.executeUpdate<Answer, [object]>('resetVerification', {
        args: [{ reason: 'the owner was away' }],
      });
      expect(answer.ok).toBe(true);
      await env().sleep('30 days');
      expect(await order.facts()).toMatchObject({ status: 'received', verificationAttempts: 0 });
      for (let call = 1; call <= 3; call++) await order.failCall();
      await order.untilStatus('action-required');
      await env().sleep('167 hours');
      expect((await order.facts()).status).toBe('action-required');
      await env().sleep('2 hours');
      expect(await order.handle.result()).toBe('failed');
    }));

  it('that is received waits for its customer without an end', () =>
    inWorld(async (world) => {
      const order = await world.placeOrder();
      await env().sleep('365 days');
      expect((await order.facts()).status).toBe('received');
      expect(await order.startVerification()).toMatchObject({ ok: true });
    }));

  it('whose letter is signed asks for another when ownership is not verified in 30 days', () =>
    inWorld(async (world) => {
      const order = await world.placeOrder();
      const documentSid = `PX${order.sid.slice(2)}`;
      await order.handle.executeUpdate('attachDocument', { args: [{ documentSid }] });
      await order.handle.signal('documentSigned', { documentSid });
      await until(() => order.snapshot()?.documentSigned);
      await env().sleep('29 days');
      expect(await order.facts()).toMatchObject({ status: 'pending-loa', documentSigned: true });
      await env().sleep('2 days');
      expect(await order.facts()).toMatchObject({ status: 'received', documentSid: null });
      expect(order.snapshot()).toMatchObject({ signingDocumentSid: null, documentSigned: false });
      expect(world.asked('submitRegistration')).toHaveLength(0);
    }));

  it('whose number was released is retired after 3 days, not before, and its registration is removed once', () =>
    inWorld(async (world) => {
      const order = await completed(world);
      await order.handle.executeUpdate(releaseUpdate);
      await env().sleep('71 hours');
      expect((await order.facts()).numberState).toBe('retiring');
      expect(world.asked('removeRegistration')).toHaveLength(0);
      await env().sleep('2 hours');
      expect(await order.handle.result()).toBe('retired');
      expect(world.asked('removeRegistration')).toHaveLength(1);
      expect(order.snapshot()).toMatchObject({
        status: 'completed',
        numberState: 'retired',
        holdsNumber: false,
      });
    }));

  it('whose number is restored on the third day stays in service, and a later release takes 3 days again', () =>
    inWorld(async (world) => {
      const order = await completed(world);
      await order.handle.executeUpdate(releaseUpdate);
      await env().sleep('71 hours');
      const restored = await order.handle.executeUpdate<Answer, [object]>('restore', {
        args: [{ reason: 'by mistake' }],
      });
      expect(restored.ok).toBe(true);
      await env().sleep('100 days');
      expect((await order.facts()).numberState).toBe('in-use');
      expect(world.asked('removeRegistration')).toHaveLength(0);
      await order.handle.executeUpdate(releaseUpdate);
      await env().sleep('71 hours');
      expect((await order.facts()).numberState).toBe('retiring');
      await env().sleep('2 hours');
      expect(await order.handle.result()).toBe('retired');
    }));

  it('is tested in 3 rounds of a minute before an administrator is asked', () =>
    inWorld(
      async (world) => {
        const order = await atCarrier(world);
        await until(() => world.asked('sendRouteTest').length === 1);
        await env().sleep('1 minute');
        await until(() => world.asked('sendRouteTest').length === 2);
        await env().sleep('3 minutes');
        await order.untilStatus('action-required');
        expect(world.asked('sendRouteTest').map(({ round }) => round)).toEqual([1, 2, 3]);
        expect(order.snapshot()?.failureReason).toBe('No test message came back in 3 rounds');
      },
      { sendRouteTest: async () => {} },
    ));

  it('looks a call up after 10 minutes without word of it', () =>
    inWorld(
      async (world) => {
        const order = await world.placeOrder();
        await order.startVerification();
        await env().sleep('9 minutes');
        expect(world.asked('fetchVerificationCall')).toHaveLength(0);
        await env().sleep('2 minutes');
        await until(async () => !(await order.facts()).callLive);
        expect(world.asked('closeVerificationAttempt')).toMatchObject([{ outcome: 'busy' }]);
      },
      { fetchVerificationCall: async () => ({ status: 'busy' }) },
    ));

  it('places a call after its delay, not before', () =>
    inWorld(async (world) => {
      const order = await world.placeOrder();
      await order.handle.executeUpdate('updateOrder', {
        args: [{ changes: { callDelay: 60 }, startVerification: true }],
      });
      await env().sleep('50 seconds');
      expect(world.asked('placeVerificationCall')).toHaveLength(0);
      await env().sleep('20 seconds');
      await until(() => world.asked('placeVerificationCall').length === 1);
    }));
});
