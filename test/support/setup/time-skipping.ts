/** Before the tests in skipped time: finds Temporal's time-skipping test server, builds it where it can be built. */
import type { TestProject } from 'vitest/node';
import { findTimeSkippingServer } from '../../../local/time-skipping.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the executable; `null` where there is none. */
    readonly timeSkippingServer: string | null;
  }
}

export async function setup(project: TestProject): Promise<void> {
  const server = await findTimeSkippingServer();
  if ('missing' in server) {
    if (process.env['CI']) throw new Error(server.missing);
    console.warn(`\n*** THE CLOCKS OF 3, 7 AND 30 DAYS ARE NOT TESTED. ${server.missing} ***\n`);
  }
  project.provide('timeSkippingServer', 'path' in server ? server.path : null);
}
