/** The workflows as one script, made once for all test files and kept while the sources stay the same. */
import { fileURLToPath } from 'node:url';
import type { WorkflowBundle } from '@temporalio/worker';
import { workflowBundle } from '../../workflow-bundle.ts';

const cacheDir = fileURLToPath(new URL('../../node_modules/.cache/hosted-sms', import.meta.url));

export function testBundle(): Promise<WorkflowBundle> {
  return workflowBundle(cacheDir);
}
