/** The reference: an OpenAPI 3.1 document made from the operations, so that it cannot say anything else than they do. */
import { z } from 'zod';
import type { DeliveryHeader } from '../domain/delivery-headers.ts';
import { apiErrors, type ErrorCode } from '../domain/errors.ts';
import product from '../package.json' with { type: 'json' };
import { fieldCode, isListField } from './form.ts';
import { readFormOrJson, readJson } from './json-body.ts';
import type { Operation, ResponseSpec } from './operation.ts';

export type JsonObject = { [name: string]: unknown };

/** A message the service sends to a customer's endpoint; shown under `webhooks`. */
export interface WebhookSpec {
  /** With a leading slash, such as `/message/receive`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly headers: Readonly<Record<string, DeliveryHeader>>;
  readonly contentType: string;
  readonly schema: z.ZodType;
}

export interface ReferenceOptions {
  readonly publicUrl: string;
  readonly operations: readonly Operation[];
  readonly webhooks?: readonly WebhookSpec[];
}

export function openApiDocument({ publicUrl, operations, webhooks = [] }: ReferenceOptions): JsonObject {
  const published = operations.filter((operation) => operation.published !== false);
  const schemas: JsonObject = { Error: jsonSchema(errorSchema, 'output') };
  const paths: Record<string, JsonObject> = {};
  for (const operation of published) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = operationObject(operation, schemas);
  }
  const tags = [...new Set(published.map((operation) => operation.tag))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hosted SMS',
      version: product.version,
      description:
        'Text-enable landline numbers you own, and have every message event pushed to your endpoints. ' +
        'Requests are forms; repeatable parameters are sent once per value.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: tags.map((name) => ({ name })),
    paths,
    webhooks: Object.fromEntries(webhooks.map((webhook) => [webhook.path, webhookObject(webhook, schemas)])),
    components: {
      schemas,
      securitySchemes: {
        account: { type: 'http', scheme: 'basic', description: 'AccountSid and AuthToken' },
        admin: { type: 'http', scheme: 'basic', description: '`admin` and ADMIN_TOKEN' },
        carrier: { type: 'http', scheme: 'basic', description: '`carrier` and CARRIER_TOKEN' },
      },
    },
  };
}

const errorSchema = z.object({
  code: z.int(),
  message: z.string(),
  more_info: z.url(),
  status: z.int(),
  detail: z.string().optional(),
});

function operationObject(operation: Operation, schemas: JsonObject): JsonObject {
  const { id, tag, summary, description, auth, claimsKey, form, method } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(auth === 'none' ? { security: [] } : { security: [{ [auth]: [] }] }),
    parameters: [
      ...pathParameters(operation.path),
      ...(method === 'POST' && (auth !== 'none' || claimsKey) ? [idempotencyKey] : []),
      ...queryParameters(operation.query),
    ],
    ...(form === undefined ? {} : { requestBody: requestBody(operation, form) }),
    responses: {
      431: { description: 'Request line and headers are larger than 16 KiB.' },
      ...errorResponses(operation),
      ...Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          responseObject(response, schemas),
        ]),
      ),
    },
  };
}

const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key with the same request again makes nothing new, for a day: it is answered with what the first one made, ' +
    'as it is now. A request that was refused is tried again. With another request: 20422.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]*$' },
};

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodObject | undefined): JsonObject[] {
  return Object.entries(query?.shape ?? {}).map(([name, field]) => ({
    name,
    in: 'query',
    required: !isOptional(field),
    schema: fieldSchema(field),
  }));
}

/** What the readers of other bodies than forms take. */
const bodyTypes = new Map<Operation['readBody'], readonly string[]>([
  [readJson, ['application/json']],
  [readFormOrJson, ['application/json', 'application/x-www-form-urlencoded']],
]);

function requestBody({ readBody }: Operation, form: z.ZodObject): JsonObject {
  const fields = Object.entries(form.shape);
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)]));
  const required = fields.filter(([, field]) => !isOptional(field)).map(([name]) => name);
  const schema = { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
  const hasFile = Object.values(properties).some((property) => property['format'] === 'binary');
  const forms = hasFile
    ? ['multipart/form-data']
    : ['application/x-www-form-urlencoded', 'multipart/form-data'];
  const types = readBody ? (bodyTypes.get(readBody) ?? forms) : forms;
  return {
    required: required.length > 0,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  };
}

function responseObject({ description, schema, contentType }: ResponseSpec, schemas: JsonObject): JsonObject {
  if (schema === undefined && contentType === undefined) return { description };
  const body = schema ? { schema: named(schema, schemas) } : { schema: { type: 'string' } };
  return { description, content: { [contentType ?? 'application/json']: body } };
}

/** Error codes by HTTP status: those declared, those of the fields, and those that every such operation can answer. */
function errorResponses(operation: Operation): JsonObject {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...errorCodesOf(operation)].sort((left, right) => left - right)) {
    const { status } = apiErrors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `${code}: ${apiErrors[code].message}.`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

/** Every code an operation can answer with. */
function errorCodesOf(operation: Operation): Set<ErrorCode> {
  const { method, path, auth, form, query, errors = [] } = operation;
  const fields = [...Object.values(form?.shape ?? {}), ...Object.values(query?.shape ?? {})];
  const fieldCodes = fields.map((field) => fieldCode(field)).filter((code) => code !== undefined);
  const codes: ErrorCode[] = [...errors, ...fieldCodes, 20001, 20004, 20500, 20503];
  if (auth !== 'none') codes.push(20003);
  if (auth === 'account') codes.push(20005, 20429);
  if (path.includes('{AccountSid}')) codes.push(20006);
  if (path.includes('{')) codes.push(20404);
  if (method !== 'GET') codes.push(20413, 20415);
  if (method === 'POST') codes.push(20422);
  return new Set(codes);
}

function webhookObject(webhook: WebhookSpec, schemas: JsonObject): JsonObject {
  const { summary, description, headers, contentType, schema } = webhook;
  return {
    post: {
      summary,
      ...(description === undefined ? {} : { description }),
      parameters: headerParameters(headers),
      requestBody: { required: true, content: { [contentType]: { schema: named(schema, schemas) } } },
      responses: {
        200: { description: 'Any status from 200 to 299 takes the event; else it is sent again.' },
      },
    },
  };
}

/** OpenAPI wants no parameter for Content-Type: the body's says it. */
function headerParameters(headers: WebhookSpec['headers']): JsonObject[] {
  return Object.entries(headers)
    .filter(([name]) => name !== 'content-type')
    .map(([name, { meaning, example, optional = false }]) => ({
      name,
      in: 'header',
      required: !optional,
      description: meaning,
      schema: { type: 'string', examples: [example] },
    }));
}

/** Schemas with an id are listed once and referred to. */
function named(schema: z.ZodType, schemas: JsonObject): JsonObject {
  const { $defs = {}, ...json } = jsonSchema(schema, 'output');
  for (const [id, definition] of Object.entries($defs as JsonObject)) schemas[id] = definition;
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined) return json;
  const reference = `#/components/schemas/${id}`;
  // A schema that is used several times inside itself refers to its own definition, which is in `$defs` then.
  if (json['$ref'] !== reference) schemas[id] = json;
  return { $ref: reference };
}

function fieldSchema(field: z.core.$ZodType): JsonObject {
  const schema = withoutNull(jsonSchema(field, 'input'));
  return isListField(field) ? { ...schema, type: 'array' } : schema;
}

/** `null` is how an empty value is understood, not what can be sent. */
function withoutNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const kept = (anyOf as JsonObject[]).filter((choice) => choice['type'] !== 'null');
  return kept.length === 1 ? { ...rest, ...kept[0] } : schema;
}

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): JsonObject {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    // Zod takes examples for what comes out of a field and drops them; ours are what is sent.
    override: ({ zodSchema, jsonSchema: made }) => {
      const examples = z.globalRegistry.get(zodSchema)?.['examples'];
      if (Array.isArray(examples)) made.examples = examples;
    },
  });
  const { $schema: _dialect, id: _id, ...rest } = json;
  // References inside the document, not inside the single schema.
  return JSON.parse(JSON.stringify(rest).replaceAll('#/$defs/', '#/components/schemas/')) as JsonObject;
}

function isOptional(field: z.core.$ZodType): boolean {
  return z.safeParse(field, undefined).success;
}
