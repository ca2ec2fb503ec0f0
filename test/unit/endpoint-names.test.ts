/** What names of customers' endpoints stand for, and that nobody waits for another one's name servers. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createResolver, type Resolve } from '../../gateways/endpoint-names.ts';

let server: Socket;
let names: Resolve;

/** Says 192.0.2.7 of `good…`, no such name of `none…`, and nothing of any other. Format: RFC 1035 §4.1. */
function answerTo(query: Buffer): Buffer | null {
  const name = query.subarray(13).toString('latin1');
  const isV4 = query.readUInt16BE(query.indexOf(0, 12) + 1) === 1;
  const question = Buffer.from(query.subarray(0, query.indexOf(0, 12) + 5));
  question.writeUInt32BE(0, 8);
  const known = name.startsWith('good') && isV4;
  question.writeUInt16BE(name.startsWith('none') ? 0x8183 : 0x8180, 2);
  question.writeUInt16BE(known ? 1 : 0, 6);
  if (known) return Buffer.concat([question, Buffer.from('c00c000100010000003c0004c0000207', 'hex')]);
  return name.startsWith('hang') ? null : question;
}

beforeAll(async () => {
  server = createSocket('udp4', (query, { port, address }) => {
    const answer = answerTo(query);
    if (answer) server.send(answer, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  names = createResolver({ askSystem: false, servers: [`127.0.0.1:${server.address().port}`] });
});
afterAll(() => server?.close());

describe('a name of an endpoint', () => {
  it('stands for what its name servers say, also while others hang', async () => {
    const hanging = Array.from({ length: 60 }, (_, i) => names(`hang${i}.example.com`).catch(() => 'hung'));
    const given = await Promise.race([names('good.example.com'), ...hanging]);
    expect(given).toEqual([{ address: '192.0.2.7', family: 4 }]);
  });

  it('that hangs fails in less time than an endpoint has to answer', async () => {
    const since = performance.now();
    await expect(names('hang.example.com')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
    expect(performance.now() - since).toBeLessThan(7_000);
  });

  it('that nobody knows fails', async () => {
    await expect(names('none.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('without a dot is asked of the system', async () => {
    expect(await names('localhost')).toContainEqual({ address: '127.0.0.1', family: 4 });
  });
});
