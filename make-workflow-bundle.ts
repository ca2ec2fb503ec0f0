/** Makes the workflows' bundle, as a process of its own (see `workflowBundle`). Argument: the file it is to be. */
import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const [, , file = ''] = process.argv;
const workflowsPath = fileURLToPath(new URL('./workflows/index.ts', import.meta.url));
const { code } = await bundleWorkflowCode({
  workflowsPath,
  // Evaluated once for a worker instead of once for each workflow: they hold definitions and no state.
  preloadModules: [workflowsPath],
  logger: new DefaultLogger('WARN'),
});
// Written beside and renamed, so that another process never reads half of it.
const temporary = `${file}.${randomUUID()}`;
await writeFile(temporary, code);
await rename(temporary, file);
