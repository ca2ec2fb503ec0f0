/** What no line of a letter may hold: the signing page and the PDF would say different things (decision 0018). */
import { describe, expect, it } from 'vitest';
import { isPlainLine, toPlainLine } from '../../domain/plain-line.ts';

describe('a line of a letter', () => {
  it.each([
    ['an override', '\u202eCLL emcA'],
    ['an embedding', '\u202bAcme\u202c'],
    ['an isolate', '\u2067Acme\u2069'],
    // A browser takes these for letters: it shows "12 34" behind one as "34 12".
    ['a right-to-left mark', 'Pier \u200f12 34'],
    ['a left-to-right mark', 'א\u200e12 34'],
    ['an Arabic letter mark', '\u061c12 34'],
    ['a tab', '742\tEvergreen Terrace'],
    ['a line feed', 'Owner\nDirector'],
    ['a carriage return', 'Owner\r'],
    ['a line separator', 'Owner\u2028Director'],
    ['a paragraph separator', 'Owner\u2029Director'],
    ['an escape', '\u001b[31mAcme'],
    ['a control character of C1', 'Acme\u0085'],
  ])('does not hold %s, and is one without it', (_, text) => {
    expect(isPlainLine(text)).toBe(false);
    expect(isPlainLine(toPlainLine(text))).toBe(true);
  });

  it.each([
    'Ädler & Söhne GmbH',
    'رستوران می\u200cخوانم',
    'בית קפה 12',
    'ক্ষিতীশ',
    '東京商店',
    '👩\u200d🍳 Catering',
  ])('%s is kept as it is', (text) => {
    expect(isPlainLine(text)).toBe(true);
    expect(toPlainLine(text)).toBe(text);
  });

  it('has single spaces for what did not belong there', () => {
    expect(toPlainLine(' wrong\r\n\taddress\u202e ')).toBe('wrong address');
  });
});
