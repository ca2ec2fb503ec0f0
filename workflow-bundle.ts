/** The workflows as one script for the workers' sandboxes, kept between starts: making it takes over a second. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundle } from '@temporalio/worker';

/** Where workflow code may come from; what is elsewhere never reaches the sandbox. */
const sourceFolders = ['workflows', 'domain'];
const workflowsPath = fileURLToPath(new URL('./workflows/index.ts', import.meta.url));

/** Takes the bundle from `cacheDir` when it was made from the very same sources, else makes it and keeps it there. */
export async function workflowBundle(cacheDir: string): Promise<WorkflowBundle> {
  const file = join(cacheDir, `workflows-${await sourceHash()}.js`);
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept !== null) return { code: kept };
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    // Evaluated once for a worker instead of once for each workflow: they hold definitions and no state.
    preloadModules: [workflowsPath],
    logger: new DefaultLogger('WARN'),
  });
  await mkdir(cacheDir, { recursive: true });
  // Written beside and renamed, so that another process never reads half of it.
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, code);
  await rename(temporary, file);
  return { code };
}

/** Changes with every source file, with the version of the SDK, and with the way the bundle is made. */
async function sourceHash(): Promise<string> {
  const hash = createHash('sha256');
  const sdk = createRequire(import.meta.url).resolve('@temporalio/workflow/package.json');
  // The path as well: a bundle names the files it was made from.
  hash
    .update(sdk)
    .update(await readFile(sdk))
    .update(await readFile(fileURLToPath(import.meta.url)));
  for (const folder of sourceFolders) {
    const path = fileURLToPath(new URL(`./${folder}/`, import.meta.url));
    const names = (await readdir(path, { recursive: true })).filter((name) => name.endsWith('.ts'));
    for (const name of names.sort()) {
      hash.update(`${folder}/${name}\n`).update(await readFile(join(path, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
