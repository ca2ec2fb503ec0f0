/** Pages on which a person is the owner of handsets: reads what came, answers it. They keep themselves up to date. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { CarrierNetwork } from './carrier-network.ts';
import type { CarrierStore } from './carrier-store.ts';
import { readForm } from './handset-form.ts';
import { Handset, HandsetList, HandsetsPage, Texts } from './handset-views.tsx';
import { conversationOf, listHandsets } from './handsets.ts';

export interface HandsetPagesDeps {
  readonly network: CarrierNetwork;
  readonly store: CarrierStore;
}

const assets = {
  'pico.css': ['@picocss/pico/css/pico.min.css', 'text/css; charset=utf-8'],
  'htmx.js': ['htmx.org/dist/htmx.min.js', 'text/javascript; charset=utf-8'],
} as const;

/** Below `/handsets`. */
export function createHandsetPages({ network, store }: HandsetPagesDeps): Hono {
  const app = new Hono();
  const numberOf = (query: string | undefined): string | null =>
    query?.trim().replace(/^(?=\d)/, '+') || null;

  app.get('/', (ctx) => {
    const number = numberOf(ctx.req.query('number'));
    const handsets = listHandsets(store);
    const current = number ?? handsets[0]?.number ?? null;
    const page = (
      <HandsetsPage handsets={handsets} current={current}>
        {current !== null && (
          <Handset
            number={current}
            behaviour={network.behaviourOf(current)}
            texts={conversationOf(store, current)}
          />
        )}
      </HandsetsPage>
    );
    return ctx.html(html`<!doctype html>${page}`);
  });
  app.get('/list', (ctx) =>
    ctx.html(<HandsetList handsets={listHandsets(store)} current={numberOf(ctx.req.query('number'))} />),
  );
  app.get('/texts', (ctx) => {
    const number = numberOf(ctx.req.query('number')) ?? '';
    return ctx.html(<Texts number={number} texts={conversationOf(store, number)} />);
  });
  app.post('/texts', async (ctx) => {
    const { from, to, body, mediaUrls } = await readForm(ctx);
    if (from && to) await network.send({ from, to, body, mediaUrls });
    return ctx.redirect(`/handsets?number=${encodeURIComponent(from)}`, 303);
  });
  for (const [name, [file, contentType]] of Object.entries(assets))
    app.get(`/assets/${name}`, async (ctx) => {
      const body = await readFile(createRequire(import.meta.url).resolve(file), 'utf8');
      return ctx.body(body, 200, { 'content-type': contentType, 'cache-control': 'max-age=3600' });
    });
  return app;
}
