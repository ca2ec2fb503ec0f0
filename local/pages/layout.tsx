/** The frame of every page of the stand-ins, and the plain files the pages need. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Child, FC, PropsWithChildren } from 'hono/jsx';

const places = [
  ['/phone', 'Phone'],
  ['/mail', 'Mail'],
  ['/handsets', 'Handsets'],
  ['/registry', 'Registry'],
] as const;

export interface LocalPageProps {
  readonly title: string;
  /** Path of the place in the bar that this page belongs to. */
  readonly place?: (typeof places)[number][0];
}

// Parts that poll keep what they show while nothing has changed or nobody answers.
const htmxConfig = JSON.stringify({ includeIndicatorCSS: false, noSwap: [204, '4xx', '5xx'] });

export const LocalPage: FC<PropsWithChildren<LocalPageProps>> = ({ title, place, children }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="htmx-config" content={htmxConfig} />
      <title>{`${title} · outside world`}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href="/assets/pico.css" />
      <link rel="stylesheet" href="/assets/local.css" />
      <script src="/assets/htmx.js" defer />
      <script src="/assets/phone.js" defer />
      <script src="/assets/mail.js" defer />
    </head>
    <body>
      <header class="bar">
        <a class="brand" href="/">
          The outside world <small>on this machine</small>
        </a>
        <nav aria-label="Main">
          {places.map(([href, label]) => (
            <a href={href} {...(href === place ? { 'aria-current': 'page' } : {})}>
              {label}
            </a>
          ))}
        </nav>
      </header>
      <main>{children}</main>
    </body>
  </html>
);

/** Time of day, with the whole date on hover. `at`: ISO 8601. */
export const When: FC<{ at: string }> = ({ at }) => (
  <time datetime={at} title={new Date(at).toUTCString()}>
    {new Date(at).toTimeString().slice(0, 8)}
  </time>
);

/** Answers with a whole page. Everything on it comes from this server. */
export function sendPage(ctx: Context, page: Child): Response | Promise<Response> {
  ctx.header('Content-Security-Policy', "default-src 'self'; img-src 'self' data:; frame-ancestors 'self'");
  ctx.header('X-Content-Type-Options', 'nosniff');
  return ctx.html(html`<!doctype html>${page}`);
}

/** Tells whether a browser asks, rather than a script. */
export function wantsPage(ctx: Context): boolean {
  return ctx.req.header('Accept')?.includes('text/html') ?? false;
}

const css = 'text/css; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';
const files = {
  'pico.css': ['@picocss/pico/css/pico.min.css', css],
  'htmx.js': ['htmx.org/dist/htmx.min.js', javascript],
  'local.css': ['./local.css', css],
  'phone.js': ['./phone.js', javascript],
  'mail.js': ['./mail.js', javascript],
} as const;

/** Serves `/assets/{name}`. */
export function createAssets(): Hono {
  const assets = new Hono();
  for (const [name, [file, contentType]] of Object.entries(files)) {
    const path = file.startsWith('./')
      ? new URL(file, import.meta.url)
      : createRequire(import.meta.url).resolve(file);
    assets.get(`/${name}`, async (ctx) => {
      const body = new Uint8Array(await readFile(path));
      return ctx.body(body, 200, { 'Content-Type': contentType, 'Cache-Control': 'no-cache' });
    });
  }
  return assets;
}
