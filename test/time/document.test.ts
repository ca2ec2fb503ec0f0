/** The clocks of an authorization document, with the real constants (domain.md §5.4, §6.2 row 19). */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { signDocumentUpdate, updateDocumentUpdate } from '../../workflows/messages.ts';
import type { FakeWorld } from '../support/fake-world.ts';
import { untilMailed } from '../support/fake-documents.ts';
import { signature } from '../support/signature.ts';
import { describeInSkippedTime, worldsOf } from '../support/time-skipping.ts';
import { until } from '../support/until.ts';

const kindsMailed = (world: FakeWorld): string[] =>
  world.asked('mailLetter').map(({ kind, number }) => `${kind} ${number}`);

/** A server for each: an order that a test leaves in the middle of something can keep a server's clock from jumping. */
function clock(name: string, play: (env: () => TestWorkflowEnvironment) => Promise<void>): void {
  describeInSkippedTime('an authorization document, as days go by', (env) => {
    it(name, () => play(env));
  });
}

clock('reminds its signer after 3, 10 and 25 days, expires after 30, and sets its order back', (env) =>
  worldsOf(env)(async (world) => {
    const order = await world.placeOrder();
    const document = await world.createDocument([order]);
    await untilMailed(world);
    expect((await order.facts()).status).toBe('pending-loa');

    const mails = ['invitation 0'];
    for (const [pause, mail] of [
      ['3 days', 'reminder 1'],
      ['7 days', 'reminder 2'],
      ['15 days', 'reminder 3'],
    ] as const) {
      await env().sleep(`${Number.parseInt(pause, 10) * 24 - 1} hours`);
      expect(kindsMailed(world)).toEqual(mails);
      await env().sleep('1 hour');
      mails.push(mail);
      await until(() => kindsMailed(world).length === mails.length, { what: mail });
    }
    expect(kindsMailed(world)).toEqual(mails);

    await env().sleep('119 hours');
    expect(document.snapshot()?.status).toBe('signing');
    await env().sleep('2 hours');
    expect(await document.handle.result()).toBe('failed');
    expect(await order.untilStatus('received')).toMatchObject({ documentSid: null });
    expect(kindsMailed(world)).toEqual(mails);
  }),
);

clock('can be signed on the thirtieth day', (env) =>
  worldsOf(env)(async (world) => {
    const order = await world.placeOrder();
    const document = await world.createDocument([order]);
    await untilMailed(world);
    await env().sleep('719 hours');
    const answer = await document.handle.executeUpdate(signDocumentUpdate, {
      args: [{ mailing: 1, signature }],
    });
    expect(answer.ok).toBe(true);
    // Not by its result: while that is awaited the clock runs on, and an unverified order drops a letter of 30 days.
    await until(async () => (await document.handle.describe()).status.name === 'COMPLETED');
    expect(document.snapshot()?.status).toBe('signed');
    await until(async () => (await order.facts()).documentSigned);
    expect(world.asked('sealDocument')).toHaveLength(1);
    expect(world.asked('mailCopies')).toHaveLength(1);
  }),
);

clock(
  'that was taken back and sent again has a new link, new reminders and 30 new days; the old link is void',
  (env) =>
    worldsOf(env)(async (world) => {
      const document = await world.createDocument([await world.placeOrder()]);
      await untilMailed(world);
      await env().sleep('20 days');
      for (const status of ['opened', 'signing'] as const) {
        const answer = await document.handle.executeUpdate(updateDocumentUpdate, {
          args: [{ status, changes: {} }],
        });
        expect(answer.ok, status).toBe(true);
      }
      await untilMailed(world, 2);
      const old = await document.handle.executeUpdate(signDocumentUpdate, {
        args: [{ mailing: 1, signature }],
      });
      expect(old).toEqual({ ok: false, code: 22107 });
      await env().sleep('719 hours');
      const answer = await document.handle.executeUpdate(signDocumentUpdate, {
        args: [{ mailing: 2, signature }],
      });
      expect(answer.ok).toBe(true);
      expect(await document.handle.result()).toBe('signed');
    }),
);

clock('that is left open for 30 days fails', (env) =>
  worldsOf(env)(async (world) => {
    const order = await world.placeOrder();
    const document = await world.createDocument([order]);
    await untilMailed(world);
    await document.handle.executeUpdate(updateDocumentUpdate, {
      args: [{ status: 'opened', changes: {} }],
    });
    await env().sleep('719 hours');
    expect(document.snapshot()?.status).toBe('opened');
    await env().sleep('2 hours');
    expect(await document.handle.result()).toBe('failed');
    await order.untilStatus('received');
  }),
);
