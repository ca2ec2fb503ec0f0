/** The workflows as one script, made once for all test files and kept while the sources stay the same. */
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkflowBundle } from '@temporalio/worker';
import { workflowBundle } from '../../workflow-bundle.ts';

const cacheDir = fileURLToPath(new URL('../../node_modules/.cache/hosted-sms', import.meta.url));

export function testBundle(): Promise<WorkflowBundle> {
  return workflowBundle(cacheDir);
}

/** Lets the processes of a new installation find the bundle, as those of one that has been started before do. */
export async function shareBundle(dataDir: string): Promise<void> {
  await mkdir(cacheDir, { recursive: true });
  await symlink(cacheDir, join(dataDir, 'cache'));
}
