import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSid, sidFromHex, sidPrefixes, type SidKind } from '../../domain/sid.ts';
import { derivedSid, newSid } from '../../security/derived-sid.ts';

const kinds = Object.keys(sidPrefixes) as SidKind[];
const anyKind = fc.constantFrom(...kinds);
const hex = fc.stringMatching(/^[0-9a-f]{32}$/);

describe('identifiers (domain.md §1.6)', () => {
  it('have a prefix of their own for each kind', () => {
    expect(new Set(Object.values(sidPrefixes)).size).toBe(kinds.length);
  });

  it('are two letters and 32 hexadecimal digits, and recognised as their own kind only', () => {
    fc.assert(
      fc.property(anyKind, hex, (kind, digits) => {
        const sid = sidFromHex(kind, digits);
        expect(sid).toMatch(/^[A-Z]{2}[0-9a-f]{32}$/);
        expect(kinds.filter((other) => isSid(other, sid))).toEqual([kind]);
      }),
    );
  });

  it.each([
    '',
    'HR',
    `HR${'0'.repeat(31)}`,
    `HR${'0'.repeat(33)}`,
    `HR${'g'.repeat(32)}`,
    `hr${'0'.repeat(32)}`,
  ])('do not look like %j', (text) => expect(isSid('hostedNumberOrder', text)).toBe(false));

  it('do not end in a line break', () => {
    expect(isSid('hostedNumberOrder', `HR${'0'.repeat(32)}\n`)).toBe(false);
  });

  it('accept digits in capitals, as Twilio does', () => {
    expect(isSid('hostedNumberOrder', `HR${'ABCDEF01'.repeat(4)}`)).toBe(true);
  });

  it('are not made from anything but hexadecimal digits', () => {
    expect(() => sidFromHex('account', 'ZZ')).toThrow(TypeError);
    expect(() => sidFromHex('account', 'A'.repeat(32))).toThrow(TypeError);
  });

  it('are new each time they are drawn', () => {
    const drawn = Array.from({ length: 1000 }, () => newSid('hostedNumberOrder'));
    expect(new Set(drawn).size).toBe(drawn.length);
    expect(drawn.every((sid) => isSid('hostedNumberOrder', sid))).toBe(true);
  });

  it('are the same for the same parts and different for others, however the parts are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (left, right) => {
        const same = JSON.stringify(left) === JSON.stringify(right);
        expect(derivedSid('event', ...left) === derivedSid('event', ...right)).toBe(same);
      }),
    );
    expect(derivedSid('event', 'a', 'bc')).not.toBe(derivedSid('event', 'ab', 'c'));
  });

  it('stay the same over releases when they are derived: stored rows and workflows are found by them', () => {
    const digest = createHash('sha256').update('["order/status","HR1","2"]').digest('hex');
    expect(derivedSid('event', 'order/status', 'HR1', '2')).toBe(`EV${digest.slice(0, 32)}`);
  });
});
