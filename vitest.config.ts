import { defineConfig } from 'vitest/config';

const project = (name: string, extra: object = {}) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], pool: 'forks' as const, ...extra },
});

export default defineConfig({
  test: {
    // One file at a time where servers are shared: two cores, and the time-skipping clock is global.
    projects: [
      project('unit'),
      project('replay', { testTimeout: 60_000, hookTimeout: 60_000 }),
      project('time', { testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false }),
      project('durable', { testTimeout: 120_000, hookTimeout: 600_000, fileParallelism: false }),
      project('api', { testTimeout: 60_000, hookTimeout: 600_000, fileParallelism: false }),
      project('e2e', { testTimeout: 180_000, hookTimeout: 600_000, fileParallelism: false }),
    ],
  },
});
