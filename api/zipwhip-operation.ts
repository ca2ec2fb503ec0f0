/**
 * The one way to make a Zipwhip call. Parameters come in a query, a form or a JSON object; answers are
 * `{success, response}`, refusals too. Source: domain.md §3.2.
 */
import type { Context } from 'hono';
import { z } from 'zod';
import { apiErrors } from '../domain/errors.ts';
import type { ApiDeps } from './deps.ts';
import { toApiError } from './errors.ts';
import { valuesParser, type Values } from './form.ts';
import type { Gate } from './gate.ts';
import { claimKey, type Repetition } from './idempotency.ts';
import { readFormOrJson } from './json-body.ts';
import { operation, type Method, type Operation } from './operation.ts';
import { requireSession, type LineSession } from './zipwhip-session.ts';

export interface ZipwhipCall<Fields extends z.ZodObject> {
  readonly id: string;
  readonly path: string;
  readonly methods: readonly Method[];
  readonly summary: string;
  readonly description?: string;
  /** Beside `session`, which every call but the login carries. */
  readonly fields: Fields;
  /** `null` where the answer is not JSON but a file. */
  readonly response: z.ZodType | null;
  /** The answer is a list, and `total` beside it counts it, as `/messageAttachment/list` does. */
  readonly counted?: true;
  /** Answers `response`, or a whole answer of its own. */
  readonly handler: (request: ZipwhipRequest<z.output<Fields>>) => Promise<unknown>;
}

/** Where the handler finds the gate: whose request it is, is known there only, by the session among the values. */
const gateKey = 'gate';

interface ZipwhipRequest<Values> extends LineSession, Pick<Repetition, 'newSid'> {
  readonly deps: ApiDeps;
  readonly values: Values;
}

/** A call of a line that has logged in: one operation for each method it may come by. */
export function zipwhipCall<Fields extends z.ZodObject>(call: ZipwhipCall<Fields>): Operation[] {
  const read = valuesParser(call.fields);
  const readKey = valuesParser(z.object({ session: z.string() }));
  return zipwhipOperations(
    { ...call, claimsKey: true, fields: z.object({ session: z.string(), ...call.fields.shape }) },
    async (given) => {
      const { session } = readKey(given.values);
      const line = await requireSession(given.deps, given.gate, session);
      const values = read(given.values);
      const { newSid } = await claimKeyOf(line, given);
      return call.handler({ ...line, deps: given.deps, newSid, values });
    },
  );
}

/** A key belongs to the line, whatever session its client has by now. */
function claimKeyOf({ accountSid, line }: LineSession, { deps, ctx, values }: Given): Promise<Repetition> {
  const said = new Map([...values].filter(([name]) => name !== 'session'));
  return claimKey(deps, ctx, { owner: accountSid, path: `${ctx.req.path} ${line}`, values: said });
}

type Described = Omit<ZipwhipCall<z.ZodObject>, 'handler'> & Pick<Operation, 'claimsKey'>;

interface Given {
  readonly ctx: Context;
  readonly deps: ApiDeps;
  readonly gate: Gate;
  readonly values: Values;
}

export function zipwhipOperations(call: Described, answer: (given: Given) => Promise<unknown>): Operation[] {
  // A parameter may come by either way, so neither schema can ask for it; the handler does.
  const fields = call.fields.partial();
  return call.methods.map((method) => {
    const made = operation({
      id: method === 'GET' && call.methods.length > 1 ? `${call.id}ByQuery` : call.id,
      method,
      path: call.path,
      tag: 'Zipwhip calls',
      summary: call.summary,
      ...(call.description === undefined ? {} : { description: call.description }),
      auth: 'none',
      claimsKey: call.claimsKey ?? false,
      readBody: readFormOrJson,
      ...(method === 'GET' ? { query: fields } : { form: fields }),
      responses: {
        200:
          call.response === null
            ? { description: 'Its bytes', contentType: '*/*' }
            : {
                description: 'Done',
                schema: z.object({
                  success: z.literal(true),
                  ...(call.counted ? { total: z.int() } : {}),
                  response: call.response,
                }),
              },
        ...refusals,
      },
      handler: async ({ ctx, deps, values }) => {
        const all: Values = new Map([...values.query, ...values.form]);
        const gate = ctx.get(gateKey) as Gate;
        const response = await answer({ ctx, deps, gate, values: all });
        if (response instanceof Response) return response;
        const total = call.counted && Array.isArray(response) ? { total: response.length } : {};
        return ctx.json({ success: true, ...total, response });
      },
    });
    const run: Operation['run'] = (ctx, deps, gate) => {
      ctx.set(gateKey, gate);
      return made.run(ctx, deps, gate).catch(refusal(ctx));
    };
    return { ...made, run };
  });
}

const refusalSchema = z
  .object({ success: z.literal(false), response: z.string(), code: z.int() })
  .meta({ id: 'ZipwhipRefusal', description: 'Why the call was refused, and the code of the error' });

/** What a call can be refused with, in this shape instead of the API's own. */
const refusals = Object.fromEntries(
  [400, 401, 404, 409, 415, 422, 429].map((status) => [
    status,
    { description: 'Refused; `response` says why', schema: refusalSchema },
  ]),
);

/** A refusal in Zipwhip's shape; trouble of our own is answered as everywhere. */
function refusal(ctx: Context): (error: unknown) => Response {
  return (error) => {
    const { code, status, message, retryAfterSeconds } = toApiError(error);
    if (status >= 500) throw error;
    const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
    return ctx.json({ success: false, response: message, code }, apiErrors[code].status, headers);
  };
}
