/**
 * The newest official client of each language, unmodified but for its base URL, plays the whole story. All promised
 * versions: `npm run conformance`. Where a language is missing its test says so and is skipped; in CI it fails.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestClients, playStory, type Language } from '../conformance/clients.ts';
import { newPhoneNumber } from '../support/phone-numbers.ts';
import { rawClient } from '../support/raw-client.ts';
import { startService, type Service } from '../support/service.ts';

const run = promisify(execFile);
/** Programs without which a client cannot be fetched or started. */
const programs: Record<Language, readonly string[]> = {
  node: ['npm'],
  python: ['python3'],
  java: ['java', 'mvn'],
};

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

describe('the official client', () => {
  it.for(newestClients)('for $language, $version, plays the whole story', async (client, { skip }) => {
    if (!(await hasPrograms(client.language))) return skip('a program is missing');
    const { accountSid, authToken, adminToken } = service.credentials;
    const { body } = await rawClient(service)('POST', '/admin/HostedNumbers', {
      form: { AccountSid: accountSid, PhoneNumber: newPhoneNumber() },
      as: ['admin', adminToken],
    });
    const results = await playStory(client, {
      BASE_URL: service.url,
      ACCOUNT_SID: accountSid,
      AUTH_TOKEN: authToken,
      PHONE_NUMBERS: [newPhoneNumber(), newPhoneNumber(), newPhoneNumber()].join(),
      NUMBER_SID: String(body['incoming_phone_number_sid']),
    });
    expect(results.filter(({ failure }) => failure !== null)).toEqual([]);
    expect(results).toHaveLength(12);
  });
});

async function hasPrograms(language: Language): Promise<boolean> {
  try {
    for (const program of programs[language]) await run('which', [program]);
    return true;
  } catch (cause) {
    const message = `the official client for ${language} needs ${programs[language].join(' and ')}`;
    if (process.env['CI']) throw new Error(message, { cause });
    process.stderr.write(`NOT TESTED, ${message}\n`);
    return false;
  }
}
