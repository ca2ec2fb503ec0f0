/** A file that cannot be read for a moment, as when the process has too many open (EMFILE), is missed for that moment only. */
import fileSystem from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { Hono } from 'hono';
import { afterEach, expect, it, vi } from 'vitest';
import { mountReference } from '../../api/reference.ts';
import { readConfig } from '../../config.ts';
import { createAssets } from '../../web/assets.ts';

/** The next read fails, for everybody who imported `readFile`. */
function failNextRead(): void {
  const tooMany = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  vi.spyOn(fileSystem, 'readFile').mockRejectedValueOnce(tooMany);
  syncBuiltinESMExports();
}
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const served = (): Hono => {
  const app = new Hono().onError((_, ctx) => ctx.text('', 500));
  mountReference(app, { config: readConfig({}) });
  return app.route('/assets', createAssets());
};

it.each(['/postman.json', '/assets/icon.svg'])('%s is served again by the next request', async (path) => {
  const app = served();
  failNextRead();
  expect((await app.request(path)).status).toBe(500);
  expect((await app.request(path)).status).toBe(200);
});
