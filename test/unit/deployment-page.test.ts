/** docs/deployment.md, as far as the code can say whether it is right. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiNeeds, workerNeeds } from '../../requirements.ts';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const rows = read('docs/deployment.md').split('\n');

it('the codec’s authorization fits one line, however long the token is', () => {
  const commands = ['docs/deployment.md', 'docs/operations.md'].map(
    (page) => /--codec-auth ("Basic \$\(.+?\)")/.exec(read(page).replaceAll('\n', ' '))?.[1],
  );
  const ADMIN_TOKEN = 'x'.repeat(200);
  for (const command of commands) {
    const told = execFileSync('sh', ['-c', `printf %s ${command}`], { env: { ...process.env, ADMIN_TOKEN } });
    expect(String(told)).toBe(`Basic ${Buffer.from(`admin:${ADMIN_TOKEN}`).toString('base64')}`);
  }
});

describe('the page about deployment', () => {
  it.each([
    ['npm run serve', apiNeeds],
    ['npm run worker', workerNeeds],
  ])('names everything that %s does not start without', (command, needs) => {
    const row = (start: string) => rows.find((line) => line.includes(start)) ?? '';
    // The worker's row says "the same" of the variables in the API's.
    const told =
      row(`\`${command}\``) + (row(`\`${command}\``).includes('the same') ? row('npm run serve') : '');
    expect(needs.filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
  });
});
