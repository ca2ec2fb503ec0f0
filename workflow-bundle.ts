/** The workflows as one script for the workers' sandboxes, kept between starts: making it takes two seconds. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { WorkflowBundle } from '@temporalio/worker';

/** Where workflow code may come from; what is elsewhere never reaches the sandbox. */
const sourceFolders = ['workflows', 'domain'];
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const maker = here('./make-workflow-bundle.ts');

/**
 * Takes the bundle from `cacheDir` when it was made from the very same sources, else has it made and kept there. Another
 * process makes it: webpack takes 130 MB, and leaves every `Array.concat` of its process a hundred times slower. `signal`
 * breaks that off.
 */
export async function workflowBundle(cacheDir: string, signal?: AbortSignal): Promise<WorkflowBundle> {
  const file = join(cacheDir, `workflows-${await sourceHash()}.js`);
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept !== null) return { code: kept };
  await mkdir(cacheDir, { recursive: true });
  const readsTypeScript = ['--import', new URL('./typescript.js', import.meta.url).href];
  await promisify(execFile)(process.execPath, [...readsTypeScript, maker, file], { signal });
  return { code: await readFile(file, 'utf8') };
}

/** Changes with every source file, with the version of the SDK, and with the way the bundle is made. */
async function sourceHash(): Promise<string> {
  const hash = createHash('sha256');
  const sdk = createRequire(import.meta.url).resolve('@temporalio/workflow/package.json');
  // The path as well: a bundle names the files it was made from.
  hash
    .update(sdk)
    .update(await readFile(sdk))
    .update(await readFile(maker));
  for (const folder of sourceFolders) {
    const path = here(`./${folder}/`);
    const names = (await readdir(path, { recursive: true })).filter((name) => name.endsWith('.ts'));
    for (const name of names.sort()) {
      hash.update(`${folder}/${name}\n`).update(await readFile(join(path, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
