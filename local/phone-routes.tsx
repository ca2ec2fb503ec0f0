/** The phones' side of the network: calls and keys for scripts, a page for people. Contract: design.md §5. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Hono, type Context } from 'hono';
import { callAtPhone, isLive } from './call-record.ts';
import { behaviours, type Call } from './call.ts';
import { phoneNumberOf, readForm } from './form.ts';
import { sendPage, wantsPage } from './pages/layout.tsx';
import { LivePart, PhonePage } from './pages/phone.tsx';
import type { PhoneNetwork } from './phone-network.ts';

export function createPhoneRoutes(network: PhoneNetwork): Hono {
  const app = new Hono();

  app.get('/calls', (ctx) => {
    const wanted = ctx.req.query('state') === 'all' ? network.calls() : network.calls().filter(isLive);
    return ctx.json(wanted.map(callAtPhone));
  });
  app.get('/calls/:sid', (ctx) => {
    const record = network.find(ctx.req.param('sid'));
    return record ? ctx.json(callAtPhone(record)) : ctx.json({ error: 'no such call' }, 404);
  });

  const act = (name: string, action: (call: Call, ctx: Context) => boolean | Promise<boolean>): void => {
    app.post(`/calls/:sid/${name}`, async (ctx) => {
      const sid = ctx.req.param('sid');
      const record = network.find(sid);
      if (!record) return ctx.json({ error: 'no such call' }, 404);
      const call = network.live(sid);
      const done = call !== undefined && (await action(call, ctx));
      // The call takes note in a turn of its own; the answer shall show it.
      await nextTurn();
      if (ctx.req.header('HX-Request')) return ctx.html(<LivePart network={network} />);
      if (wantsPage(ctx)) return ctx.redirect('/phone', 303);
      if (!done) return ctx.json({ error: `not possible: the call is ${record.state}` }, 409);
      return ctx.json(callAtPhone(record));
    });
  };
  act('answer', (call) => call.answer());
  act('hangup', (call) => call.hangUp());
  act('reject', (call) => call.reject());
  act('digits', async (call, ctx) => {
    const digits = (await readForm(ctx)).get('Digits')?.[0] ?? '';
    return /^[\d*#]{1,64}$/.test(digits) && call.press(digits);
  });

  app.get('/phone', (ctx) =>
    wantsPage(ctx)
      ? sendPage(ctx, <PhonePage network={network} />)
      : ctx.json({ calls: network.calls().filter(isLive).map(callAtPhone), numbers: network.behaviours() }),
  );
  app.get('/phone/live', (ctx) => {
    if (ctx.req.query('version') === String(network.version())) return ctx.body(null, 204);
    return ctx.html(<LivePart network={network} />);
  });
  app.post('/phone/numbers/:number?', async (ctx) => {
    const form = await readForm(ctx);
    const number = phoneNumberOf(ctx.req.param('number') ?? form.get('Number')?.[0] ?? '');
    const behaviour = behaviours.find((known) => known === form.get('Behaviour')?.[0]);
    if (!number) return ctx.json({ error: 'Number is not a phone number such as +14155550123' }, 400);
    if (!behaviour) return ctx.json({ error: `Behaviour is one of ${behaviours.join(', ')}` }, 400);
    await network.setBehaviour(number, behaviour);
    return wantsPage(ctx) ? ctx.redirect('/phone', 303) : ctx.json({ number, behaviour });
  });
  return app;
}
