/** The registry over HTTP: its protocol for the service, its controls for scripts and people. Contract: design.md §5. */
import { setTimeout as pause } from 'node:timers/promises';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { isSame, phoneNumberOf, readForm } from './form.ts';
import { sendPage, wantsPage } from './pages/layout.tsx';
import { RegistryPage } from './pages/registry.tsx';
import {
  eligibilityOf,
  lineTypes,
  registryBehaviours,
  slowMs,
  type NumberFacts,
  type Registration,
  type Registry,
} from './registry.ts';

export function createRegistryRoutes(registry: Registry, token: string): Hono {
  const app = new Hono();
  app.route('/registry', protocol(registry, token));
  app.route('/registry', controls(registry));
  return app;
}

/** What the service speaks: Bearer token, JSON. */
function protocol(registry: Registry, token: string): Hono<{ Variables: { number: string } }> {
  const app = new Hono<{ Variables: { number: string } }>();
  const enter: MiddlewareHandler<{ Variables: { number: string } }> = async (ctx, next) => {
    if (!isSame(ctx.req.header('Authorization') ?? '', `Bearer ${token}`))
      return ctx.json({ reason: 'The token is wrong' }, 401);
    const number = phoneNumberOf(ctx.req.param('number') ?? '');
    if (!number) return ctx.json({ reason: 'Not a phone number' }, 400);
    const { behaviour } = registry.facts(number);
    const { signal } = ctx.req.raw;
    if (behaviour === 'slow') await pause(slowMs, undefined, { signal }).catch(() => {});
    // Who has left hears no answer.
    if (signal.aborted) return ctx.body(null, 408);
    if (behaviour === 'failing' || registry.failsNow(number))
      return ctx.json({ reason: 'Out of service' }, 503);
    if (behaviour === 'unknown') return ctx.json({ reason: 'The registry does not know the number' }, 404);
    ctx.set('number', number);
    return next();
  };
  app.use('/eligibility/:number', enter);
  app.use('/registrations/:number', enter);

  app.get('/eligibility/:number', (ctx) => ctx.json(eligibilityOf(registry.facts(ctx.get('number')))));
  app.put('/registrations/:number', async (ctx) => {
    const body: unknown = await ctx.req.json().catch(() => null);
    const key = ctx.req.header('Idempotency-Key') ?? null;
    const registration = await registry.register(ctx.get('number'), key, documentSidOf(body));
    return ctx.json(registrationAnswer(registration), registration.state === 'pending' ? 202 : 200);
  });
  app.get('/registrations/:number', (ctx) => {
    const registration = registry.registration(ctx.get('number'));
    return registration
      ? ctx.json(registrationAnswer(registration))
      : ctx.json({ reason: 'The number is not registered' }, 404);
  });
  app.delete('/registrations/:number', async (ctx) =>
    (await registry.deregister(ctx.get('number')))
      ? ctx.body(null, 204)
      : ctx.json({ reason: 'The number is not registered' }, 404),
  );
  return app;
}

function controls(registry: Registry): Hono {
  const app = new Hono();
  app.get('/', (ctx) => {
    if (wantsPage(ctx))
      return sendPage(ctx, <RegistryPage registry={registry} asked={ctx.req.query('number')} />);
    return ctx.json(registry.known().map((number) => describe(registry, number)));
  });
  app.get('/numbers/:number', (ctx) => {
    const number = phoneNumberOf(ctx.req.param('number'));
    return number ? ctx.json(describe(registry, number)) : ctx.json({ error: 'not a phone number' }, 400);
  });
  app.post('/numbers/:number?', async (ctx) => {
    const form = await lowerCaseForm(ctx);
    const number = phoneNumberOf(ctx.req.param('number') ?? form.get('number') ?? '');
    if (!number) return ctx.json({ error: 'not a phone number such as +14155550123' }, 400);
    const changes = changesOf(form);
    if ('error' in changes) return ctx.json(changes, 400);
    if (form.get('reset') === 'true') await registry.reset(number);
    else await registry.set(number, changes);
    if (wantsPage(ctx)) return ctx.redirect(`/registry?number=${encodeURIComponent(number)}`, 303);
    return ctx.json(describe(registry, number));
  });
  return app;
}

/** Everything the registry would say of a number. */
function describe(registry: Registry, number: string): Record<string, unknown> {
  const facts = registry.facts(number);
  const { eligible, reason } = eligibilityOf(facts);
  return { number, ...facts, eligible, reason, registration: registry.registration(number) };
}

/** `Holder`, `holder`, `LineType`, `line_type`: all the same to a script. */
async function lowerCaseForm(ctx: Context): Promise<ReadonlyMap<string, string>> {
  const form = await readForm(ctx);
  return new Map([...form].map(([name, [value = '']]) => [name.toLowerCase().replaceAll('_', ''), value]));
}

function changesOf(form: ReadonlyMap<string, string>): Partial<NumberFacts> | { readonly error: string } {
  const line = form.get('linetype');
  const lineType = lineTypes.find((known) => known === line);
  const way = form.get('behaviour') ?? form.get('behavior');
  const behaviour = registryBehaviours.find((known) => known === way);
  const holder = form.get('holder')?.trim();
  if (line && !lineType) return { error: `LineType is one of ${lineTypes.join(', ')}` };
  if (way && !behaviour) return { error: `Behaviour is one of ${registryBehaviours.join(', ')}` };
  return {
    ...(holder !== undefined && { holder: holder || null }),
    ...(lineType && { lineType }),
    ...(behaviour && { behaviour }),
  };
}

function documentSidOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('documentSid' in body)) return null;
  return typeof body.documentSid === 'string' ? body.documentSid : null;
}

const registrationAnswer = ({ state, reason }: Registration): object => ({ state, reason });
