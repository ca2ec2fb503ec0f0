/** What the callee keys at a prompt reaches the order, however often the voice provider has to tell it (service.md §3.1, §8). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signRequest } from '../../security/request-signature.ts';
import { orderSteps, type OrderSteps } from '../support/order-steps.ts';
import { outsideWorldAt, type Outside } from '../support/outside.ts';
import { rawClient } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';
import { twilioFor } from '../support/twilio.ts';

let service: Service;
let outside: Outside;
let steps: OrderSteps;

beforeAll(async () => {
  service = await startService();
  outside = outsideWorldAt(service.local.url);
  steps = orderSteps(twilioFor(service), outside);
});
afterAll(() => service?.stop());

interface Verification {
  readonly sid: string;
  readonly right: string;
  readonly wrong: string;
  /** The provider tells what was keyed at a prompt; answers the TwiML. */
  readonly key: (digits: string, prompt: number) => Promise<string>;
  /** What the callee did, as the order's story has it. */
  readonly entries: () => Promise<string[]>;
}

/** An order with a call that rings. */
async function verification(): Promise<Verification> {
  const { sid, phoneNumber } = await steps.create();
  const right = await steps.startCall(sid);
  const { sid: CallSid } = await outside.ringing(phoneNumber);
  const call = rawClient(service);
  return {
    sid,
    right,
    wrong: right === '000000' ? '000001' : '000000',
    key: async (Digits, prompt) => {
      const path = `/voice/verification/${sid}/1/digits?prompt=${prompt}`;
      const form = { CallSid, Digits };
      const signature = signRequest(service.config.env.voiceAuthToken ?? '', service.url + path, form);
      const headers = { 'X-Twilio-Signature': signature };
      const { body } = await call('POST', path, { form, as: null, headers });
      return String(body['text']);
    },
    entries: async () => {
      const { body } = await call('GET', `/HostedNumbers/HostedNumberOrders/${sid}/Timeline`);
      const timeline = body['timeline'] as { actor: string; what: string }[];
      return timeline.filter(({ actor }) => actor === 'callee').map(({ what }) => what);
    },
  };
}

describe('a prompt that is answered twice', () => {
  it('takes the second answer where it is another: the service was away for the first', async () => {
    const { sid, right, wrong, key, entries } = await verification();
    expect(await key(wrong, 1)).toContain('That code is not right.');
    expect(await key(right, 1)).toContain('The number is verified.');
    expect(await steps.status(sid)).toBe('verified');
    expect(await entries()).toEqual([
      'entered a wrong code at prompt 1 of 4',
      'entered the right code; ownership is verified',
    ]);
  });

  it('counts once where the provider only repeats itself', async () => {
    const { sid, wrong, key, entries } = await verification();
    const answers = [await key(wrong, 1), await key(wrong, 1), await key(wrong, 1)];
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('?prompt=2');
    expect(await entries()).toHaveLength(1);
    // The prompts that are left are those after this one.
    expect(await key(wrong, 2)).toContain('?prompt=3');
    expect(await steps.status(sid)).toBe('pending-verification');
  });
});
