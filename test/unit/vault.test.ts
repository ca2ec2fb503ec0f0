import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVault, equalSecrets, type TokenClaims } from '../../security/vault.ts';

const vault = createVault('a master key of enough characters');
const stranger = createVault('another master key of enough length');
const noon = new Date('2026-03-01T12:00:00Z');
const later = (minutes: number): Date => new Date(noon.getTime() + minutes * 60_000);
const claims: TokenClaims = { purpose: 'sign-document', subject: 'PX1/1', expiresAt: later(30) };

/** Every way to change one character of a text. */
const alterations = (text: string): string[] =>
  Array.from(text, (char, at) => text.slice(0, at) + (char === 'A' ? 'B' : 'A') + text.slice(at + 1));

describe('a sealed secret', () => {
  it('opens to what was sealed, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (plain) => {
        expect(vault.open(vault.seal(plain))).toBe(plain);
      }),
    );
  });

  it('looks different every time and never contains the secret', () => {
    const sealed = Array.from({ length: 50 }, () => vault.seal('a secret token'));
    expect(new Set(sealed).size).toBe(sealed.length);
    expect(sealed.some((text) => Buffer.from(text, 'base64url').includes('a secret token'))).toBe(false);
  });

  it('does not open when any part of it was altered', () => {
    const sealed = vault.seal('a secret token');
    for (const altered of alterations(sealed)) {
      const same = Buffer.from(altered, 'base64url').equals(Buffer.from(sealed, 'base64url'));
      if (!same) expect(() => vault.open(altered)).toThrow();
    }
  });

  it('that a column has held since before still opens', () => {
    const stored = 'debN0NaPcpup_p6Q-VSnyOv0kXCVNuIKoLrnU-oL3Q9opIQAoOk0hqrZYC4';
    expect(vault.open(stored)).toBe('a secret tökén');
  });

  it('does not open with a tag cut short, of which a guess in 2^32 is right', () => {
    const nonceAndPartOfTag = Buffer.from(vault.seal(''), 'base64url').subarray(0, 12 + 4);
    expect(() => vault.open(nonceAndPartOfTag.toString('base64url'))).toThrow();
  });

  it.each(['', 'A', 'not sealed at all'])('does not open when it is %j', (text) => {
    expect(() => vault.open(text)).toThrow();
  });

  it('does not open with another master key', () => {
    expect(() => stranger.open(vault.seal('a secret token'))).toThrow();
  });

  it('needs a master key of 32 characters', () => {
    expect(() => createVault('too short')).toThrow(/32 characters/);
  });
});

describe('a token (design.md §6)', () => {
  const token = vault.issueToken(claims);

  it('tells its claims until it expires, and nothing from then on', () => {
    expect(vault.readToken('sign-document', token, noon)).toEqual(claims);
    expect(vault.readToken('sign-document', token, later(29))).toEqual(claims);
    expect(vault.readToken('sign-document', token, later(30))).toBeNull();
    expect(vault.readToken('sign-document', token, later(60 * 24 * 365))).toBeNull();
  });

  it('is good for its own purpose only', () => {
    expect(vault.readToken('console-session', token, noon)).toBeNull();
  });

  it('is not accepted when any character of it was altered', () => {
    for (const altered of alterations(token)) {
      expect(vault.readToken('sign-document', altered, noon), altered).toBeNull();
    }
  });

  it('is not accepted from another service', () => {
    expect(stranger.readToken('sign-document', token, noon)).toBeNull();
  });

  it.each([
    '',
    '.',
    'a.b',
    'a.b.c',
    token.split('.')[0] ?? '',
    `${token}.x`,
    token.replace('.', ''),
  ])('is not accepted in the shape of %j', (text) => {
    expect(vault.readToken('sign-document', text, noon)).toBeNull();
  });

  it('is accepted exactly as issued', () => {
    expect(vault.readToken('sign-document', `${token}=`, noon)).toBeNull();
    expect(vault.readToken('sign-document', ` ${token}`, noon)).toBeNull();
  });
});

describe('the comparison of secrets', () => {
  it('agrees with equality for texts of any lengths', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(equalSecrets(left, right)).toBe(left === right);
        expect(equalSecrets(left, left)).toBe(true);
      }),
    );
  });
});
