/** A workflow that reaches out of its sandbox: bundling.test.ts shows that it is refused. */
import { readFileSync } from 'node:fs';

export async function leaking(): Promise<string> {
  return readFileSync('/etc/hostname', 'utf8');
}
