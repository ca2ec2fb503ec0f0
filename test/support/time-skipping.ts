/**
 * Temporal's own test server, whose clock jumps over waits: days pass in milliseconds, with the real constants.
 * Its clock is one for all workflows, so each test file has a server of its own.
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { readConfig, type Config } from '../../config.ts';
import { inFakeWorld, type FakeWorld, type FakeWorldOptions } from './fake-world.ts';
import './quiet-runtime.ts';
import { until } from './until.ts';

/** IndexedValueType KEYWORD of Temporal's API. */
const keyword = 2;

/**
 * A `describe` on a time-skipping server. Where there is none its tests are skipped and their name says so; in CI the
 * run has failed before (setup/time-skipping.ts).
 */
export function describeInSkippedTime(
  name: string,
  body: (env: () => TestWorkflowEnvironment) => void,
): void {
  const server = inject('timeSkippingServer');
  const title = server === null ? `NOT TESTED, no time-skipping server: ${name}` : name;
  describe.skipIf(server === null)(title, () => {
    let env: TestWorkflowEnvironment | undefined;
    beforeAll(async () => {
      env = await startServer(server ?? '');
    });
    afterAll(() => env?.teardown());
    body(() => {
      if (!env) throw new Error('the time-skipping server is not running');
      return env;
    });
  });
}

/** Plays in a fake world on that server, with the real constants. */
export const worldsOf =
  (env: () => TestWorkflowEnvironment) =>
  (play: (world: FakeWorld) => Promise<void>, answers: FakeWorldOptions['answers'] = {}): Promise<void> =>
    inFakeWorld(
      { client: env().client, connection: env().nativeConnection, settings: deliveredConfig, answers },
      play,
    );

/** The settings as delivered: the clocks are tested with the constants of `temporal.yaml`. */
export const deliveredConfig: Config = readConfig({});

async function startServer(path: string): Promise<TestWorkflowEnvironment> {
  // The SDK gives it five seconds, which it may take while three files are being loaded.
  const env = await until(() =>
    TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } }),
  );
  await env.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: Object.fromEntries(
      deliveredConfig.temporal.searchAttributes.map((name) => [name, keyword]),
    ),
  });
  return env;
}
