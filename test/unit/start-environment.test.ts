/** What `npm start` hands to its processes. */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { childEnvironment } from '../../start-environment.ts';

const secrets = {
  SECRET_KEY: 'secret',
  ACCOUNT_SID: 'AC00000000000000000000000000000001',
  AUTH_TOKEN: 'token',
  ADMIN_TOKEN: 'admin',
  CARRIER_TOKEN: 'carrier',
  VOICE_AUTH_TOKEN: 'voice',
  REGISTRY_TOKEN: 'registry',
};
const environmentOf = (given: Record<string, string>) =>
  childEnvironment(readConfig(given), { dataDir: '/data', secrets, given });

describe('the e-mail address of the first account', () => {
  it('is one that the local mailbox shows, while all mail ends there', () => {
    expect(environmentOf({ LOCAL_PORT: '3001' })).toMatchObject({
      ACCOUNT_EMAIL: 'owner@example.com',
      SMTP_URL: 'smtp://127.0.0.1:3002',
    });
  });

  it('is the one that is given, and none where a real relay would carry mail to an address nobody chose', () => {
    const ACCOUNT_EMAIL = 'it@example.com';
    expect(environmentOf({ ACCOUNT_EMAIL })).toMatchObject({ ACCOUNT_EMAIL });
    expect(environmentOf({ SMTP_URL: 'smtp://relay.example', ACCOUNT_EMAIL })).toMatchObject({
      ACCOUNT_EMAIL,
    });
    expect(environmentOf({ SMTP_URL: 'smtp://relay.example' })).not.toHaveProperty('ACCOUNT_EMAIL');
  });
});

describe('the file with the credentials', () => {
  it('is named to the sign-in page wherever the data are, and reads back as that very path', () => {
    const dataDir = '/my data: here #1';
    const env = childEnvironment(readConfig({}), { dataDir, secrets, given: {} });
    expect(readConfig(env).api.secretsFile).toBe('/my data: here #1/secrets.json');
  });
});
