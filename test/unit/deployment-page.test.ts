/** docs/deployment.md, as far as the code can say whether it is right. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const rows = read('docs/deployment.md').split('\n');

/** What a process does not start without. */
const requiredBy = (file: string): string[] =>
  ['boot.ts', file].flatMap((source) =>
    [...read(source).matchAll(/required\('([^']+)'/g)].map(([, name = '']) => name),
  );

describe('the page about deployment', () => {
  it.each([
    ['npm run serve', 'serve.ts'],
    ['npm run worker', 'worker.ts'],
  ])('names everything that %s does not start without', (command, file) => {
    const row = (start: string) => rows.find((line) => line.includes(start)) ?? '';
    // The worker's row says "the same" of the variables in the API's.
    const told =
      row(`\`${command}\``) + (row(`\`${command}\``).includes('the same') ? row('npm run serve') : '');
    expect(requiredBy(file)).not.toHaveLength(0);
    expect(requiredBy(file).filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
  });
});
