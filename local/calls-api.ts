/** The network's side towards its customers: a Twilio-compatible Calls API. Source: domain.md §2.3. */
import { Hono, type Context } from 'hono';
import { callResource, isLive, type CallRequest } from './call-record.ts';
import { isSame, phoneNumberOf, readForm, twilioError } from './form.ts';
import type { PhoneNetwork } from './phone-network.ts';

const defaultTimeoutSeconds = 60;

/** Mounted at /2010-04-01/Accounts/:account. */
export function createCallsApi(
  network: PhoneNetwork,
  { accountSid, authToken }: { readonly accountSid: string; readonly authToken: string },
): Hono {
  const app = new Hono();
  const credentials = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const refusal = (ctx: Context): Response | null => {
    const known = isSame(ctx.req.header('Authorization') ?? '', credentials);
    if (known && ctx.req.param('account') === accountSid) return null;
    return twilioError(ctx, 401, 20003, 'Authenticate');
  };

  app.post('/2010-04-01/Accounts/:account/Calls.json', async (ctx) => {
    const refused = refusal(ctx);
    if (refused) return refused;
    const request = callRequestOf(await readForm(ctx), accountSid, ctx.req.header('Idempotency-Key') ?? null);
    if ('message' in request) return twilioError(ctx, 400, request.code, request.message);
    return ctx.json(callResource(await network.place(request)), 201);
  });

  app.on(['GET', 'POST'], '/2010-04-01/Accounts/:account/Calls/:file{.+\\.json}', async (ctx) => {
    const refused = refusal(ctx);
    if (refused) return refused;
    const sid = ctx.req.param('file').replace(/\.json$/, '');
    const record = network.find(sid);
    if (!record) return twilioError(ctx, 404, 20404, `The requested resource ${ctx.req.path} was not found`);
    if (ctx.req.method === 'POST') {
      const status = (await readForm(ctx)).get('Status')?.[0];
      if (status !== 'completed' && status !== 'canceled')
        return twilioError(ctx, 400, 20001, 'Status must be completed or canceled');
      if (!isLive(record)) return twilioError(ctx, 400, 21220, 'Call is not in-progress');
      network.live(sid)?.end();
    }
    return ctx.json(callResource(record));
  });
  return app;
}

type Form = ReadonlyMap<string, readonly string[]>;

function callRequestOf(
  form: Form,
  accountSid: string,
  idempotencyKey: string | null,
): CallRequest | { readonly code: number; readonly message: string } {
  const field = (name: string): string => form.get(name)?.[0] ?? '';
  const to = phoneNumberOf(field('To'));
  const from = phoneNumberOf(field('From'));
  if (!to) return { code: 21211, message: "Invalid 'To' Phone Number" };
  if (!from) return { code: 21212, message: "Invalid 'From' Phone Number" };
  if (!URL.canParse(field('Url'))) return { code: 21205, message: 'Url is not a valid URL' };
  const callback = field('StatusCallback');
  if (callback !== '' && !URL.canParse(callback))
    return { code: 21609, message: 'StatusCallback is not a valid URL' };
  const sendDigits = field('SendDigits');
  if (!/^[\d*#wW]*$/.test(sendDigits)) return { code: 13222, message: 'SendDigits is not a dial string' };
  return {
    accountSid,
    to,
    from,
    url: field('Url'),
    method: field('Method') === 'GET' ? 'GET' : 'POST',
    statusCallback: callback || null,
    statusCallbackEvents: form.get('StatusCallbackEvent') ?? ['completed'],
    sendDigits: sendDigits || null,
    timeoutSeconds: Number(field('Timeout')) || defaultTimeoutSeconds,
    idempotencyKey,
  };
}
