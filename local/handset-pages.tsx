/** Pages on which a person is the owner of handsets: reads what came, answers it. They keep themselves up to date. */
import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import type { CarrierNetwork } from './carrier-network.ts';
import type { CarrierStore } from './carrier-store.ts';
import { handsetOf } from './form.ts';
import { readTextForm } from './handset-form.ts';
import { HandsetsPage } from './handset-views.tsx';
import { conversationOf, listHandsets } from './handsets.ts';
import { sendPage } from './pages/layout.tsx';

export interface HandsetPagesDeps {
  readonly network: CarrierNetwork;
  readonly store: CarrierStore;
}

/** Below `/handsets`. */
export function createHandsetPages({ network, store }: HandsetPagesDeps): Hono {
  const app = new Hono();
  app.get('/', (ctx) => {
    const handsets = listHandsets(store);
    const number = handsetOf(ctx.req.query('number') ?? '') ?? handsets[0]?.number;
    const current =
      number === undefined
        ? null
        : { number, behaviour: network.behaviourOf(number), texts: conversationOf(store, number) };
    return sendPage(ctx, <HandsetsPage handsets={handsets} current={current} />);
  });
  app.post('/texts', async (ctx) => {
    const text = await readTextForm(ctx);
    if (!text) return ctx.redirect('/handsets', 303);
    const { from, to, body, mediaUrls } = text;
    await network.send({ from, to, body, mediaUrls });
    return ctx.redirect(`/handsets?number=${encodeURIComponent(from)}`, 303);
  });
  app.get('/handsets.css', async (ctx) => {
    const css = await readFile(new URL('handsets.css', import.meta.url), 'utf8');
    return ctx.body(css, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' });
  });
  return app;
}
