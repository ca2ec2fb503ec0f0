import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createKeypad } from '../../local/keypad.ts';
import { runTwiml, type DocumentRequest } from '../../local/twiml-run.ts';
import { parseTwiml } from '../../local/twiml.ts';

const gather = (attributes: string, inside = ''): string =>
  `<?xml version="1.0"?><Response><Gather ${attributes}>${inside}</Gather><Say>silence</Say></Response>`;

/** Runs documents by path on a line that takes no time to speak; `keys` are pressed when the text is heard. */
async function callWith(
  documents: Readonly<Record<string, string>>,
  keys: Readonly<Record<string, string>> = {},
): Promise<{ readonly heard: readonly string[]; readonly requests: readonly DocumentRequest[] }> {
  const keypad = createKeypad();
  const heard: string[] = [];
  const requests: DocumentRequest[] = [];
  await runTwiml(
    { url: 'http://customer.example/start', method: 'POST', parameters: {} },
    {
      signal: AbortSignal.timeout(5000),
      line: {
        async say(text, signal) {
          heard.push(text);
          await pause(1, undefined, { signal });
          keypad.press(keys[text] ?? '');
        },
        nextKey: (until) => keypad.next(until),
        forgetKeys: (only) => keypad.forget(only),
      },
      fetchDocument(request) {
        requests.push(request);
        return Promise.resolve(documents[new URL(request.url).pathname] ?? '<Response/>');
      },
    },
  );
  return { heard, requests };
}

describe('the local phone network executes TwiML as a provider does (domain.md §2.3)', () => {
  it('says, pauses and hangs up in the order of the document', async () => {
    const { heard } = await callWith({
      '/start':
        '<Response><Say>one</Say><Pause length="0"/><Say loop="2">two</Say><Hangup/><Say>never</Say></Response>',
    });
    expect(heard).toEqual(['one', 'two', 'two']);
  });

  it('posts the digits to the action, resolved against the document, as soon as numDigits are keyed', async () => {
    const start = gather('numDigits="6" timeout="1" action="/digits?prompt=1"', '<Say>code?</Say>');
    const { requests, heard } = await callWith({ '/start': start }, { 'code?': '1234567' });
    expect(heard).toEqual(['code?']);
    expect(requests[1]).toMatchObject({
      url: 'http://customer.example/digits?prompt=1',
      method: 'POST',
      parameters: { Digits: '123456' },
    });
  });

  it('ends the input at the finishing key, which is not a part of it', async () => {
    const { requests } = await callWith(
      { '/start': gather('timeout="1" action="end"', '<Say>?</Say>') },
      { '?': '42#' },
    );
    expect(requests[1]).toMatchObject({ url: 'http://customer.example/end', parameters: { Digits: '42' } });
  });

  it('goes on behind the gather when nothing is keyed in time', async () => {
    const { heard, requests } = await callWith({ '/start': gather('numDigits="6" timeout="0"') });
    expect(heard).toEqual(['silence']);
    expect(requests).toHaveLength(1);
  });

  it('asks the action with no digits when the document wants it so', async () => {
    const { requests } = await callWith({
      '/start': gather('timeout="0" actionOnEmptyResult="true" action="/end" method="GET"'),
    });
    expect(requests[1]).toMatchObject({ method: 'GET', parameters: { Digits: '' } });
  });

  it('takes keys that were typed ahead, but not those left over from the input before', async () => {
    const documents = {
      '/start': gather('numDigits="2" timeout="1" action="/wrong"', '<Say>code?</Say>'),
      '/wrong': `<Response><Say>wrong</Say><Gather numDigits="2" timeout="1" action="/end"/></Response>`,
    };
    const { requests } = await callWith(documents, { 'code?': '12#', wrong: '#34' });
    expect(requests.map(({ parameters }) => parameters['Digits'])).toEqual([undefined, '12', '34']);
  });

  it('follows redirects to the next document', async () => {
    const { heard } = await callWith({
      '/start': '<Response><Redirect method="POST">/next?a=1&amp;b=2</Redirect><Say>never</Say></Response>',
      '/next': '<Response><Say>there</Say></Response>',
    });
    expect(heard).toEqual(['there']);
  });

  it('gives up on documents that only redirect', async () => {
    const loop = callWith({ '/start': '<Response><Redirect>/start</Redirect></Response>' });
    await expect(loop).rejects.toThrow('more than 100 documents');
  });

  it('stops in the middle of a prompt when the call is over', async () => {
    const over = new AbortController();
    const call = runTwiml(
      { url: 'http://customer.example/', method: 'POST', parameters: {} },
      {
        signal: over.signal,
        line: {
          say(_text, signal) {
            over.abort();
            return pause(60_000, undefined, { signal });
          },
          nextKey: (until) => until.then(() => null),
          forgetKeys: () => undefined,
        },
        fetchDocument: () => Promise.resolve(gather('timeout="60"', '<Say>code?</Say>')),
      },
    );
    await expect(call).rejects.toThrow('aborted');
  });

  it.each([
    ['no XML', 'hello'],
    ['an element that is not closed', '<Response><Say>one</Response>'],
    ['another root', '<Twiml/>'],
    ['an unknown verb', '<Response><Dance/></Response>'],
    ['an unknown entity', '<Response><Say>&nbsp;</Say></Response>'],
    ['a property of every object as an entity', '<Response><Say>&constructor;</Say></Response>'],
    ['an ampersand that begins nothing', '<Response><Say>a & b</Say></Response>'],
    ['an attribute that is there twice', '<Response><Pause length="1" length="2"/></Response>'],
    ['a document type', '<!DOCTYPE Response [<!ENTITY a "b">]><Response/>'],
    ['a number that is none', '<Response><Gather numDigits="six"/></Response>'],
    ['two roots', '<Response/><Response/>'],
  ])('refuses %s', (_what, document) => {
    expect(() => parseTwiml(document)).toThrow();
  });

  it('reads entities, character data and comments', () => {
    const [say] = parseTwiml(
      '<Response><!-- x --><Say>a &amp; b &#x41;&#66; <![CDATA[<c>]]></Say></Response>',
    );
    expect(say).toMatchObject({ verb: 'Say', text: 'a & b AB <c>' });
  });
});
