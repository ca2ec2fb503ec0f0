/** What a test opens is closed after it, the last first. */
import { onTestFinished } from 'vitest';

export function opened<T extends { close(): Promise<void> }>(thing: T): T {
  onTestFinished(() => thing.close());
  return thing;
}
