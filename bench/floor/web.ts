/** A bare route on the product's own HTTP server, in a process of its own. Standard input: the JSON it answers with. */
import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const document: unknown = JSON.parse(readFileSync(0, 'utf8'));
const app = new Hono();
app.get('/', (ctx) => ctx.json(document as Record<string, unknown>));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.(port));
process.once('disconnect', () => process.exit(0));
