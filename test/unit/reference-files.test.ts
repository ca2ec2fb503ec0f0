/** The committed OpenAPI document and Postman collection say what the code does. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { webhooks } from '../../api/event-reference.ts';
import { referenceFiles } from '../../docs/reference.ts';

const files = await referenceFiles();

describe('docs/openapi.json and docs/postman.json', () => {
  it.each(Object.entries(files))('%s is what `npm run reference` writes', async (name, made) => {
    expect(await readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8')).toBe(made);
  });

  it('are the same however often they are made', async () => {
    expect(await referenceFiles()).toEqual(files);
  });

  it('the collection sends samples of webhooks to the customer, and everything else to the service', () => {
    const { item, variable } = JSON.parse(files['postman.json']) as {
      item: { item: unknown }[];
      variable: { key: string; value: string }[];
    };
    const hostsOf = (folder: unknown) =>
      new Set([...JSON.stringify(folder).matchAll(/"host":\["([^"]*)"\]/g)].map(([, host]) => host));
    const requests = JSON.stringify(item.at(-1)).match(/"host":/g);
    expect(requests).toHaveLength(webhooks.length);
    expect(hostsOf(item.at(-1))).toEqual(new Set(['{{webhookUrl}}']));
    expect(hostsOf(item.slice(0, -1))).toEqual(new Set(['{{baseUrl}}']));
    expect(variable.find(({ key }) => key === 'webhookUrl')).toMatchObject({
      value: 'https://customer.example/webhooks',
      description: expect.stringContaining('Your endpoint'),
    });
  });

  it('the collection sends no idempotency key by itself: all requests after the first would be refused', () => {
    const sent: unknown[] = [];
    // Reads each header on its way through the document.
    JSON.parse(files['postman.json'], (_, value: { key?: unknown; disabled?: unknown } | null) => {
      if (value?.key === 'Idempotency-Key') sent.push(value.disabled);
      return value;
    });
    expect(new Set(sent)).toEqual(new Set([true]));
  });

  it('the collection has every webhook', () => {
    const collection = files['postman.json'].replaceAll(/\s/g, '');
    for (const event of ['receive', 'send', 'progress', 'read', 'delete']) {
      expect(collection).toContain(`"path":["message","${event}"]`);
    }
    expect(collection).toContain('"path":["optout","change"]');
  });
});
