import { defineConfig } from 'vitest/config';

/** Tests of a kind. Groups run one after another: two cores carry one set of servers at a time. */
const project = (name: string, groupOrder: number, extra: object = {}) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    pool: 'forks' as const,
    sequence: { groupOrder },
    ...extra,
  },
});

const seconds = (test: number, hook: number) => ({ testTimeout: test * 1000, hookTimeout: hook * 1000 });
const setup = (name: string) => ({ globalSetup: `test/support/setup/${name}.ts` });

export default defineConfig({
  test: {
    projects: [
      project('unit', 0),
      project('replay', 1, { ...seconds(60, 60) }),
      project('time', 2, { ...seconds(120, 120), ...setup('time-skipping'), maxWorkers: 2 }),
      // One set of servers for all three; every file has a database and task queues of its own.
      project('durable', 3, { ...seconds(120, 120), ...setup('servers'), maxWorkers: 2 }),
      project('api', 3, { ...seconds(60, 120), ...setup('servers'), maxWorkers: 2 }),
      project('e2e', 3, { ...seconds(180, 180), ...setup('servers'), maxWorkers: 2 }),
    ],
  },
});
