/** Which accounts orders may be placed under: the same for one order, for many, and for a check without an order. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hostsAmong } from '../../api/hosting-accounts.ts';
import { newSid } from '../../security/derived-sid.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { rawClient, type RawAnswer, type RawClient } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const accounts = '/2010-04-01/Accounts';
const bulkOrders = '/v2/HostedNumber/Orders/Bulk';
const eligibility = '/v1/HostedNumber/Eligibility';
let service: Service;
let call: RawClient;

beforeAll(async () => {
  service = await startService();
  call = rawClient(service);
});
afterAll(() => service?.stop());

const post = (path: string, body: object): Promise<RawAnswer> =>
  call('POST', path, { form: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });

async function newSubAccount(status: string): Promise<string> {
  const { body } = await call('POST', `${accounts}.json`, { form: {} });
  const sid = String(body['sid']);
  await call('POST', `${accounts}/${sid}.json`, { form: { Status: status } });
  return sid;
}

async function newStranger(): Promise<string> {
  return (await service.addAccount()).sid;
}

/** Code that an order of its own is answered with; `null` where it is placed. */
async function ofOrder(AccountSid: string): Promise<unknown> {
  const form = { PhoneNumber: newPhoneNumber(), SmsCapability: 'true', AccountSid };
  return (await call('POST', '/HostedNumbers/HostedNumberOrders', { form })).body.code ?? null;
}

async function ofBulkOrder(account_sid: string): Promise<unknown> {
  const { body } = await post(bulkOrders, {
    phone_numbers: [{ phone_number: newPhoneNumber(), account_sid }],
  });
  const [group] = await until(async () => {
    const { body: done } = await call('GET', `${bulkOrders}/${String(body['bulk_hosting_sid'])}`);
    const results = done['results'] as readonly { orders: readonly { error_code: number | null }[] }[];
    return done['request_status'] === 'PROCESSED' && results;
  });
  return group?.orders[0]?.error_code;
}

async function ofCheck(hosting_account_sid: string): Promise<unknown> {
  const { body } = await post(eligibility, { phone_number: newPhoneNumber(), hosting_account_sid });
  return subStatusOf(body);
}

async function ofBulkCheck(hosting_account_sid: string): Promise<unknown> {
  const path = `${eligibility}/Bulk`;
  const { body } = await post(path, { phone_numbers: [newPhoneNumber()], hosting_account_sid });
  return until(async () => {
    const { body: done } = await call('GET', `${path}/${String(body['request_id'])}`);
    return done['status'] === 'COMPLETE' && subStatusOf(done);
  });
}

const subStatusOf = (body: RawAnswer['body']): unknown =>
  (body['results'] as { eligibility_sub_status: string }[])[0]?.eligibility_sub_status;

describe('an account that a number is to be hosted under', () => {
  it.each([
    ['the caller’s own', () => Promise.resolve(service.credentials.accountSid), true],
    ['an active sub-account', () => newSubAccount('active'), true],
    ['a suspended sub-account', () => newSubAccount('suspended'), false],
    ['a closed sub-account', () => newSubAccount('closed'), false],
    ['somebody else’s', newStranger, false],
  ])('as %s is judged alike by every request that names one', async (_, account, allowed) => {
    const sid = await account();
    const answers = [await ofOrder(sid), await ofBulkOrder(sid), await ofCheck(sid), await ofBulkCheck(sid)];
    const refusals = [21470, 21470, 'invalid-hosting-account-sid', 'invalid-hosting-account-sid'];
    expect(answers).toEqual(allowed ? [null, null, 'eligible', 'eligible'] : refusals);
  });

  it('costs one query for a list of any length, and none where all are the caller’s own', async () => {
    const { accountSid } = service.credentials;
    const branch = await newSubAccount('active');
    const sids = Array.from({ length: 10_000 }, () => newSid('account'));
    const db: typeof service.db = Object.create(service.db); // the service goes on with its own queries meanwhile
    const queries = vi.spyOn(db, 'select');
    const deps = { ...service.deps, db };
    expect(await hostsAmong(deps, accountSid, [...sids, branch])).toEqual(new Set([accountSid, branch]));
    expect(queries).toHaveBeenCalledTimes(1);
    await hostsAmong(deps, accountSid, [accountSid, accountSid]);
    expect(queries).toHaveBeenCalledTimes(1);
  });
});
