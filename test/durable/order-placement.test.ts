/**
 * The first activity of an order, on a real database: all or nothing, once only (domain.md §6.2 rows 1, 2, 3 and 5).
 * And what the registry is asked once the order is ready.
 */
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createOrderActivities } from '../../activities/orders.ts';
import type { RegistryGateway } from '../../gateways/registry.ts';
import { newSid } from '../../security/derived-sid.ts';
import { openOrderRecords, type OrderRecords } from '../support/order-records.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';

let records: OrderRecords;

beforeAll(async () => {
  records = await openOrderRecords();
});
afterAll(() => records.close());
beforeEach(() => {
  records.registry = { kind: 'eligible', holder: null };
});

describe('placing an order (rows 1, 2, 3 and 5)', () => {
  it('stores order, number and timeline when the registry says yes', async () => {
    const given = records.request({ friendlyName: 'Main line' });
    await expect(records.place(given)).resolves.toEqual({ kind: 'placed', eligibility: records.registry });
    expect(await records.orderOf(given.sid)).toMatchObject({
      status: 'received',
      revision: 1,
      holdsNumber: true,
      verificationAttempts: 0,
    });
    expect(await records.numberOf(given.sid)).toMatchObject({
      sid: given.incomingPhoneNumberSid,
      state: 'pending',
      friendlyName: 'Main line',
      statusCallback: 'https://customer.example/status',
    });
    expect((await records.timelineOf(given.sid)).map(({ sequence, actor }) => [sequence, actor])).toEqual([
      [1, 'customer'],
      [2, 'registry'],
    ]);
  });

  it('goes on as twilio-processing when the registry is slow', async () => {
    records.registry = null;
    const given = records.request();
    await expect(records.place(given)).resolves.toEqual({ kind: 'placed', eligibility: { kind: 'pending' } });
    expect(await records.orderOf(given.sid)).toMatchObject({
      status: 'twilio-processing',
      holdsNumber: true,
    });
  });

  it('keeps an ineligible order as failed with its reason, and sets the number free', async () => {
    records.registry = { kind: 'ineligible', reason: 'It is a mobile number', holder: 'Someone' };
    const given = records.request();
    await expect(records.place(given)).resolves.toMatchObject({
      kind: 'placed',
      eligibility: { kind: 'ineligible' },
    });
    expect(await records.orderOf(given.sid)).toMatchObject({
      status: 'failed',
      failureReason: 'It is a mobile number',
      holdsNumber: false,
    });
    expect(await records.numberOf(given.sid)).toMatchObject({ state: 'removed' });

    records.registry = { kind: 'eligible', holder: null };
    await expect(records.place(records.request({ phoneNumber: given.phoneNumber }))).resolves.toMatchObject({
      kind: 'placed',
    });
  });

  it.each([
    ['eligible', { kind: 'eligible', holder: null }],
    ['ineligible, as one of our own is', { kind: 'ineligible', reason: 'enabled', holder: 'us' }],
  ] as const)('refuses a number that is live here and leaves nothing behind (registry: %s)', async (_, answer) => {
    const first = records.request();
    await records.place(first);
    records.registry = answer;
    const second = records.request({ phoneNumber: first.phoneNumber });
    await expect(records.place(second)).resolves.toEqual({ kind: 'refused', code: 22110 });
    expect(await records.orderOf(second.sid)).toBeUndefined();
    expect(await records.numberOf(second.sid)).toBeUndefined();
    expect(await records.timelineOf(second.sid)).toEqual([]);
  });

  it('refuses a unique name that another order of the account has, and leaves nothing behind', async () => {
    await records.place(records.request({ uniqueName: 'reception' }));
    const second = records.request({ uniqueName: 'reception' });
    await expect(records.place(second)).resolves.toEqual({ kind: 'refused', code: 22115 });
    expect(await records.numberOf(second.sid)).toBeUndefined();
    const elsewhere = records.request({ uniqueName: 'reception', accountSid: newSid('account') });
    await expect(records.place(elsewhere)).resolves.toMatchObject({ kind: 'placed' });
  });

  it('answers a repetition as the first time, whatever the registry says by then', async () => {
    const given = records.request();
    const first = await records.place(given);
    records.registry = { kind: 'ineligible', reason: 'changed its mind', holder: null };
    await expect(records.place(given)).resolves.toEqual(first);
    expect(await records.orderOf(given.sid)).toMatchObject({ status: 'received', failureReason: null });
    expect(await records.timelineOf(given.sid)).toHaveLength(2);
  });

  it('lets one of many simultaneous orders of a number through', async () => {
    const phoneNumber = newPhoneNumber();
    const placements = await Promise.all(
      Array.from({ length: 8 }, () => records.place(records.request({ phoneNumber }))),
    );
    expect(placements.filter(({ kind }) => kind === 'placed')).toHaveLength(1);
  });

  it('takes over a hosted number without a question to the registry', async () => {
    const before = records.asked();
    const given = records.request();
    await expect(records.place(given, true)).resolves.toMatchObject({ kind: 'placed' });
    expect(records.asked() - before).toBe(0);
    expect(await records.orderOf(given.sid)).toMatchObject({
      status: 'completed',
      ownershipVerified: true,
      documentSigned: true,
    });
    expect(await records.numberOf(given.sid)).toMatchObject({ state: 'in-use' });
  });
});

describe('submitting an order to the registry', () => {
  it('has a key for each submission: a repeated one asks once, one after a refusal asks anew', async () => {
    const keys: string[] = [];
    const registry: Pick<RegistryGateway, 'register'> = {
      register: async ({ key }) => {
        keys.push(key);
        return { state: 'pending' };
      },
    };
    // Only what the activity uses; anything else would throw.
    const deps = { gateways: { registry } } as unknown as ActivityDeps;
    const activities = createOrderActivities(deps);
    const order = { orderSid: newSid('hostedNumberOrder'), phoneNumber: newPhoneNumber(), documentSid: null };
    for (const submission of [1, 1, 2])
      await new MockActivityEnvironment().run(() => activities.submitRegistration({ ...order, submission }));
    expect(keys).toEqual([1, 1, 2].map((submission) => `${order.orderSid}/${submission}`));
  });
});
