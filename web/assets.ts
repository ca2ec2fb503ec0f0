/** Style sheets and scripts. All come from this machine: our own folder, or a package that npm installed. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Hono } from 'hono';
import { commonHeaders } from './render.ts';

interface Asset {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

const css = 'text/css; charset=utf-8';
// Swagger UI is UTF-8 without saying so: served without a charset it dies with a syntax error.
const javascript = 'text/javascript; charset=utf-8';

/** Name in the URL → where the file is and what it is. */
const files = {
  'pico.css': ['@picocss/pico/css/pico.min.css', css],
  'htmx.js': ['htmx.org/dist/htmx.min.js', javascript],
  'swagger-ui.css': ['swagger-ui-dist/swagger-ui.css', css],
  'swagger-ui.js': ['swagger-ui-dist/swagger-ui-bundle.js', javascript],
  'site.css': ['./assets/site.css', css],
  'console.css': ['./assets/console.css', css],
  'letter.css': ['./assets/letter.css', css],
  'reference.css': ['./assets/reference.css', css],
  'reference.js': ['./assets/reference.js', javascript],
  'icon.svg': ['./assets/icon.svg', 'image/svg+xml'],
} as const satisfies Record<string, readonly [string, string]>;

/** Serves `/assets/{name}`. Browsers ask each time and are answered 304 while nothing changed. */
export function createAssets(): Hono {
  const assets = new Hono();
  for (const [name, [file, contentType]] of Object.entries(files)) {
    // The file is kept, not the promise of it: where it could not be read, the next request tries again.
    let loaded: Asset | undefined;
    assets.get(`/${name}`, async (ctx) => {
      loaded ??= await load(file);
      const { body, etag } = loaded;
      const headers = { ...commonHeaders, ETag: etag, 'Cache-Control': 'no-cache' };
      if (ctx.req.header('If-None-Match') === etag) return ctx.body(null, 304, headers);
      return ctx.body(body, 200, { ...headers, 'Content-Type': contentType });
    });
  }
  return assets;
}

async function load(file: string): Promise<Asset> {
  const path = file.startsWith('./')
    ? new URL(file, import.meta.url)
    : createRequire(import.meta.url).resolve(file);
  const body = new Uint8Array(await readFile(path));
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, etag };
}
