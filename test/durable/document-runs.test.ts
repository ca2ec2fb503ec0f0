/** How a document's run ends and goes on, on a real server: what Temporal asks of it leaves no letter behind. */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { changeDocument, notesOf, signDocument, untilMailed, untilNoted } from '../support/fake-documents.ts';
import { inFakeWorld } from '../support/fake-world.ts';
import { gate } from '../support/gate.ts';
import { realWorlds } from '../support/real-worlds.ts';
import { startTestTemporal } from '../support/temporal-server.ts';
import { until } from '../support/until.ts';

const inWorld = realWorlds();

describe.concurrent('`temporal workflow cancel`', () => {
  it('cancels a document in signing as its customer would: orders go back, the run completes', () =>
    inWorld(async (world) => {
      const order = await world.placeOrder();
      const document = await world.createDocument([order]);
      await untilMailed(world);
      await document.handle.cancel();
      expect(await document.handle.result()).toBe('canceled');
      expect((await document.handle.describe()).status.name).toBe('COMPLETED');
      expect(document.snapshot()?.status).toBe('canceled');
      await order.untilStatus('received');
    }));

  it('cancels an opened document', () =>
    inWorld(async (world) => {
      const document = await world.createDocument([await world.placeOrder()]);
      await untilMailed(world);
      await changeDocument(document, { status: 'opened', changes: {} });
      await document.handle.cancel();
      expect(await document.handle.result()).toBe('canceled');
    }));

  it('of a document that is mailing its copies is noted, and the copies go out', () => {
    const { passed, open } = gate();
    return inWorld(
      async (world) => {
        const document = await world.createDocument([await world.placeOrder()]);
        await untilMailed(world);
        await signDocument(document);
        await until(() => world.asked('mailCopies').length === 1);
        await document.handle.cancel();
        await untilNoted(world, 'asked Temporal to cancel the workflow, which changes nothing');
        open();
        expect(await document.handle.result()).toBe('signed');
        expect(document.snapshot()?.status).toBe('signed');
      },
      { answers: { mailCopies: () => passed.then(() => ({ accepted: true })) } },
    );
  });
});

describe('a document that is changed more often than one run may be', () => {
  it('goes on in another run, opened or out for signature, and mails and reminds as if it were one', async () => {
    const server = await startTestTemporal({ 'history.maxTotalUpdates': 20 });
    const settings = readConfig({ HOSTED_SMS_DOCUMENTS__REMINDERS: '[12 seconds]' });
    try {
      await inFakeWorld({ ...server, settings }, async (world) => {
        const order = await world.placeOrder();
        const document = await world.createDocument([order]);
        await untilMailed(world);
        const runs = new Set<string>();
        const noteRun = async (): Promise<unknown> => runs.add((await document.handle.describe()).runId);
        await noteRun();
        await changeDocument(document, { status: 'opened', changes: {} });
        for (let round = 1; round <= 25; round++)
          expect((await changeDocument(document, { changes: { contactTitle: `Title ${round}` } })).ok).toBe(
            true,
          );
        await noteRun();
        expect(runs.size).toBeGreaterThan(1);
        await changeDocument(document, { status: 'signing', changes: {} });
        await untilMailed(world, 2);
        for (let round = 1; round <= 25; round++)
          expect(await changeDocument(document, { changes: {} })).toEqual({ ok: false, code: 22107 });
        await noteRun();
        expect(runs.size).toBeGreaterThan(2);
        await untilNoted(world, 'reminded the signer (1)');
        expect(world.asked('mailLetter').map(({ mailing, kind }) => [mailing, kind])).toEqual([
          [1, 'invitation'],
          [2, 'invitation'],
          [2, 'reminder'],
        ]);
        expect(document.snapshot()).toMatchObject({
          status: 'signing',
          mailing: 2,
          contactTitle: 'Title 25',
        });
        expect((await signDocument(document, 2)).ok).toBe(true);
        expect(await document.handle.result()).toBe('signed');
        await until(async () => (await order.facts()).documentSigned);
        expect(notesOf(world).filter((what) => what === 'signed the letter')).toHaveLength(1);
      });
    } finally {
      await server.stop();
    }
  });
});
