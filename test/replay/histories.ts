/** The recorded histories: `<version>-<scenario>.json`, as `historyToJSON` writes them. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const historiesFolder = fileURLToPath(new URL('./histories/', import.meta.url));

export interface Recording {
  readonly file: string;
  /** Release that recorded it. */
  readonly version: string;
  readonly scenario: string;
}

export function recordings(): Recording[] {
  return readdirSync(historiesFolder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const [, version = '', scenario = ''] = /^(\d+\.\d+\.\d+)-(.+)\.json$/.exec(file) ?? [];
      return { file, version, scenario };
    });
}

export function readRecording({ file }: Recording): unknown {
  return JSON.parse(readFileSync(historiesFolder + file, 'utf8'));
}
