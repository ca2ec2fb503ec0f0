/** Before the tests in skipped time: finds Temporal's time-skipping test server, builds it where it can be built. */
import type { TestProject } from 'vitest/node';


declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the executable; `null` where there is none. */
    readonly timeSkippingServer: string | null;
  }
}

export async function setup(project: TestProject): Promise<void> {
  const path = process.env['TEMPORAL_TEST_SERVER_PATH'] ?? null;
  if (path === null) {
    const message = 'no time-skipping server: install Java and Maven, or set TEMPORAL_TEST_SERVER_PATH';
    if (process.env['CI']) throw new Error(message);
    console.warn(`\n*** THE CLOCKS OF 3, 7 AND 30 DAYS ARE NOT TESTED: ${message} ***\n`);
  }
  project.provide('timeSkippingServer', path);
}
