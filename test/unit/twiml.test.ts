/** TwiML of messaging answers (domain.md §2.5). */
import { describe, expect, it } from 'vitest';
import twilio from 'twilio';
import { parseTwiml } from '../../activities/twiml.ts';

const plain = { to: null, from: null, mediaUrls: [], statusCallback: null, action: null, method: null };

describe('well-formed TwiML', () => {
  it("is read as the official client's builder writes it", () => {
    const response = new twilio.twiml.MessagingResponse();
    response.message({ to: '+14155550199', action: '/next', method: 'GET' }, 'Fish & chips <now>');
    const second = response.message('');
    second.body('with a picture');
    second.media('https://example.com/a.png?b=1&c=2');
    response.redirect({ method: 'POST' }, 'more?x=1&y=2');
    expect(parseTwiml(response.toString())).toEqual([
      {
        ...plain,
        verb: 'Message',
        to: '+14155550199',
        action: '/next',
        method: 'GET',
        body: 'Fish & chips <now>',
      },
      { ...plain, verb: 'Message', body: 'with a picture', mediaUrls: ['https://example.com/a.png?b=1&c=2'] },
      { verb: 'Redirect', url: 'more?x=1&y=2', method: 'POST' },
    ]);
  });

  it.each([
    ['<Response/>', []],
    ['<?xml version="1.0"?>\n<!-- none --><Response></Response>\n', []],
    ['<Response><Message>a &#233; &lt;b&gt; <![CDATA[<c>]]></Message></Response>', ['a é <b> <c>']],
    ['<Response><Message>\n  line one\n  line two\n</Message></Response>', ['line one\n  line two']],
  ])('%s', (document, bodies) => {
    expect(parseTwiml(document)?.map((verb) => verb.verb === 'Message' && verb.body)).toEqual(bodies);
  });

  it('notes a verb it does not know', () => {
    expect(parseTwiml('<Response><Dial>1</Dial></Response>')).toEqual([{ verb: 'unknown', name: 'Dial' }]);
  });

  it('gives attributes no way to the prototype', () => {
    const [verb] = parseTwiml('<Response><Message constructor="x">a</Message></Response>') ?? [];
    expect(verb).toEqual({ ...plain, verb: 'Message', body: 'a' });
  });
});

it.each([
  '',
  'hello',
  '{"message":"hi"}',
  '<Response>',
  '<Response><Message>a</Response>',
  '<Response/><Response/>',
  '<response><Message>a</Message></response>',
  '<html><body>an error page</body></html>',
  '<Response><Message>a & b</Message></Response>',
  '<!DOCTYPE r [<!ENTITY e "x">]><Response><Message>&e;</Message></Response>',
  '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><Response><Message>&e;</Message></Response>',
  `<Response>${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}</Response>`,
])('what is not well formed is refused as a whole (12100): %.60s', (document) => {
  expect(parseTwiml(document)).toBeNull();
});
