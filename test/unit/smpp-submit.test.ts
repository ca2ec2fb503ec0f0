import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Pdu, Session } from 'smpp';
import { describe, expect, it } from 'vitest';
import { opened } from '../support/opened.ts';
import { accept, connectGateway, type ScriptedSmsc, startScriptedSmsc, textToSend } from '../support/smpp.ts';
import { until } from '../support/until.ts';

/** For an answer that does not come. Long enough for the bind. */
const responseTimeoutMs = 2_000;

const submissionsTo = (smsc: ScriptedSmsc): Pdu[] =>
  smsc.received.filter(({ command }) => command === 'submit_sm');

describe('submitting over SMPP (issue 4, carrier gateway)', () => {
  it('binds as transceiver with its credentials and submits', async () => {
    const smsc = opened(await startScriptedSmsc());
    const gateway = opened(connectGateway(smsc.url));
    const submission = await gateway.submit(textToSend());
    expect(submission).toMatchObject({ kind: 'accepted', receiptFollows: true });
    const [bind, submit] = smsc.received;
    expect(bind).toMatchObject({ command: 'bind_transceiver', system_id: 'tester', password: 'secret' });
    expect(submit).toMatchObject({ source_addr: '14155550100', registered_delivery: 1 });
  });

  it('waits for a bind that comes late', async () => {
    const smsc = await startScriptedSmsc();
    await smsc.close();
    const gateway = opened(connectGateway(smsc.url));
    const submitted = gateway.submit(textToSend());
    const port = Number(new URL(smsc.url).port);
    const late = opened(await startScriptedSmsc(accept, port));
    await expect(submitted).resolves.toMatchObject({ kind: 'accepted' });
    expect(late.connectionCount()).toBe(1);
  });

  it('binds again after the connection was lost, and after the SMSC unbinds', async () => {
    const smsc = opened(await startScriptedSmsc());
    const gateway = opened(connectGateway(smsc.url));
    await gateway.submit(textToSend());
    (await smsc.session()).destroy();
    await until(() => smsc.connectionCount() === 2);
    await expect(gateway.submit(textToSend())).resolves.toMatchObject({ kind: 'accepted' });
    await smsc.request('unbind', {});
    await until(() => smsc.connectionCount() === 3);
    await expect(gateway.submit(textToSend())).resolves.toMatchObject({ kind: 'accepted' });
  });

  it('keeps trying, later and later, while the bind is refused', async () => {
    let refusals = 3;
    const smsc: ScriptedSmsc = opened(
      await startScriptedSmsc((pdu) =>
        pdu.command === 'bind_transceiver' && refusals-- > 0
          ? pdu.response({ command_status: 0x0d })
          : accept(pdu),
      ),
    );
    const gateway = opened(connectGateway(smsc.url));
    await expect(gateway.submit(textToSend())).resolves.toMatchObject({ kind: 'accepted' });
    expect(smsc.connectionCount()).toBe(4);
  });

  it('never has more submissions unanswered than the window', async () => {
    const waiting: Pdu[] = [];
    let most = 0;
    const smsc: ScriptedSmsc = opened(
      await startScriptedSmsc((pdu, session) => {
        if (pdu.command !== 'submit_sm') return accept(pdu);
        most = Math.max(most, waiting.push(pdu));
        setImmediate(() => {
          const next = waiting.shift();
          const response = next && accept(next);
          if (response) session.send(response);
        });
        return null;
      }),
    );
    const gateway = opened(connectGateway(smsc.url, { window: 3 }));
    const submissions = await Promise.all(Array.from({ length: 60 }, () => gateway.submit(textToSend())));
    expect(submissions.every(({ kind }) => kind === 'accepted')).toBe(true);
    expect(most).toBe(3);
  });

  it('turns a submission away that finds no place in the window in time', async () => {
    const smsc = opened(await startScriptedSmsc((pdu) => (pdu.command === 'submit_sm' ? null : accept(pdu))));
    const gateway = opened(connectGateway(smsc.url, { window: 1, responseTimeoutMs }));
    const [first, second] = await Promise.allSettled([
      gateway.submit(textToSend()),
      gateway.submit(textToSend()),
    ]);
    const refusedWith = (message: string) => ({
      status: 'rejected',
      reason: { name: 'GatewayError', message },
    });
    expect(first).toMatchObject(refusedWith('The carrier did not answer submit_sm: no answer in time'));
    expect(second).toMatchObject(refusedWith('The carrier takes no more texts at the moment'));
    await until(() => submissionsTo(smsc).length > 0);
    expect(submissionsTo(smsc)).toHaveLength(1);
  });

  it('throws on passing trouble and sends the rest of a long text when it is submitted again', async () => {
    let throttled = false;
    const smsc: ScriptedSmsc = opened(
      await startScriptedSmsc((pdu) => {
        const second = pdu.command === 'submit_sm' && submissionsTo(smsc).length === 2;
        throttled ||= second;
        return second ? pdu.response({ command_status: 0x58 }) : accept(pdu);
      }),
    );
    const gateway = opened(connectGateway(smsc.url));
    const text = textToSend({ body: 'x'.repeat(400) });
    await expect(gateway.submit(text)).rejects.toThrow('ESME_RTHROTTLED');
    await expect(gateway.submit(text)).resolves.toMatchObject({ kind: 'accepted' });
    expect(throttled).toBe(true);
    const sequences = submissionsTo(smsc).map((pdu) => (pdu['short_message'] as Buffer)[5]);
    expect(sequences).toEqual([1, 2, 2, 3]);
  });

  it('submits a text once, however often it is asked to while it remembers', async () => {
    const smsc = opened(await startScriptedSmsc());
    const gateway = opened(connectGateway(smsc.url));
    const text = textToSend();
    const [first, second] = await Promise.all([gateway.submit(text), gateway.submit(text)]);
    expect(second).toEqual(first);
    expect(await gateway.submit(text)).toEqual(first);
    expect(submissionsTo(smsc)).toHaveLength(1);
  });

  it('reports the id of the last part: the one whose receipt was asked for', async () => {
    const smsc: ScriptedSmsc = opened(
      await startScriptedSmsc((pdu) =>
        pdu.command === 'submit_sm'
          ? pdu.response({ message_id: pdu['registered_delivery'] === 1 ? '0A1B' : 'other' })
          : accept(pdu),
      ),
    );
    const gateway = opened(connectGateway(smsc.url));
    const submission = await gateway.submit(textToSend({ body: 'x'.repeat(400) }));
    expect(submission).toEqual({ kind: 'accepted', carrierId: 'a1b', receiptFollows: true });
  });

  it('throws when the answer does not come, and when the connection ends before it', async () => {
    const smsc: ScriptedSmsc = opened(
      await startScriptedSmsc((pdu, session) => {
        if (pdu.command !== 'submit_sm') return accept(pdu);
        if (submissionsTo(smsc).length === 2) session.destroy();
        return null;
      }),
    );
    const hasty = opened(connectGateway(smsc.url, { responseTimeoutMs }));
    const unanswered = 'The carrier did not answer submit_sm';
    await expect(hasty.submit(textToSend())).rejects.toThrow(`${unanswered}: no answer in time`);
    const patient = opened(connectGateway(smsc.url));
    await expect(patient.submit(textToSend())).rejects.toThrow(`${unanswered}: the SMSC hung up`);
  });

  it('that is answered late is not made again: who comes again gets that answer', async () => {
    const held: (() => void)[] = [];
    const smsc: ScriptedSmsc = opened(
      await startScriptedSmsc((pdu, session) => {
        if (pdu.command !== 'submit_sm') return accept(pdu);
        const late = accept(pdu);
        held.push(() => late && session.send(late));
        return null;
      }),
    );
    const gateway = opened(connectGateway(smsc.url, { responseTimeoutMs: 500 }));
    const text = textToSend();
    await expect(gateway.submit(text)).rejects.toThrow('no answer in time');
    const again = gateway.submit(text);
    held[0]?.();
    await expect(again).resolves.toMatchObject({ kind: 'accepted' });
    expect(submissionsTo(smsc)).toHaveLength(1);
  });

  it('finds out that the SMSC fell silent, and binds anew', async () => {
    let silent: Session | undefined;
    const smsc: ScriptedSmsc = opened(
      await startScriptedSmsc((pdu, session) => {
        silent ??= session;
        return pdu.command === 'enquire_link' && session === silent ? null : accept(pdu);
      }),
    );
    opened(connectGateway(smsc.url, { enquireLinkMs: 100, responseTimeoutMs }));
    const count = (command: string, from = 0) =>
      smsc.received.slice(from).filter((pdu) => pdu.command === command).length;
    await until(() => count('bind_transceiver') > 1);
    // It asked, and heard nothing, before it went.
    expect(smsc.received[1]).toMatchObject({ command: 'enquire_link' });
    const anew = smsc.received.length;
    await until(() => count('enquire_link', anew) > 5);
  });

  it.each([
    ['a length that is too short', '00000008 00000004'],
    ['a length beyond every limit', 'ffffffff 00000004'],
    [
      'a field that runs over the end',
      '00000022 00000005 00000000 00000001 0000003100000032000000000000000000ff61',
    ],
    ['noise', '8f3a0011 deadbeef 00000000 77777777 01020304'],
    ['nothing but zeros', '00000000 00000000 00000000 00000000'],
  ])('survives %s', async (_what, hex) => {
    const smsc = opened(await startScriptedSmsc());
    const gateway = opened(connectGateway(smsc.url, { enquireLinkMs: 50, responseTimeoutMs }));
    await gateway.submit(textToSend());
    (await smsc.session()).socket.write(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
    await until(
      () => smsc.connectionCount() >= 2 || smsc.received.some(({ command }) => command === 'enquire_link'),
    );
    await until(async () => (await gateway.submit(textToSend())).kind === 'accepted');
  });

  it('is turned down by something that is no SMSC without falling over', async () => {
    const web = createServer((socket) =>
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n').on('error', () => null),
    );
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const { port } = web.address() as AddressInfo;
    const gateway = opened(connectGateway(`smpp://127.0.0.1:${port}`, { responseTimeoutMs: 200 }));
    await expect(gateway.submit(textToSend())).rejects.toThrow('The carrier is not connected');
    web.close();
  });

  it('unbinds when it is closed, after the submissions that run', async () => {
    const smsc = opened(await startScriptedSmsc());
    const gateway = connectGateway(smsc.url);
    const submitted = gateway.submit(textToSend());
    await gateway.close();
    await expect(submitted).resolves.toMatchObject({ kind: 'accepted' });
    expect(smsc.received.at(-1)).toMatchObject({ command: 'unbind' });
    await expect(gateway.submit(textToSend())).rejects.toThrow('The carrier is closed');
  });
});
