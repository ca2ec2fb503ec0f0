/**
 * `npm run record-histories [-- --only name] [-- --overwrite]`: plays every scenario that has no recording of this
 * version on a real server, and keeps its history. An existing recording is never replaced without --overwrite.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { startTestTemporal } from '../support/temporal-server.ts';
import { inFakeWorld } from '../support/fake-world.ts';
import { readConfig } from '../../config.ts';
import '../support/quiet-runtime.ts';
import { historiesFolder } from './histories.ts';
import { scenarios, type Scenario } from './scenarios/index.ts';

const { values } = parseArgs({ options: { only: { type: 'string' }, overwrite: { type: 'boolean' } } });
const packageFile = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
await mkdir(historiesFolder, { recursive: true });

const server = await startTestTemporal();
try {
  for (const scenario of scenarios) {
    if (values.only !== undefined && values.only !== scenario.name) continue;
    const file = `${historiesFolder}${version}-${scenario.name}.json`;
    if (existsSync(file) && !values.overwrite) {
      process.stdout.write(`kept      ${scenario.name}\n`);
      continue;
    }
    await writeFile(file, await historyOf(scenario));
    process.stdout.write(`recorded  ${scenario.name}\n`);
  }
} finally {
  await server.stop();
}

async function historyOf({ env = {}, answers = {}, play }: Scenario): Promise<string> {
  const { client, connection } = server;
  let history = '';
  await inFakeWorld({ client, connection, settings: readConfig(env), answers }, async (world) => {
    const handle = client.workflow.getHandle(await play(world));
    history = historyToJSON(await handle.fetchHistory());
  });
  return `${JSON.stringify(JSON.parse(history), null, 1)}\n`;
}
