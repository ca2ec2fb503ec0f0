/** `/docs`: the API reference, the errors, the webhooks. */
import { Hono } from 'hono';
import type { WebDeps } from '../deps.ts';
import { sendPage } from '../render.ts';
import { ErrorsPage } from './errors.tsx';
import { ReferencePage } from './reference.tsx';
import { WebhooksPage } from './webhooks.tsx';

export function createDocs({ config }: WebDeps): Hono {
  const docs = new Hono();
  docs.get('/', (ctx) => sendPage(ctx, <ReferencePage />));
  docs.get('/errors', (ctx) => sendPage(ctx, <ErrorsPage />));
  docs.get('/webhooks', (ctx) => sendPage(ctx, <WebhooksPage config={config} />));
  return docs;
}
