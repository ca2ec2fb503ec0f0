/** The rate of an account: whatever it asks with counts (decision 0021). The Zipwhip calls are in zipwhip.test.ts. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { signIn } from '../support/console-browser.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { rawClient, type RawClient } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';

const burst = 8;
let service: Service;
let call: RawClient;

beforeAll(async () => {
  const env = { HOSTED_SMS_API__RATE_LIMIT_PER_SECOND: '1', HOSTED_SMS_API__RATE_LIMIT_BURST: String(burst) };
  service = await startService({ env });
  call = rawClient(service);
});
afterAll(() => service?.stop());

/** More than a burst, at once. From then on no time passes: what is used up does not come back during the test. */
function flood<T>(ask: () => Promise<T>): Promise<T[]> {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  onTestFinished(() => clock.mockRestore());
  return Promise.all(Array.from({ length: 3 * burst }, ask));
}

describe('the rate of an account', () => {
  it('is not multiplied by its sub-accounts and their lines', async () => {
    const owner = await service.addAccount();
    const as = [owner.sid, owner.token] as const;
    const { body } = await call('POST', '/2010-04-01/Accounts.json', { form: {}, as });
    const branch = [String(body['sid']), String(body['auth_token'])] as const;
    const username = newPhoneNumber();
    await call('POST', '/admin/HostedNumbers', {
      form: { AccountSid: branch[0], PhoneNumber: username },
      as: ['admin', service.credentials.adminToken],
    });
    const answers = await flood(() => call('GET', '/Webhooks', { as: branch }));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(burst);
    expect(await call('GET', '/Webhooks', { as })).toMatchObject({ status: 429, body: { code: 20429 } });
    const form = { username, password: branch[1] };
    expect(await call('POST', '/user/login', { form, as: null })).toMatchObject({ status: 429 });
    const stranger = await service.addAccount();
    expect(await call('GET', '/Webhooks', { as: [stranger.sid, stranger.token] })).toMatchObject({
      status: 200,
    });
  });

  it('counts the pages of the console, which say so and when to come back', async () => {
    const account = await service.addAccount();
    const signedIn = await signIn(service, [account.sid, account.token]);
    const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');
    const pages = await flood(() => fetch(`${service.url}/console/orders`, { headers: { Cookie: cookie } }));
    const refused = pages.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await refused?.text()).toContain('Too many requests');
    expect(pages.some(({ status }) => status === 200)).toBe(true);
  });
});
