/** Before the tests that run workflows: makes their bundle, so that a dozen files do not all begin with making it. */
import { testBundle } from '../bundle.ts';

export async function setup(): Promise<void> {
  await testBundle();
}
