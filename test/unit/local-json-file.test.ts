import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJsonFile } from '../../local/json-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'json-file-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the state of a stand-in', () => {
  it('is written again after a write that failed', async () => {
    const path = join(folder, 'state.json');
    const file = openJsonFile(path, { calls: 0 });
    await rm(folder, { recursive: true });
    await expect(file.save()).rejects.toThrow('ENOENT');
    await mkdir(folder);
    file.state.calls = 2;
    await file.save();
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ calls: 2 });
  });

  it('is on the disk as it was last, when saves that meet are done', async () => {
    const path = join(folder, 'state.json');
    const file = openJsonFile(path, { calls: 0 });
    const saves = Array.from({ length: 20 }, () => {
      file.state.calls += 1;
      return file.save();
    });
    await Promise.all(saves);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ calls: 20 });
  });
});
