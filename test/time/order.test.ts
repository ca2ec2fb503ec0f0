/** The clocks of an order, with the real constants (service.md §3.1, §3.3, §8; decisions 0003 and 0005). */
import { ApplicationFailure } from '@temporalio/common';
import { expect, it } from 'vitest';
import { releaseUpdate, resolveUpdate, type Answer } from '../../workflows/messages.ts';
import { inFakeWorld, type FakeOrder, type FakeWorld, type FakeWorldOptions } from '../support/fake-world.ts';
import { deliveredConfig, describeInSkippedTime } from '../support/time-skipping.ts';
import { until } from '../support/until.ts';

describeInSkippedTime('an order, as days go by', (env) => {
  const inWorld = (play: (world: FakeWorld) => Promise<void>, answers: FakeWorldOptions['answers'] = {}) =>
    inFakeWorld(
      {
        client: env().client,
        connection: env().nativeConnection,
        settings: deliveredConfig,
        answers,
      },
      play,
    );

  async function untilActionRequired(world: FakeWorld): Promise<FakeOrder> {
    const order = await world.placeOrder();
    for (let call = 1; call <= 3; call++) await order.failCall();
    await order.untilStatus('action-required');
    return order;
  }

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

  it('waits 14 days for the registry, asking ever more rarely, and then for an administrator', () =>
    inWorld(
      async (world) => {
        const order = await atCarrier(world);
        await env().sleep('334 hours');
        expect((await order.facts()).status).toBe('carrier-processing');
        await env().sleep('4 hours');
        expect(await order.untilStatus('action-required')).toMatchObject({ ownershipVerified: true });
        // 30 s doubled up to an hour, then once an hour.
        expect(world.asked('fetchRegistration').length).toBeGreaterThan(330);
        expect(world.asked('fetchRegistration').length).toBeLessThan(350);
        expect(world.asked('submitRegistration')).toHaveLength(1);
        const sentOn = await order.handle.executeUpdate(resolveUpdate, {
          args: [{ target: 'carrier-processing' }],
        });
        expect(sentOn.ok).toBe(true);
        await until(() => world.asked('submitRegistration').length === 2);
        expect(world.asked('submitRegistration').map(({ submission }) => submission)).toEqual([1, 2]);
      },
      {
        submitRegistration: async () => ({ state: 'pending' }),
        fetchRegistration: async () => ({ state: 'pending' }),
      },
    ));

  it('fails when the registry cannot be asked for a day', () =>
    inWorld(
      async (world) => {
        const order = await world.placeOrder();
        expect((await order.facts()).status).toBe('twilio-processing');
        expect(await order.handle.result()).toBe('failed');
        expect(order.snapshot()?.failureReason).toMatch(/registry could not be asked/);
      },
      {
        placeOrder: async () => ({ kind: 'placed', eligibility: { kind: 'pending' } }),
        // An hour between attempts: a day of them at the policy's own pace takes the test server a while.
        checkEligibility: () =>
          Promise.reject(ApplicationFailure.create({ message: 'no connection', nextRetryDelay: '1 hour' })),
      },
    ));

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

  /** An order with ownership verified and its letter signed. */
  async function atCarrier(world: FakeWorld): Promise<FakeOrder> {
    const order = await world.placeOrder();
    await order.startVerification();
    const callSid = await until(() => order.snapshot()?.verificationCallSids.at(-1));
    await order.handle.executeUpdate('enterToken', { args: [{ callSid, prompt: 1, correct: true }] });
    await order.handle.signal('callProgress', { callSid, status: 'completed' });
    const documentSid = `PX${order.sid.slice(2)}`;
    await order.handle.executeUpdate('attachDocument', { args: [{ documentSid }] });
    await order.handle.signal('documentSigned', { documentSid });
    return order;
  }

  async function completed(world: FakeWorld): Promise<FakeOrder> {
    const order = await atCarrier(world);
    await order.untilStatus('completed');
    return order;
  }
});
