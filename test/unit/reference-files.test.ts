/** The committed OpenAPI document and Postman collection say what the code does. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { referenceFiles } from '../../docs/reference.ts';

const files = await referenceFiles();

describe('docs/openapi.json and docs/postman.json', () => {
  it.each(Object.entries(files))('%s is what `npm run reference` writes', async (name, made) => {
    expect(await readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8')).toBe(made);
  });

  it('are the same however often they are made', async () => {
    expect(await referenceFiles()).toEqual(files);
  });

  it('the collection has every webhook', () => {
    const collection = files['postman.json'].replaceAll(/\s/g, '');
    for (const event of ['receive', 'send', 'progress', 'read', 'delete']) {
      expect(collection).toContain(`"path":["message","${event}"]`);
    }
    expect(collection).toContain('"path":["optout","change"]');
  });
});
