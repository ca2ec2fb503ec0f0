/** X-Twilio-Signature against the official client's own validator. */
import * as fc from 'fast-check';
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import { describe, expect, it } from 'vitest';
import { isSignedBy, signRequest } from '../../security/request-signature.ts';

const token = '12345';
const url = 'https://example.com/callback?order=1&note=caf%C3%A9';
const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,12}$/);
const form = fc.dictionary(
  name,
  fc.oneof(fc.string({ unit: 'grapheme' }), fc.array(fc.string(), { minLength: 1, maxLength: 4 })),
  { maxKeys: 8 },
);

describe('a signed request (domain.md §2.4)', () => {
  it('is accepted by the official client, whatever its parameters', () => {
    fc.assert(
      fc.property(form, (parameters) => {
        const plain = { ...parameters };
        expect(validateRequest(token, signRequest(token, url, plain), url, plain)).toBe(true);
      }),
    );
  });

  it('is accepted by the official client without parameters, as for GET', () => {
    expect(validateRequest(token, signRequest(token, url), url, {})).toBe(true);
  });

  it('is accepted by the official client with a port of its own', () => {
    const local = 'http://localhost:4000/callback';
    const parameters = { Status: 'received' };
    expect(validateRequest(token, signRequest(token, local, parameters), local, parameters)).toBe(true);
  });

  it('has the signature of the published example', () => {
    const parameters = {
      CallSid: 'CA1234567890ABCDE',
      Caller: '+14158675309',
      Digits: '1234',
      From: '+14158675309',
      To: '+18005551212',
    };
    const example = 'https://mycompany.com/myapp.php?foo=1&bar=2';
    expect(signRequest(token, example, parameters)).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=');
  });

  it('is refused with another token, another URL, another parameter, or none', () => {
    const parameters = { Digits: '123456' };
    const signature = signRequest(token, url, parameters);
    expect(isSignedBy(token, signature, url, parameters)).toBe(true);
    expect(isSignedBy('54321', signature, url, parameters)).toBe(false);
    expect(isSignedBy(token, signature, `${url}&more=1`, parameters)).toBe(false);
    expect(isSignedBy(token, signature, url, { Digits: '123457' })).toBe(false);
    expect(isSignedBy(token, signature, url)).toBe(false);
    expect(isSignedBy(token, '', url, parameters)).toBe(false);
  });
});
