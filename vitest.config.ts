import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that need the same. Three files run at a time on two cores, since most wait now and then: every file has a
 * database, task queues and ports of its own. Files of a project share a process, since importing the product takes two
 * seconds and more.
 */
const project = (name: string, folders: readonly string[], extra: object) => ({
  test: {
    name,
    include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
    pool: 'forks' as const,
    isolate: false,
    maxWorkers: 3,
    // Four helper threads of V8 in each of three processes take a sixth of two cores' time; this lets V8 choose.
    execArgv: ['--v8-pool-size=0'],
    ...extra,
  },
});

const setup = (...names: readonly string[]) => ({
  globalSetup: names.map((name) => `test/support/setup/${name}.ts`),
});

/**
 * Workflows run in the thread of their worker, in the same sandbox: a thread of its own costs each of some two hundred
 * workers half a second. The processes that the end-to-end tests start have the threads.
 */
const withoutThreads = { env: { TEMPORAL_DEBUG: 'true' } };

/** Begun in this order: what takes long or mostly waits first, so that the other core has work meanwhile. */
const order = [
  'e2e/order-crash',
  'durable/scenarios',
  'time/',
  'e2e/',
  'unit/smpp-',
  'durable/',
  'api/',
  'replay/',
  'unit/',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      order.findIndex((start) => moduleId.includes(`/test/${start}`));
    return (await super.sort(files)).toSorted((left, right) => rank(left) - rank(right));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      project('unit', ['unit'], { testTimeout: 30_000, hookTimeout: 30_000 }),
      project('replay', ['replay'], { testTimeout: 60_000, hookTimeout: 60_000, ...setup('bundle') }),
      project('servers', ['time', 'durable', 'api', 'e2e'], {
        testTimeout: 180_000,
        hookTimeout: 180_000,
        ...withoutThreads,
        ...setup('bundle', 'servers', 'time-skipping'),
      }),
    ],
  },
});
