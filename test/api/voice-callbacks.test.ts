/** What the voice provider asks during a verification call is taken from the voice provider only (service.md §3.1, §8). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSid } from '../../security/derived-sid.ts';
import { signRequest } from '../../security/request-signature.ts';
import { rawClient, type RawAnswer } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

const call = `/voice/verification/${newSid('hostedNumberOrder')}/1`;
const form = { CallSid: `CA${'0'.repeat(32)}`, CallStatus: 'completed', Digits: '123456' };
const refused = { status: 403, body: { code: 20006 } };

describe.each([
  ['the prompt for the code', call, 200],
  ['the digits that were keyed', `${call}/digits`, 200],
  ['the progress of the call', `${call}/status`, 204],
])('a request for %s', (_, path, status) => {
  /** Sends the whole form, signed with the token given. */
  const ask = (authToken: string | null): Promise<RawAnswer> => {
    const headers =
      authToken === null ? {} : { 'X-Twilio-Signature': signRequest(authToken, service.url + path, form) };
    return rawClient(service)('POST', path, { form, as: null, headers });
  };

  it('is refused without a signature', async () => {
    expect(await ask(null)).toMatchObject(refused);
  });

  it("is refused when it is signed with a customer's token", async () => {
    expect(await ask(service.credentials.authToken)).toMatchObject(refused);
  });

  it("is answered when it is signed with the voice provider's token", async () => {
    expect((await ask(service.config.env.voiceAuthToken ?? '')).status).toBe(status);
  });
});
