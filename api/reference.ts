/** The machine-readable descriptions: OpenAPI, and the Postman collection made from it. */
import { readFile } from 'node:fs/promises';
import type { Hono } from 'hono';
import type { ApiDeps } from './deps.ts';
import { webhooks } from './event-reference.ts';
import { apiHeaders } from './headers.ts';
import { openApiDocument } from './openapi.ts';
import { operations } from './operations.ts';

/** The committed collection: what converts OpenAPI is a tool of development and not there in a running service. */
const collectionFile = new URL('../docs/postman.json', import.meta.url);

/** Serves `/openapi.json` and `/postman.json`, both with the address under which this service is reached. */
export function mountReference(app: Hono, { config: { env } }: Pick<ApiDeps, 'config'>): void {
  const headers = { ...apiHeaders, 'Content-Type': 'application/json' };
  const openapi = JSON.stringify(openApiDocument({ publicUrl: env.publicUrl, operations, webhooks }));
  app.get('/openapi.json', (ctx) => ctx.body(openapi, 200, headers));

  // The text is kept, not the promise of it: where it could not be read, the next request tries again.
  let collection: string | undefined;
  app.get('/postman.json', async (ctx) => {
    collection ??= await postmanCollection(env.publicUrl);
    return ctx.body(collection, 200, headers);
  });
}

interface Variable {
  readonly key: string;
  readonly value: string;
}

/** Every request to the service begins with the variable `baseUrl`. */
async function postmanCollection(publicUrl: string): Promise<string> {
  const text = await readFile(collectionFile, 'utf8');
  const collection = JSON.parse(text) as { readonly variable: readonly Variable[] };
  const variable = collection.variable.map((one) =>
    one.key === 'baseUrl' ? { ...one, value: publicUrl } : one,
  );
  return JSON.stringify({ ...collection, variable });
}
