import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that need the same. Three files run at a time on two cores, whatever their kinds, since most wait now and then: every
 * file has a database, task queues and ports of its own. Files of a project share a process, since importing the product
 * takes two seconds and more.
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

const seconds = (test: number, hook: number) => ({ testTimeout: test * 1000, hookTimeout: hook * 1000 });
const setup = (...names: readonly string[]) => ({
  globalSetup: names.map((name) => `test/support/setup/${name}.ts`),
});

/**
 * Workflows run in the thread of their worker, in the same sandbox: a thread of its own costs each of some two hundred
 * workers half a second. The end-to-end tests keep the threads.
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
      project('unit', ['unit'], { ...seconds(30, 30) }),
      project('replay', ['replay'], { ...seconds(60, 60), ...setup('bundle') }),
      // One set of servers for both.
      project('servers', ['time', 'durable', 'api'], {
        ...withoutThreads,
        ...seconds(60, 120),
        ...setup('bundle', 'servers', 'time-skipping'),
      }),
      project('e2e', ['e2e'], { ...seconds(180, 180), ...setup('bundle', 'servers') }),
    ],
  },
});
