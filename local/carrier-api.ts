/** The carrier's HTTP: the API that the service calls, the control calls of scripts, and the handsets' pages. */
import { Hono } from 'hono';
import type { CarrierNetwork } from './carrier-network.ts';
import type { CarrierStore, IncomingRow } from './carrier-store.ts';
import { handsetOf, isSame, readForm } from './form.ts';
import { behaviours } from './handset-behaviour.ts';
import { readTextForm } from './handset-form.ts';
import { createHandsetPages } from './handset-pages.tsx';
import { wantsPage } from './pages/layout.tsx';

export interface CarrierApiDeps {
  readonly network: CarrierNetwork;
  readonly store: CarrierStore;
  readonly systemId: string;
  readonly token: string;
}

export function createCarrierApi(deps: CarrierApiDeps): Hono {
  const app = new Hono();
  app.route('/', createSubmissionApi(deps));
  // Before the control calls, whose /handsets/{number} would take /handsets/texts for itself.
  app.route('/handsets', createHandsetPages(deps));
  app.route('/', createControlApi(deps));
  return app;
}

/** Twilio's codes and form: 20003 credentials, 20429 too many requests, 21211 invalid number, 30005 no such handset. */
const errors = {
  unauthorized: { status: 401, code: 20003, message: 'Authenticate' },
  incomplete: { status: 400, code: 21211, message: 'From, To, and a Body or MediaUrl are required' },
  refused: { status: 400, code: 30005, message: 'Unknown destination handset' },
  throttled: { status: 429, code: 20429, message: 'Too Many Requests' },
} as const;

/** Twilio-shaped. `Idempotency-Key`: the same key is the same text. */
function createSubmissionApi({ network, systemId, token }: CarrierApiDeps): Hono {
  const authorization = `Basic ${Buffer.from(`${systemId}:${token}`).toString('base64')}`;
  const app = new Hono();
  app.post('/2010-04-01/Accounts/:account/Messages.json', async (ctx) => {
    if (!isSame(ctx.req.header('authorization') ?? '', authorization))
      return ctx.json(errors.unauthorized, 401, { 'www-authenticate': 'Basic realm="carrier"' });
    const text = await readTextForm(ctx);
    if (!text) return ctx.json(errors.incomplete, 400);
    const verdict = await network.judge(text);
    if (verdict === 'refused') return ctx.json(errors.refused, 400);
    if (verdict === 'throttled') return ctx.json(errors.throttled, 429, { 'retry-after': '1' });
    const key = ctx.req.header('idempotency-key') ?? null;
    const { sid } = network.carry({ ...text, via: 'http', key, wantsReceipt: text.statusCallback !== null });
    return ctx.json({ sid, status: 'queued' }, 201);
  });
  return app;
}

/** For scripts: what the network does, without a person at a handset. */
function createControlApi({ network, store }: CarrierApiDeps): Hono {
  const app = new Hono();
  app.get('/messages', (ctx) => {
    const to = handsetOf(ctx.req.query('to') ?? '');
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
    const text = await readTextForm(ctx);
    if (!text) return ctx.json(errors.incomplete, 400);
    const { from, to, body, mediaUrls } = text;
    const row = await network.send({ from, to, body, mediaUrls });
    return ctx.json(row, statusOf[row.state]);
  });
  app.post('/handsets/:number', async (ctx) => {
    const number = handsetOf(ctx.req.param('number'));
    const wanted = (await readForm(ctx)).get('Behaviour')?.[0];
    const behaviour = behaviours.find((known) => known === wanted);
    if (!number || !behaviour)
      return ctx.json({ message: `Behaviour is one of ${behaviours.join(', ')}` }, 400);
    store.behaviours.put({ sid: number, behaviour });
    if (wantsPage(ctx)) return ctx.redirect(`/handsets?number=${encodeURIComponent(number)}`, 303);
    return ctx.json({ number, behaviour });
  });
  return app;
}

/** Taken by the service; kept, and tried again; refused by the service for ever. */
const statusOf = { taken: 201, waiting: 202, bounced: 409 } as const satisfies Record<
  IncomingRow['state'],
  number
>;
