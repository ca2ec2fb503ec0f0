/**
 * `npm run record-histories [-- --only name]`: plays every scenario that has no recording of this version on a real
 * server, and keeps its history. A recording is never replaced (decision 0025).
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
import { historyOf, onServerFor, scenarios, type Scenario } from './scenarios/index.ts';

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const packageFile = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
await mkdir(historiesFolder, { recursive: true });

const server = await startTestTemporal();
try {
  for (const scenario of scenarios) {
    if (values.only !== undefined && values.only !== scenario.name) continue;
    const file = `${historiesFolder}${version}-${scenario.name}.json`;
    if (existsSync(file)) {
      process.stdout.write(`kept      ${scenario.name}\n`);
      continue;
    }
    await writeFile(file, await record(scenario));
    process.stdout.write(`recorded  ${scenario.name}\n`);
  }
} finally {
  await server.stop();
}

function record(scenario: Scenario): Promise<string> {
  const { env = {}, answers = {}, play } = scenario;
  return onServerFor(scenario, server, async ({ client, connection }) => {
    let history = '';
    await inFakeWorld({ client, connection, settings: readConfig(env), answers }, async (world) => {
      history = historyToJSON(await historyOf(client, await play(world)));
    });
    return `${JSON.stringify(JSON.parse(history), null, 1)}\n`;
  });
}
