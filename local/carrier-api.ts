/** The carrier's HTTP: the API that the service calls, the control calls of scripts, and the handsets' pages. */
import { timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import type { CarrierNetwork } from './carrier-network.ts';
import type { CarrierStore, IncomingRow } from './carrier-store.ts';
import { behaviours } from './handset-behaviour.ts';
import { createHandsetPages } from './handset-pages.tsx';
import { readForm } from './handset-form.ts';

export interface CarrierApiDeps {
  readonly network: CarrierNetwork;
  readonly store: CarrierStore;
  readonly systemId: string;
  readonly token: string;
}

export function createCarrierApi(deps: CarrierApiDeps): Hono {
  const app = new Hono();
  app.route('/', createSubmissionApi(deps));
  app.route('/', createControlApi(deps));
  app.route('/handsets', createHandsetPages(deps));
  return app;
}

/** Twilio's codes: 20003 wrong credentials, 20429 too many requests, 21211 invalid number, 30005 no such handset. */
const errors = {
  unauthorized: { status: 401, code: 20003, message: 'Authenticate' },
  invalid: { status: 400, code: 21211, message: 'From, To, and a Body or MediaUrl are required' },
  refused: { status: 400, code: 30005, message: 'Unknown destination handset' },
  throttled: { status: 429, code: 20429, message: 'Too Many Requests' },
} as const;

/** Twilio-shaped. `Idempotency-Key`: the same key is the same text. */
function createSubmissionApi({ network, systemId, token }: CarrierApiDeps): Hono {
  const app = new Hono();
  app.post('/2010-04-01/Accounts/:account/Messages.json', async (ctx) => {
    if (!isAuthorized(ctx.req.header('authorization'), systemId, token))
      return ctx.json(errors.unauthorized, 401, { 'www-authenticate': 'Basic realm="carrier"' });
    const form = await readForm(ctx);
    if (!form.from || !form.to || (!form.body && form.mediaUrls.length === 0))
      return ctx.json(errors.invalid, 400);
    const verdict = await network.judge(form);
    if (verdict === 'refused') return ctx.json(errors.refused, 400);
    if (verdict === 'throttled') return ctx.json(errors.throttled, 429, { 'retry-after': '1' });
    const { from, to, body, mediaUrls } = form;
    const statusCallback = form.text('StatusCallback') || null;
    const key = ctx.req.header('idempotency-key') ?? null;
    const wantsReceipt = statusCallback !== null;
    const text = network.carry({ via: 'http', key, from, to, body, mediaUrls, statusCallback, wantsReceipt });
    return ctx.json({ sid: text.sid, status: 'queued' }, 201);
  });
  return app;
}

/** For scripts: what the network does, without a person at a handset. */
function createControlApi({ network, store }: CarrierApiDeps): Hono {
  const app = new Hono();
  app.get('/messages', (ctx) => {
    const to = ctx.req
      .query('to')
      ?.trim()
      .replace(/^(?=\d)/, '+');
    const arrived = store.outgoing.all().filter((row) => row.arrivedAt !== null && (!to || row.to === to));
    return ctx.json(
      arrived.map(({ sid, from, to, body, mediaUrls, arrivedAt }) => ({
        sid,
        from,
        to,
        body,
        mediaUrls,
        arrivedAt,
      })),
    );
  });
  app.post('/messages', async (ctx) => {
    const { from, to, body, mediaUrls } = await readForm(ctx);
    if (!from || !to) return ctx.json(errors.invalid, 400);
    const text = await network.send({ from, to, body, mediaUrls });
    return ctx.json(text, statusOf[text.state]);
  });
  app.post('/handsets/:number', async (ctx) => {
    const form = await readForm(ctx);
    const number = ctx.req.param('number');
    const behaviour = behaviours.find((known) => known === form.text('Behaviour'));
    if (!behaviour) return ctx.json({ message: `Behaviour is one of ${behaviours.join(', ')}` }, 400);
    store.behaviours.put({ sid: number, behaviour });
    if (ctx.req.header('accept')?.includes('text/html'))
      return ctx.redirect(`/handsets?number=${encodeURIComponent(number)}`, 303);
    return ctx.json({ number, behaviour });
  });
  return app;
}

/** Taken by the service; kept, and tried again; refused by the service for ever. */
const statusOf = { taken: 201, waiting: 202, bounced: 409 } as const satisfies Record<
  IncomingRow['state'],
  number
>;

function isAuthorized(header: string | undefined, user: string, password: string): boolean {
  const expected = Buffer.from(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
  const given = Buffer.from(header ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
