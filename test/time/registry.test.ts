/** The clocks of an order at the registry (service.md §3.1, decision 0003), with the real constants. */
import { ApplicationFailure } from '@temporalio/common';
import { expect, it } from 'vitest';
import { resolveUpdate } from '../../workflows/messages.ts';
import { atCarrier } from '../support/fake-orders.ts';
import { describeInSkippedTime, worldsOf } from '../support/time-skipping.ts';
import { until } from '../support/until.ts';

// Two servers: after the hundreds of activities of the first test, about every third run of the test server no longer
// jumps over the hours of the second.

describeInSkippedTime('an order the registry does not decide on', (env) => {
  const inWorld = worldsOf(env);

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
});

describeInSkippedTime('an order whose registry does not answer', (env) => {
  const inWorld = worldsOf(env);

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
});
