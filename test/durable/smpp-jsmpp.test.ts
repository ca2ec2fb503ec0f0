import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findSimulator, type Simulator, simulatorCredentials, startSimulator } from '../support/jsmpp.ts';
import { connectGateway, type ListeningGateway, textToSend } from '../support/smpp.ts';
import { until } from '../support/until.ts';

const jars = await findSimulator();
const title = 'SMPP against jsmpp, an SMSC by other hands (issue 4, carrier gateway)';

describe.skipIf(jars === null)(jars === null ? `NOT TESTED, no Java or Maven: ${title}` : title, () => {
  let simulator: Simulator;
  let gateway: ListeningGateway | undefined;
  beforeAll(async () => {
    simulator = await startSimulator(jars ?? '');
  });
  afterAll(() => simulator.stop());
  afterEach(async () => {
    await gateway?.close();
    gateway = undefined;
  });

  const connect = (options: Parameters<typeof connectGateway>[1] = {}): ListeningGateway =>
    (gateway = connectGateway(simulator.url, { ...simulatorCredentials, ...options }));

  /** Receipts name a message by the id of its submission, in one notation or the other. */
  const reported = (carrierId: string): boolean =>
    gateway?.receipts.some(
      (receipt) => receipt.carrierId === carrierId || receipt.otherIds?.includes(carrierId),
    ) ?? false;

  it('binds, and takes the text that the simulator greets with', async () => {
    const { texts } = connect();
    await until(() => texts.length === 1);
    expect(texts).toMatchObject([{ from: '555', to: '12345', body: 'Hello World' }]);
  });

  it('submits, and matches the decimal id of the receipt with the hexadecimal id of the answer', async () => {
    const submission = await connect().submit(textToSend({ body: 'hello jsmpp' }));
    const carrierId = submission.kind === 'accepted' ? submission.carrierId : '';
    expect(carrierId).toMatch(/^[0-9a-f]+$/);
    await until(() => reported(carrierId));
    expect(gateway?.receipts).toMatchObject([{ state: 'delivered', errorCode: null }]);
    expect(simulator.log()).toContain('hello jsmpp');
  });

  it('submits a long text in parts and gets one receipt for it', async () => {
    const submission = await connect().submit(textToSend({ body: '😀 long '.repeat(40) }));
    const carrierId = submission.kind === 'accepted' ? submission.carrierId : '';
    await until(() => reported(carrierId));
    expect(gateway?.receipts).toHaveLength(1);
  });

  it('submits a long text whole, with validity', async () => {
    const text = textToSend({ body: 'whole '.repeat(100), validityPeriodSeconds: 3600 });
    await expect(connect({ longTexts: 'payload' }).submit(text)).resolves.toMatchObject({ kind: 'accepted' });
  });

  it('keeps a full window going, and every text is reported', async () => {
    const sender = connect({ window: 20 });
    const submissions = await Promise.all(Array.from({ length: 200 }, () => sender.submit(textToSend())));
    const ids = submissions.map((submission) => (submission.kind === 'accepted' ? submission.carrierId : ''));
    expect(new Set(ids).size).toBe(200);
    await until(() => ids.every(reported), { timeoutMs: 30_000 });
  });

  it('is turned down with a wrong password', async () => {
    const sender = connect({ password: 'wrong', responseTimeoutMs: 1000 });
    await expect(sender.submit(textToSend())).rejects.toThrow('not connected');
  });

  it('asks after the link again and again, and the link stays', async () => {
    const binds = (): number => simulator.log().split('Accepting bind').length;
    const before = binds();
    // One answer that fails to come within 300 ms would end the connection; the receipt takes a second.
    const sender = connect({ enquireLinkMs: 20, responseTimeoutMs: 300 });
    await sender.submit(textToSend());
    await until(() => sender.receipts.length === 1);
    await expect(sender.submit(textToSend())).resolves.toMatchObject({ kind: 'accepted' });
    expect(binds()).toBe(before + 1);
  });

  it('binds again when the simulator was killed and came back', async () => {
    const sender = connect();
    await sender.submit(textToSend());
    await simulator.stop();
    simulator = await startSimulator(jars ?? '', Number(new URL(simulator.url).port));
    await until(async () => (await sender.submit(textToSend())).kind === 'accepted', { timeoutMs: 60_000 });
  });
});
