/** What `npm run check` catches by lint: the slips that would break workflows, and the arrows between the folders. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'hosted-sms-lint-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** A handler of an update with these options. */
function inPlace(options: string): string {
  return `import { defineUpdate, setHandler } from '@temporalio/workflow';
     const update = defineUpdate<void, [string]>('change');
     export function listen(): void { setHandler(update, () => undefined, ${options}); }`;
}

/** Files with one slip each, and the rule that has to name it. */
const slips: Readonly<Record<string, readonly [rule: string, code: string]>> = {
  'workflows/forgotten-activity.ts': [
    'no-floating-promises',
    `import { proxyActivities } from '@temporalio/workflow';
     const { record } = proxyActivities<{ record(): Promise<void> }>({ startToCloseTimeout: '1 minute' });
     export async function forgetful(): Promise<void> { record(); }`,
  ],
  'workflows/async-validator.ts': [
    'no-misused-promises',
    `import { defineUpdate, setHandler } from '@temporalio/workflow';
     const update = defineUpdate<void, [string]>('change');
     export function listen(): void {
       setHandler(update, () => undefined, { validator: async (name) => { if (name) await Promise.resolve(); } });
     }`,
  ],
  'workflows/async-validator-without-parameters.ts': [
    'no-async-validator',
    inPlace(`{ validator: async () => { await Promise.resolve(); } }`),
  ],
  'workflows/async-validator-as-method.ts': [
    'no-async-validator',
    inPlace(`{ async validator() { await Promise.resolve(); } }`),
  ],
  'workflows/async-validator-in-quotes.ts': [
    'no-async-validator',
    inPlace(`{ 'validator': async function () { await Promise.resolve(); } }`),
  ],
  'workflows/reads-database.ts': [
    'no-restricted-imports',
    `import { openDatabase } from '../db/client.ts';\nexport const open = openDatabase;`,
  ],
  'workflows/uses-node.ts': [
    'no-restricted-imports',
    `import { readFileSync } from 'node:fs';\nexport const read = readFileSync;`,
  ],
  'workflows/uses-process.ts': ['no-restricted-globals', `export const pid = (): number => process.pid;`],
  'domain/knows-workflows.ts': [
    'no-restricted-imports',
    `import { orderWorkflowId } from '../workflows/messages.ts';\nexport const id = orderWorkflowId;`,
  ],
  'activities/knows-api.ts': [
    'no-restricted-imports',
    `import { createApp } from '../api/app.ts';\nexport const app = createApp;`,
  ],
  'activities/runs-workflow.ts': [
    'no-restricted-imports',
    `import { orderStart } from '../workflows/order-state.ts';\nexport const start = orderStart;`,
  ],
  'activities/builds-sql.ts': [
    'no-restricted-imports',
    `import { hostedNumberOrders } from '../db/schema/hosted-number-orders.ts';\nexport const table = hostedNumberOrders;`,
  ],
  'api/writes-orders.ts': [
    'no-restricted-imports',
    `import { insertOrder } from '../db/writes/hosted-number-orders.ts';\nexport const insert = insertOrder;`,
  ],
  'web/console/writes-orders.ts': [
    'no-restricted-imports',
    `import { insertOrder } from '../../db/writes/hosted-number-orders.ts';\nexport const insert = insertOrder;`,
  ],
  'activities/letter/knows-api.ts': [
    'no-restricted-imports',
    `import { createApp } from '../../api/app.ts';\nexport const app = createApp;`,
  ],
  'api/looks-behind-messages.ts': [
    'no-restricted-imports',
    `import { accountSidAttribute } from '../workflows/search-attributes.ts';\nexport const key = accountSidAttribute;`,
  ],
  'api/calls-gateway.ts': [
    'no-restricted-imports',
    `import type { Mail } from '../gateways/mail.ts';\nexport type Letter = Mail;`,
  ],
  'gateways/reads-environment.ts': [
    'no-process-env',
    `export const url = (): string | undefined => process.env['URL'];`,
  ],
  'db/looks-beside-itself.ts': [
    'no-pathname-of-module',
    `export const folder = new URL('./migrations', import.meta.url).pathname;`,
  ],
  'local/names-itself.ts': [
    'no-pathname-of-module',
    `export const program = new URL(import.meta.url).pathname;`,
  ],
  'db/knows-temporal.ts': [
    'no-restricted-imports',
    `import { Client } from '@temporalio/client';\nexport const client = Client;`,
  ],
  'local/shares-code.ts': [
    'no-restricted-imports',
    `import { isSid } from '../domain/sid.ts';\nexport const check = isSid;`,
  ],
};

let complaints: Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  for (const file of ['.oxlintrc.json', 'tsconfig.json', 'package.json', '.gitignore'])
    cpSync(join(root, file), join(copy, file));
  cpSync(join(root, 'lint'), join(copy, 'lint'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const [file, [, code]] of Object.entries(slips)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), `${code}\n`);
  }
  writeFileSync(join(copy, 'workflows/validator.ts'), `${inPlace(`{ validator: () => {} }`)}\n`);
  complaints = await lint();
});

async function lint(): Promise<Record<string, string[]>> {
  const oxlint = join(root, 'node_modules/.bin/oxlint');
  const output = await new Promise<string>((resolve) => {
    execFile(oxlint, ['--type-aware', '--format', 'json'], { cwd: copy }, (_err, stdout) => resolve(stdout));
  });
  const { diagnostics } = JSON.parse(output) as {
    readonly diagnostics: readonly { readonly filename: string; readonly code: string }[];
  };
  const found: Record<string, string[]> = {};
  for (const { filename, code } of diagnostics) (found[filename] ??= []).push(code);
  return found;
}

describe('lint', () => {
  it('finds nothing wrong with a validator that checks at once', () => {
    expect(complaints['workflows/validator.ts']).toBeUndefined();
  });

  it.each(Object.entries(slips))('catches the slip in %s', (file, [rule]) => {
    const found = complaints[file] ?? [];
    expect(
      found.some((code) => code.includes(rule)),
      `${file}: ${found.join(', ') || 'nothing'}`,
    ).toBe(true);
  });
});
