/** `/verify`: anyone who holds a signed letter can see whether it is genuine. The file is looked at and not kept. */
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { WebDeps } from '../deps.ts';
import { readPageForm } from '../page-form.ts';
import { privatePage, sendPage } from '../render.ts';
import { verifyFile } from './files.ts';
import { VerifyPage } from './page.tsx';

/** Largest file looked at. A letter in a script of many glyphs has a few hundred kilobytes. Bytes. */
const maxFileBytes = 10 * 1024 * 1024;

export function createVerification(deps: WebDeps): Hono {
  const verification = new Hono();
  verification.use(privatePage, bodyLimit({ maxSize: maxFileBytes }));
  verification.get('/', (ctx) => sendPage(ctx, <VerifyPage />));
  verification.post('/', async (ctx) => {
    const file = (await readPageForm(ctx)).get('file');
    if (!(file instanceof File) || file.size === 0) return sendPage(ctx, <VerifyPage missing />, 400);
    const result = await verifyFile(deps, new Uint8Array(await file.arrayBuffer()));
    return sendPage(ctx, <VerifyPage result={{ ...result, fileName: file.name }} />);
  });
  return verification;
}
