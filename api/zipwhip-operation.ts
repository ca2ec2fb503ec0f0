/**
 * The one way to make a Zipwhip call. Parameters come in a query, a form or a JSON object; answers are
 * `{success, response}`, refusals too. Source: domain.md §3.2.
 */
import type { Context } from 'hono';
import { z } from 'zod';
import { ApiError, apiErrors } from '../domain/errors.ts';
import type { SidKind } from '../domain/sid.ts';
import type { ApiDeps } from './deps.ts';
import { toApiError } from './errors.ts';
import { readForm, valuesParser, type Values } from './form.ts';
import { operation, type Method, type Operation } from './operation.ts';
import { requireSession, type LineSession } from './zipwhip-session.ts';

export interface ZipwhipCall<Fields extends z.ZodObject> {
  readonly id: string;
  readonly path: string;
  readonly methods: readonly Method[];
  readonly summary: string;
  /** Beside `session`, which every call but the login carries. */
  readonly fields: Fields;
  readonly response: z.ZodType;
  /** Answers `response`, or a whole answer of its own. */
  readonly handler: (request: ZipwhipRequest<z.output<Fields>>) => Promise<unknown>;
}

interface ZipwhipRequest<Values> extends LineSession {
  readonly deps: ApiDeps;
  readonly values: Values;
  readonly newSid: (kind: SidKind) => string;
}

/** A call of a line that has logged in: one operation for each method it may come by. */
export function zipwhipCall<Fields extends z.ZodObject>(call: ZipwhipCall<Fields>): Operation[] {
  const read = valuesParser(call.fields);
  const readKey = valuesParser(z.object({ session: z.string() }));
  return zipwhipOperations(
    { ...call, fields: z.object({ session: z.string(), ...call.fields.shape }) },
    async (given) => {
      const { session } = readKey(given.values);
      const line = await requireSession(given.deps, session);
      return call.handler({ ...line, ...given, values: read(given.values) });
    },
  );
}

type Described = Omit<ZipwhipCall<z.ZodObject>, 'handler'>;

export function zipwhipOperations(
  call: Described,
  answer: (given: { deps: ApiDeps; values: Values; newSid(kind: SidKind): string }) => Promise<unknown>,
): Operation[] {
  // A parameter may come by either way, so neither schema can ask for it; the handler does.
  const fields = call.fields.partial();
  return call.methods.map((method) => {
    const made = operation({
      id: method === 'GET' && call.methods.length > 1 ? `${call.id}ByQuery` : call.id,
      method,
      path: call.path,
      tag: 'Zipwhip calls',
      summary: call.summary,
      auth: 'none',
      readBody: readAnyBody,
      ...(method === 'GET' ? { query: fields } : { form: fields }),
      responses: {
        200: { description: 'Done', schema: z.object({ success: z.literal(true), response: call.response }) },
        ...refusals,
      },
      handler: async ({ ctx, deps, values, newSid }) => {
        const all: Values = new Map([...values.query, ...values.form]);
        const response = await answer({ deps, values: all, newSid });
        return response instanceof Response ? response : ctx.json({ success: true, ...bodyOf(response) });
      },
    });
    return { ...made, run: (ctx, deps, gate) => made.run(ctx, deps, gate).catch(refusal(ctx)) };
  });
}

const refusalSchema = z
  .object({ success: z.literal(false), response: z.string(), code: z.int() })
  .meta({ id: 'ZipwhipRefusal', description: 'Why the call was refused, and the code of the error' });

/** What a call can be refused with, in this shape instead of the API's own. */
const refusals = Object.fromEntries(
  [400, 401, 404, 409, 415, 422].map((status) => [
    status,
    { description: 'Refused; `response` says why', schema: refusalSchema },
  ]),
);

/** A refusal in Zipwhip's shape; trouble of our own is answered as everywhere. */
function refusal(ctx: Context): (error: unknown) => Response {
  return (error) => {
    const { code, status, message } = toApiError(error);
    if (status >= 500) throw error;
    return ctx.json({ success: false, response: message, code }, apiErrors[code].status);
  };
}

/** A list that counts itself, as `/messageAttachment/list` does. */
export class Counted {
  readonly items: readonly unknown[];
  constructor(items: readonly unknown[]) {
    this.items = items;
  }
}

function bodyOf(response: unknown): object {
  return response instanceof Counted
    ? { total: response.items.length, response: response.items }
    : { response };
}

/** A form, or a JSON object of texts, numbers and lists of them. */
async function readAnyBody(request: Request): Promise<Values> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') return readForm(request);
  const body: unknown = await request.json().catch(() => null);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ApiError(20001, 'The JSON body is not an object');
  return new Map(Object.entries(body).map(([name, value]) => [name, textsOf(name, value)]));
}

function textsOf(name: string, value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    if (typeof item !== 'string' && typeof item !== 'number' && typeof item !== 'boolean')
      throw new ApiError(20001, `${name} is not valid`);
    if (String(item).includes('\0')) throw new ApiError(20001, `${name} holds a NUL character`);
    return String(item);
  });
}
