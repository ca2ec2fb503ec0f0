import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ConfigError, readConfig } from '../../config.ts';
import { configSchema, deliveryPolicy, documentTimers, orderTimers } from '../../settings.ts';

const file = new URL('../../temporal.yaml', import.meta.url);
const text = readFileSync(file, 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'hosted-sms-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
/** The settings file with one passage replaced. */
function fileWith(passage: string, replacement: string): URL {
  if (!text.includes(passage)) throw new Error(`temporal.yaml no longer holds ${passage}`);
  const path = join(folder, `${(files += 1)}.yaml`);
  writeFileSync(path, text.replace(passage, replacement));
  return pathToFileURL(path);
}

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Paths of all keys; a free-form record such as the server's own flags counts as one. */
function pathsOfFile(tree: unknown, path = ''): string[] {
  if (!isTree(tree) || path === 'temporal.localServer.dynamicConfig') return [path];
  return Object.entries(tree).flatMap(([key, value]) => pathsOfFile(value, path ? `${path}.${key}` : key));
}

function pathsOfSchema(schema: z.ZodType, path = ''): string[] {
  if (!(schema instanceof z.ZodObject)) return [path];
  return Object.entries(schema.shape).flatMap(([key, value]) =>
    pathsOfSchema(value as z.ZodType, path ? `${path}.${key}` : key),
  );
}

describe('temporal.yaml', () => {
  it('has exactly the keys of the schema', () => {
    expect(pathsOfFile(parse(text)).toSorted()).toEqual(pathsOfSchema(configSchema).toSorted());
  });

  it('explains every key in a comment of its own, but for the flags of Temporal, whose names are Temporal’s', () => {
    const lines = text.split('\n');
    const bare = lines.filter((line, index) => {
      const isOurKey = /^\s+\w+:/.test(line);
      return isOurKey && !lines[index - 1]?.trim().startsWith('#');
    });
    expect(bare).toEqual([]);
  });

  it('holds the limits of the specification (service.md §7, §8)', () => {
    const config = readConfig({});
    const hour = 3_600_000;
    expect(orderTimers(config)).toMatchObject({
      actionRequiredMs: 7 * 24 * hour,
      retirementMs: 3 * 24 * hour,
    });
    expect(documentTimers(config).signatureMs).toBe(30 * 24 * hour);
    expect(deliveryPolicy(config)).toMatchObject({ timeoutMs: 7000, retry: { windowMs: 72 * hour } });
  });

  it('holds the retry schedule of domain.md §6.5: 5 s, twice as long each time, an hour at most', () => {
    expect(deliveryPolicy(readConfig({})).retry).toMatchObject({
      initialIntervalMs: 5_000,
      backoffCoefficient: 2,
      maximumIntervalMs: 3_600_000,
    });
  });
});

describe('the settings (design.md §5)', () => {
  it('name an unknown key', () => {
    const strange = fileWith('orders:\n', 'orders:\n  patience: 3 days\n');
    expect(() => readConfig({}, strange)).toThrow(/patience/);
    expect(() => readConfig({}, strange)).toThrow(ConfigError);
  });

  it('name a key that is missing', () => {
    expect(() => readConfig({}, fileWith('  actionRequired: 7 days\n', ''))).toThrow(
      /orders\.actionRequired/,
    );
  });

  it.each(['a fortnight', '', '-1 days', 'x'.repeat(101)])('name a duration that is none: %j', (words) => {
    const odd = fileWith('actionRequired: 7 days', `actionRequired: ${JSON.stringify(words)}`);
    expect(() => readConfig({}, odd)).toThrow(`"${words}" is not a duration`);
    expect(() => readConfig({}, odd)).toThrow(/orders\.actionRequired/);
  });

  it('refuse a duration without a unit', () => {
    expect(() => readConfig({}, fileWith('actionRequired: 7 days', 'actionRequired: 7'))).toThrow(
      /orders\.actionRequired/,
    );
  });

  it('say that a phone number has to be quoted, which YAML would read as a number', () => {
    const unquoted = fileWith("from: '+15005550006'", 'from: +15005550006');
    expect(() => readConfig({}, unquoted)).toThrow(/has to be quoted/);
  });
});

describe('the environment', () => {
  it('overrides any key, with its name in capitals', () => {
    const config = readConfig({
      HOSTED_SMS_ORDERS__ACTION_REQUIRED: '1 day',
      HOSTED_SMS_DELIVERIES__RETRY__JITTER: '0',
      HOSTED_SMS_TEMPORAL__TASK_QUEUES__ORDERS: 'other-orders',
      HOSTED_SMS_ORDERS__COUNTRIES: '[US]',
    });
    expect(config.orders).toMatchObject({ actionRequired: 86_400_000, countries: ['US'] });
    expect(config.deliveries.retry.jitter).toBe(0);
    expect(config.temporal.taskQueues.orders).toBe('other-orders');
  });

  it.each([
    'HOSTED_SMS_ORDERS__PATIENCE',
    'HOSTED_SMS_NOTHING',
    'HOSTED_SMS_ORDERS__COUNTRIES__FIRST',
  ])('is refused by name where it overrides nothing: %s', (name) => {
    expect(() => readConfig({ [name]: '1 day' })).toThrow(`${name}: there is no such key`);
  });

  it('overrides a phone number and an empty address', () => {
    const config = readConfig({
      HOSTED_SMS_GATEWAYS__VOICE__FROM: '"+15005550001"',
      HOSTED_SMS_GATEWAYS__VOICE__URL: 'http://127.0.0.1:3001',
    });
    expect(config.gateways.voice).toMatchObject({ from: '+15005550001', url: 'http://127.0.0.1:3001' });
  });

  it('is checked like the file', () => {
    expect(() => readConfig({ HOSTED_SMS_DELIVERIES__RETRY__JITTER: '2' })).toThrow(
      /deliveries\.retry\.jitter/,
    );
  });

  it('gives the addresses and ports of design.md §5 where it says nothing', () => {
    expect(readConfig({}).env).toMatchObject({
      port: 3000,
      publicUrl: 'http://localhost:3000',
      dataDir: '.data',
      localPort: 3001,
      databaseUrl: undefined,
      allowPrivateWebhooks: false,
    });
  });

  it('derives the public address from the port and takes no slash at its end', () => {
    expect(readConfig({ PORT: '4000' }).env.publicUrl).toBe('http://localhost:4000');
    expect(readConfig({ PORT: '' }).env.port).toBe(3000);
    expect(readConfig({ PUBLIC_URL: 'https://sms.example//' }).env.publicUrl).toBe('https://sms.example');
  });

  it.each(['x', '-1', '65536', '1.5'])('refuses %j as a port', (PORT) => {
    expect(() => readConfig({ PORT })).toThrow(/is not a port/);
  });

  it.each([
    ['DATABASE_URL', 'postgres://sms:pass/word@db.example:5432/sms'],
    ['DATABASE_URL', 'postgres://sms:12/pass@db.example/sms'],
    ['DATABASE_URL', 'postgres://sms:12#pass@db.example/sms'],
    ['DATABASE_URL', 'postgres://sms:pass%@db.example/sms'],
    ['DATABASE_URL', 'db.example:5432'],
    ['SMTP_URL', 'not-a-pass'],
    ['SMTP_URL', 'http://sms:pass@mail.example'],
    ['SMTP_URL', 'smtp://sms:pa/ss:pass@mail.example'],
    ['SMTP_URL', 'smtp:pass@mail.example'],
    ['PUBLIC_URL', 'pass.example.com'],
    ['PUBLIC_URL', 'ftp://pass.example.com'],
    ['TEMPORAL_ADDRESS', 'http://pass.example.com:7233'],
    ['TEMPORAL_ADDRESS', 'pass.example.com:port'],
    ['LOG_LEVEL', 'verbose-pass'],
  ])('is refused by the name of %s where its value cannot be meant, without telling it: %s', (name, value) => {
    const reading = (): unknown => readConfig({ [name]: value });
    expect(reading).toThrow(ConfigError);
    expect(reading).toThrow(new RegExp(`^${name} has to be `));
    expect(reading).not.toThrow(/pass(?!word in it)/);
  });

  it.each([
    ['DATABASE_URL', 'postgresql://sms:p%2Fa%40ss@db.example/sms?sslmode=require'],
    ['DATABASE_URL', 'postgres://sms:a,b@db-1.example:5432,db-2.example:5433/sms'],
    ['DATABASE_URL', 'postgres:///sms?host=/var/run/postgresql'],
    ['SMTP_URL', 'smtps://mail%40sms.example:key@mail.example:465?pool=true'],
    ['PUBLIC_URL', 'http://[::1]:3000/sms'],
    ['TEMPORAL_ADDRESS', 'sms.abcde.tmprl.cloud:7233'],
    ['TEMPORAL_ADDRESS', '[::1]:7233'],
    ['TEMPORAL_ADDRESS', 'temporal'],
    ['LOG_LEVEL', 'silent'],
  ])('may say what %s takes: %s', (name, value) => {
    expect(Object.values(readConfig({ [name]: value }).env)).toContain(value);
  });

  it.each([
    ['HOSTED_SMS_GATEWAYS__VOICE__URL', '127.0.0.1:4130', 'gateways.voice.url'],
    ['HOSTED_SMS_GATEWAYS__VOICE__URL', 'localhost:4130', 'gateways.voice.url'],
    ['HOSTED_SMS_GATEWAYS__REGISTRY__URL', 'ftp//registry.example', 'gateways.registry.url'],
    ['HOSTED_SMS_GATEWAYS__CARRIER__URL', 'carrier.example:2775', 'gateways.carrier.url'],
    ['HOSTED_SMS_GATEWAYS__CARRIER__URL', 'smpp://carrier.example', 'gateways.carrier.url'],
    ['HOSTED_SMS_TEMPORAL__WEB_UI_URL', 'temporal.example.com', 'temporal.webUiUrl'],
  ])('names the key whose address is none: %s=%s', (name, value, key) => {
    expect(() => readConfig({ [name]: value })).toThrow(key);
  });

  it('takes the address of a carrier by the protocol it is spoken to with', () => {
    const env = {
      HOSTED_SMS_GATEWAYS__CARRIER__PROTOCOL: 'smpp',
      HOSTED_SMS_GATEWAYS__CARRIER__URL: 'ssmpp://carrier.example:2775',
    };
    expect(readConfig(env).gateways.carrier.url).toBe('ssmpp://carrier.example:2775');
  });

  it('allows private endpoints only for the word true', () => {
    expect(readConfig({ ALLOW_PRIVATE_WEBHOOKS: 'true' }).env.allowPrivateWebhooks).toBe(true);
    for (const value of ['false', '1', 'yes', 'TRUE'])
      expect(readConfig({ ALLOW_PRIVATE_WEBHOOKS: value }).env.allowPrivateWebhooks).toBe(false);
  });

  it('is described in the README, every name of it', () => {
    const names = new Set<string>();
    const watched = new Proxy<NodeJS.ProcessEnv>(
      {},
      {
        get: (_, name) => {
          names.add(String(name));
        },
      },
    );
    readConfig(watched);
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const chapter = readme.slice(readme.indexOf('## Environment'), readme.indexOf('## Contributing'));
    expect([...names].filter((name) => !chapter.includes(`\`${name}\``))).toEqual([]);
    expect(names).toContain('LOG_LEVEL');
  });

  it('counts an empty value as none', () => {
    expect(readConfig({ DATABASE_URL: '', SECRET_KEY: '' }).env).toMatchObject({
      databaseUrl: undefined,
      secretKey: undefined,
    });
  });
});
