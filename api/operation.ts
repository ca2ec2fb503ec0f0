/**
 * The one way to make a route. An operation says what it takes, what it answers and who may call it; from the same
 * words come the route (`mount`), the checks in front of its handler, and the reference (`openapi.ts`).
 */
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { ApiError, type ErrorCode } from '../domain/errors.ts';
import type { Account, AuthKind } from './auth.ts';
import { limitBody } from './body-limit.ts';
import type { ApiDeps } from './deps.ts';
import { readForm, readQuery, requirePlainBody, valuesParser, type Values } from './form.ts';
import type { Gate } from './gate.ts';
import { apiHeaders } from './headers.ts';
import { claimKey, unrepeated, type Repetition } from './idempotency.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Names in braces of a path template: `/Orders/{Sid}` → `Sid`. */
type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

export interface ResponseSpec {
  readonly description: string;
  /** Absent where the body is empty. */
  readonly schema?: z.ZodType;
  /** Default: `application/json`. */
  readonly contentType?: string;
}

export interface OperationRequest<
  Names extends string,
  Auth extends AuthKind,
  Query extends z.ZodObject,
  Form extends z.ZodObject,
> extends Repetition {
  readonly ctx: Context;
  readonly deps: ApiDeps;
  /** The account the request is about: the one in the path, else the caller's. */
  readonly account: Auth extends 'account' ? Account : undefined;
  /** The account whose credentials were sent: the same, or its owner. */
  readonly caller: Auth extends 'account' ? Account : undefined;
  readonly params: Readonly<Record<Names, string>>;
  readonly query: z.output<Query>;
  readonly form: z.output<Form>;
  /** Every value of body and query as sent, for signature checks. */
  readonly values: { readonly query: Values; readonly form: Values };
}

export interface OperationSpec<
  Path extends string,
  Auth extends AuthKind,
  Query extends z.ZodObject,
  Form extends z.ZodObject,
> {
  /** Unique; the reference's operationId. */
  readonly id: string;
  readonly method: Method;
  /** Template with names in braces, such as `/Accounts/{AccountSid}/Messages/{Sid}.json`. */
  readonly path: Path;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly auth: Auth;
  readonly query?: Query;
  readonly form?: Form;
  /** Claims the request's Idempotency-Key by itself: where nobody is known before the handler finds out who calls. */
  readonly claimsKey?: boolean;
  /** Reads the body where it may be something else than a form. */
  readonly readBody?: (request: Request, form: z.ZodObject) => Promise<Values>;
  /** Largest body. Bytes. Default: `api.bodyLimitBytes`. */
  readonly bodyLimitBytes?: (config: Config) => number;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** Codes beyond those that follow from path, fields and authentication. */
  readonly errors?: readonly ErrorCode[];
  /** False for pages and callbacks that are no part of the published reference. Default: true. */
  readonly published?: boolean;
  /** Answers with a response, or with a text that is the JSON of a 200 already. */
  readonly handler: (
    request: OperationRequest<PathNames<Path>, Auth, Query, Form>,
  ) => Response | Promise<Response | string>;
}

/** An operation as `mount` and `openapi` see it. */
export interface Operation
  extends Omit<OperationSpec<string, AuthKind, z.ZodObject, z.ZodObject>, 'handler'> {
  readonly run: (ctx: Context, deps: ApiDeps, gate: Gate) => Promise<Response | string>;
}

type NoFields = z.ZodObject<Record<string, never>>;

/** Declares an operation. Nothing happens until it is mounted. */
export function operation<
  const Path extends string,
  const Auth extends AuthKind,
  Query extends z.ZodObject = NoFields,
  Form extends z.ZodObject = NoFields,
>(spec: OperationSpec<Path, Auth, Query, Form>): Operation {
  const { handler, ...description } = spec;
  const read = requestReader(spec);
  return {
    ...description,
    run: async (ctx, deps, gate) => handler(await read(ctx, deps, gate)),
  };
}

/** Registers operations. A method that a path lacks is answered with 20004. */
export function mount(app: Hono, operations: readonly Operation[], deps: ApiDeps, gate: Gate): void {
  const methods = new Map<string, Method[]>();
  const headers = Object.entries(apiHeaders);
  for (const operation of operations) {
    const path = routePath(operation.path);
    methods.set(path, [...(methods.get(path) ?? []), operation.method]);
    const limit = operation.bodyLimitBytes?.(deps.config) ?? deps.config.api.bodyLimitBytes;
    const run = async (ctx: Context): Promise<Response> => {
      ctx.set('operation', operation.id);
      const answer = await operation.run(ctx, deps, gate);
      if (typeof answer === 'string') return jsonText(ctx, answer);
      for (const [name, value] of headers) if (!answer.headers.has(name)) answer.headers.set(name, value);
      return answer;
    };
    if (operation.method === 'GET') app.get(path, run);
    else app.on(operation.method, path, limitBody(limit), run);
  }
  for (const [path, allowed] of methods) {
    app.all(path, (ctx) => {
      ctx.header('Allow', [...new Set(allowed)].join(', '));
      throw new ApiError(20004);
    });
  }
}

/** Its headers are a plain object, which the server writes as it is: with a `Headers` a fetch costs a tenth more. */
function jsonText(ctx: Context, text: string): Response {
  const requestId: unknown = ctx.get('requestId');
  return new Response(text, {
    headers: { ...apiHeaders, 'Content-Type': 'application/json', 'X-Request-Id': String(requestId) },
  });
}

/** `{Sid}.json` becomes a pattern that keeps the suffix out of the value; see `pathParameters`. */
function routePath(template: string): string {
  return template.replaceAll(/\{(\w+)\}(\.\w+)?/g, (_, name: string, suffix?: string) =>
    suffix === undefined ? `:${name}` : `:${name}{[^/]+\\${suffix}}`,
  );
}

function requestReader<
  Path extends string,
  Auth extends AuthKind,
  Query extends z.ZodObject,
  Form extends z.ZodObject,
>(
  spec: OperationSpec<Path, Auth, Query, Form>,
): (
  ctx: Context,
  deps: ApiDeps,
  gate: Gate,
) => Promise<OperationRequest<PathNames<Path>, Auth, Query, Form>> {
  const parameters = pathParameters(spec.path);
  const noFields: Values = new Map();
  const { form: formFields = z.object({}), readBody = readForm } = spec;
  const parseQuery = valuesParser(spec.query ?? z.object({}));
  const parseForm = valuesParser(formFields);

  return async (ctx, deps, gate) => {
    const params = parameters(ctx);
    const { caller, account } = await gate.admit(spec.auth, ctx.req.header('authorization'), params);
    if (spec.method !== 'GET') requirePlainBody(ctx.req.raw);
    const values = {
      query: readQuery(ctx.req.url),
      form: spec.method === 'GET' ? noFields : await readBody(ctx.req.raw, formFields),
    };
    const query = parseQuery(values.query);
    const form = parseForm(values.form);
    // Nobody is known yet where there are no credentials: strangers would fill the table, and share each other's keys.
    const repetition =
      spec.auth === 'none'
        ? unrepeated
        : await claimKey(deps, ctx, {
            owner: account?.sid ?? spec.auth,
            path: ctx.req.path,
            values: values.form,
          });
    // The pieces were checked by the schemas above; TypeScript cannot follow them through the generics.
    return {
      ctx,
      deps,
      caller,
      account,
      params,
      query,
      form,
      values,
      ...repetition,
    } as unknown as OperationRequest<PathNames<Path>, Auth, Query, Form>;
  };
}

/** Reads the named parts of the path; a part that could not be anybody's name is as good as unknown: 20404. */
function pathParameters(template: string): (ctx: Context) => Record<string, string> {
  const names = [...template.matchAll(/\{(\w+)\}(\.\w+)?/g)].map(([, name = '', suffix = '']) => ({
    name,
    suffix,
  }));
  return (ctx) =>
    Object.fromEntries(
      names.map(({ name, suffix }) => {
        const value = ctx.req.param(name) ?? '';
        if (value.includes('\0')) throw new ApiError(20404);
        return [name, value.slice(0, value.length - suffix.length)];
      }),
    );
}
