/** What happens to a document at the same time, on a real server: nothing is lost, nothing is left half done. */
import { NativeConnection } from '@temporalio/worker';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readConfig } from '../../config.ts';
import {
  attachDocumentUpdate,
  cancelDocumentUpdate,
  cancelOrderUpdate,
  declineDocumentUpdate,
  orderLeftSignal,
} from '../../workflows/messages.ts';
import type { FakeActivities } from '../support/fake-activities.ts';
import { changeDocument, signDocument, untilMailed, untilNoted } from '../support/fake-documents.ts';
import { inFakeWorld, type FakeOrder, type FakeWorld, type FakeWorldOptions } from '../support/fake-world.ts';
import { timesScheduled, updatesAccepted } from '../support/histories.ts';
import '../support/quiet-runtime.ts';
import { until } from '../support/until.ts';

let connection: NativeConnection;
let client: Client;
beforeAll(async () => {
  connection = await NativeConnection.connect({ address: inject('temporalAddress') });
  client = new Client({ connection });
});
afterAll(() => connection?.close());

const inWorld = (
  play: (world: FakeWorld) => Promise<void>,
  answers: FakeWorldOptions['answers'] = {},
): Promise<void> => inFakeWorld({ client, connection, settings: readConfig({}), answers }, play);

/** Activities wait at a closed gate. */
function gate(): { open: () => void; close: () => void; passed: () => Promise<void> } {
  let closed: Promise<void> = Promise.resolve();
  let open = (): void => {};
  return {
    open: () => open(),
    close: () => {
      closed = new Promise((resolve) => {
        open = resolve;
      });
    },
    passed: () => closed,
  };
}

const attach: FakeActivities['attachOrder'] = async ({ orderSid, documentSid }) => {
  const order = client.workflow.getHandle(orderSid);
  return { attached: (await order.executeUpdate(attachDocumentUpdate, { args: [{ documentSid }] })).ok };
};
const documentOf = async (order: FakeOrder): Promise<string | null> => (await order.facts()).documentSid;

describe.concurrent('an order that joins a document', () => {
  it('is given back when the document is canceled meanwhile', () => {
    const joined = gate();
    return inWorld(
      async (world) => {
        const [one, two] = [await world.placeOrder(), await world.placeOrder()];
        const document = await world.createDocument([one]);
        await untilMailed(world);
        await changeDocument(document, { status: 'opened', changes: {} });
        joined.close();
        const joining = changeDocument(document, { orderSids: [one.sid, two.sid], changes: {} });
        await until(() => world.asked('attachOrder').length === 2);
        await document.handle.executeUpdate(cancelDocumentUpdate);
        joined.open();
        expect(await joining).toEqual({ ok: false, code: 22107 });
        expect(await document.handle.result()).toBe('canceled');
        for (const order of [one, two]) await until(async () => (await documentOf(order)) === null);
      },
      {
        attachOrder: async (input) => {
          const answer = await attach(input);
          await joined.passed();
          return answer;
        },
      },
    );
  });

  it('by one of two changes at a time is neither lost nor kept without being listed', () =>
    inWorld(async (world) => {
      const [one, two, three] = [
        await world.placeOrder(),
        await world.placeOrder(),
        await world.placeOrder(),
      ];
      const document = await world.createDocument([one]);
      await untilMailed(world);
      await changeDocument(document, { status: 'opened', changes: {} });
      await Promise.all(
        [two, three].map(({ sid }) => changeDocument(document, { orderSids: [one.sid, sid], changes: {} })),
      );
      const listed = document.snapshot()?.orderSids ?? [];
      expect(listed).toHaveLength(2);
      for (const order of [one, two, three]) {
        const expected = listed.includes(order.sid) ? document.sid : null;
        await until(async () => (await documentOf(order)) === expected, { what: `order ${order.sid}` });
      }
    }));

  it('named twice is attached and listed once', () =>
    inWorld(async (world) => {
      const [one, two] = [await world.placeOrder(), await world.placeOrder()];
      const document = await world.createDocument([one]);
      await untilMailed(world);
      const orderSids = [one.sid, two.sid, two.sid];
      await changeDocument(document, { status: 'opened', orderSids, changes: {} });
      expect(document.snapshot()?.orderSids).toEqual([one.sid, two.sid]);
      expect(world.asked('attachOrder')).toHaveLength(2);
    }));
});

/** EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED of Temporal's API. */
const isSignal = ({ eventType }: { readonly eventType?: unknown }): boolean => eventType === 26;

describe.concurrent('a document that is refused', () => {
  it('never gets a row, though an order leaves it while it is created', () => {
    const joined: string[] = [];
    return inWorld(
      async (world) => {
        const [one, two] = [await world.placeOrder(), await world.placeOrder()];
        const document = await world.createDocument([one, two]);
        expect(await document.handle.result()).toBe('refused');
        expect(world.asked('recordDocument')).toEqual([]);
        expect((await document.handle.fetchHistory()).events?.some(isSignal)).toBe(true);
      },
      {
        attachOrder: async (input) => {
          const [first] = joined;
          joined.push(input.orderSid);
          if (first === undefined) return attach(input);
          // The order that joined first is canceled while the second one is being refused.
          await client.workflow.getHandle(input.documentSid).signal(orderLeftSignal, { orderSid: first });
          return { attached: false };
        },
      },
    );
  });
});

describe.concurrent('a letter', () => {
  it('is prepared when the change that it was sent with is recorded, not before', () => {
    const recorded = gate();
    const events: string[] = [];
    return inWorld(
      async (world) => {
        const document = await world.createDocument([await world.placeOrder()]);
        await untilMailed(world);
        await changeDocument(document, { status: 'opened', changes: {} });
        recorded.close();
        const sent = changeDocument(document, { status: 'signing', changes: { email: 'new@example.com' } });
        await until(() => world.asked('recordDocument').at(-1)?.email === 'new@example.com');
        // Once the workflow has dealt with another update, it has gone as far as it can without the record.
        const { handle } = document;
        const before = await updatesAccepted(handle);
        const early = signDocument(document, 2);
        await until(async () => (await updatesAccepted(handle)) > before);
        const begun = await timesScheduled(handle, 'prepareLetter');
        recorded.open();
        await sent;
        expect(await early).toEqual({ ok: false, code: 22107 });
        expect(begun).toBe(1);
        await untilMailed(world, 2);
        expect(events.slice(-3, -1)).toEqual(['recorded new@example.com', 'prepared 2']);
      },
      {
        recordDocument: async ({ email }) => {
          await recorded.passed();
          events.push(`recorded ${email}`);
        },
        prepareLetter: async ({ mailing }) => {
          events.push(`prepared ${mailing}`);
          return { sha256: '', byteLength: 1 };
        },
      },
    );
  });

  it('is not signed before its bytes are kept (22107)', () => {
    const kept = gate();
    kept.close();
    return inWorld(
      async (world) => {
        const document = await world.createDocument([await world.placeOrder()]);
        await until(() => world.asked('prepareLetter').length === 1);
        const before = await updatesAccepted(document.handle);
        const early = signDocument(document);
        await until(async () => (await updatesAccepted(document.handle)) > before);
        kept.open();
        expect(await early).toEqual({ ok: false, code: 22107 });
        await untilMailed(world);
        expect(await signDocument(document)).toMatchObject({ ok: true });
      },
      {
        prepareLetter: async () => {
          await kept.passed();
          return { sha256: '', byteLength: 1 };
        },
      },
    );
  });

  it('goes on naming an order that left after it was mailed, until it is made anew', () =>
    inWorld(async (world) => {
      const [one, two] = [await world.placeOrder(), await world.placeOrder()];
      const document = await world.createDocument([one, two]);
      await untilMailed(world);
      await one.handle.executeUpdate(cancelOrderUpdate);
      await untilNoted(world, `order ${one.sid} left the document`);
      expect(document.snapshot()?.orderSids).toEqual([one.sid, two.sid]);
      await changeDocument(document, { status: 'opened', changes: {} });
      await changeDocument(document, { status: 'signing', changes: {} });
      expect(document.snapshot()?.orderSids).toEqual([two.sid]);
    }));
});

describe.concurrent('a signature that is being sealed', () => {
  it('is sealed, whatever is asked meanwhile: the document answers as a signed one', () => {
    const sealed = gate();
    sealed.close();
    return inWorld(
      async (world) => {
        const order = await world.placeOrder();
        const document = await world.createDocument([order]);
        await untilMailed(world);
        const signing = signDocument(document);
        await until(() => world.asked('sealDocument').length === 1);
        const { handle } = document;
        expect(await handle.executeUpdate(cancelDocumentUpdate)).toEqual({ ok: false, code: 20409 });
        const declined = await handle.executeUpdate(declineDocumentUpdate, {
          args: [{ mailing: 1, reason: '' }],
        });
        expect(declined).toEqual({ ok: false, code: 22107 });
        expect(await changeDocument(document, { status: 'opened', changes: {} })).toEqual(declined);
        await order.handle.executeUpdate(cancelOrderUpdate);
        await handle.cancel();
        await untilNoted(world, 'asked Temporal to cancel the workflow, which changes nothing');
        sealed.open();
        expect(await signing).toEqual({ ok: true, value: null });
        expect(await handle.result()).toBe('signed');
      },
      {
        sealDocument: async () => {
          await sealed.passed();
          return { sha256: '' };
        },
      },
    );
  });
});
