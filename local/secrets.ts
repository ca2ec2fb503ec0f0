/** Credentials of this machine's service: taken from the environment, else from the last start, else made. */
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openJsonFile } from './json-file.ts';

/** How each is made; the names are those of the environment. Source: design.md §5. */
const makers = {
  SECRET_KEY: () => randomBytes(32).toString('hex'),
  ACCOUNT_SID: () => `AC${randomUUID().replaceAll('-', '')}`,
  AUTH_TOKEN: () => randomBytes(16).toString('hex'),
  ADMIN_TOKEN: () => randomBytes(16).toString('hex'),
  CARRIER_TOKEN: () => randomBytes(16).toString('hex'),
  VOICE_AUTH_TOKEN: () => randomBytes(16).toString('hex'),
  REGISTRY_TOKEN: () => randomBytes(16).toString('hex'),
} as const satisfies Record<string, () => string>;

type Secret = keyof typeof makers;
export type Secrets = Readonly<Record<Secret, string>>;

export const secretsFile = (dataDir: string): string => join(dataDir, 'secrets.json');

/** Kept in a file, readable by its owner alone. */
export async function keepSecrets(dataDir: string, env: NodeJS.ProcessEnv): Promise<Secrets> {
  const file = openJsonFile<Partial<Record<Secret, string>>>(secretsFile(dataDir), {});
  const names = Object.keys(makers) as Secret[];
  for (const name of names) file.state[name] = env[name] || (file.state[name] ?? makers[name]());
  await file.save();
  return file.state as Secrets;
}
