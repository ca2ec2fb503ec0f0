/**
 * The conformance table `docs/conformance.md`: every path, parameter, response field, enumeration and error code of
 * Twilio's published specifications, and whether this service serves it. Made by `npm run reference` from the committed
 * names (test/fixtures/spec) and from the operations' own schemas; a test holds it to both.
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { JsonObject } from '../api/openapi.ts';
import { apiErrors, isErrorCode } from '../domain/errors.ts';
import { messageErrors } from '../domain/message.ts';
import { codeRefusals, enumerations, refusals } from './conformance-refusals.ts';

/** One row: a name of the specification, and `null` or why it is not served. */
export interface Row {
  /** Such as `POST /v2/HostedNumber/Orders`, `Email` or `Email: signed`. */
  readonly name: string;
  readonly kind: 'path' | 'parameter' | 'response' | 'field' | 'enumeration' | 'code';
  readonly refusal: string | null;
}

export interface Section {
  readonly title: string;
  readonly source: string;
  readonly rows: readonly Row[];
}

/** A difference for which no reason is given: the table is not complete. */
export class UnexplainedDifference extends Error {
  override readonly name = 'UnexplainedDifference';
}

/** Which reasons were needed, and what has none. */
interface Ledger {
  readonly used: Set<string>;
  readonly gaps: string[];
}

const words = z.object({
  type: z.string(),
  enum: z.array(z.string()).optional(),
  required: z.boolean().optional(),
});
const fields = z.record(z.string(), words);
const operationSpec = z.object({
  path: fields.optional(),
  query: fields.optional(),
  body: z.object({ contentType: z.string(), fields }).optional(),
  responses: z.record(
    z.string(),
    z.object({
      fields: fields.optional(),
      meta: fields.optional(),
      list: z.string().optional(),
      items: fields.optional(),
    }),
  ),
});
const specFile = z.object({
  source: z.string(),
  paths: z.record(z.string(), z.record(z.string(), operationSpec)),
});
type Fields = z.infer<typeof fields>;
type OperationSpec = z.infer<typeof operationSpec>;

const specNames = [
  'twilio-preview-hosted-numbers',
  'twilio-2010-subset',
  'twilio-numbers-v2-hosted',
  'twilio-numbers-v1-eligibility',
  'twilio-numbers-v3-hosted',
] as const;

/** Every row of every file. Throws UnexplainedDifference. */
export async function conformanceSections(openapi: JsonObject): Promise<Section[]> {
  const ledger: Ledger = { used: new Set(), gaps: [] };
  const sections: Section[] = [];
  for (const name of specNames) {
    const spec = specFile.parse(await fixture(name));
    const rows = Object.entries(spec.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, wanted]) =>
        operationRows(openapi, path, method, wanted, ledger),
      ),
    );
    sections.push({ title: name, source: spec.source, rows });
  }
  sections.push(await enumerationSection(openapi, ledger), await codeSection(ledger));
  const unused = Object.keys(refusals).filter((key) => !ledger.used.has(key));
  const faults = [...ledger.gaps, ...unused.map((key) => `the refusal of "${key}" refuses nothing`)];
  if (faults.length > 0) throw new UnexplainedDifference(faults.join('\n'));
  return sections;
}

async function fixture(name: string): Promise<unknown> {
  const url = new URL(`../test/fixtures/spec/${name}.json`, import.meta.url);
  return JSON.parse(await readFile(url, 'utf8'));
}

function operationRows(
  openapi: JsonObject,
  path: string,
  method: string,
  wanted: OperationSpec,
  ledger: Ledger,
): Row[] {
  const name = `${method} ${path}`;
  const served = at(openapi, 'paths', path, method.toLowerCase());
  const explain = explainer(name, ledger);
  if (!served) return [{ name, kind: 'path', refusal: explain('') }];
  const rows: Row[] = [{ name, kind: 'path', refusal: null }];
  const parameters = list(at(served, 'parameters'));
  const check = (kind: Row['kind'], names: Fields, find: (name: string) => unknown): void => {
    for (const [name, { enum: choices = [] }] of Object.entries(names)) {
      const schema = find(name);
      rows.push({ name, kind, refusal: schema === undefined ? explain(name) : null });
      const known = schema === undefined ? [] : choicesOf(schema);
      for (const choice of schema === undefined ? [] : choices) {
        // A field without a list of its own, such as a method in any letter case, takes every word.
        const taken = known.length === 0 || known.includes(choice);
        rows.push({
          name: `${name}: ${choice}`,
          kind,
          refusal: taken ? null : explain(`${name}: ${choice}`),
        });
      }
    }
  };
  const parameter = (place: string) => (name: string) => {
    const found = parameters.find((given) => given['name'] === name && given['in'] === place);
    return found && resolved(openapi, found['schema']);
  };
  check('parameter', wanted.path ?? {}, parameter('path'));
  check('parameter', wanted.query ?? {}, parameter('query'));
  check('parameter', wanted.body?.fields ?? {}, (field) => {
    if (refusals[`${name} ${field}`] !== undefined) return undefined;
    const contents = Object.values(at(served, 'requestBody', 'content') ?? {}) as JsonObject[];
    return contents.map((content) => at(content, 'schema', 'properties', field)).find(Boolean);
  });
  for (const [status, response] of Object.entries(wanted.responses)) {
    const answer = at(served, 'responses', status);
    rows.push({
      name: `answer ${status}`,
      kind: 'response',
      refusal: answer ? null : explain(`answer ${status}`),
    });
    const body = resolved(openapi, at(answer ?? {}, 'content', 'application/json', 'schema'));
    const property = (schema: JsonObject | undefined) => (name: string) =>
      resolved(openapi, at(schema ?? {}, 'properties', name));
    check('field', response.fields ?? {}, property(body));
    check('field', response.meta ?? {}, property(property(body)('meta')));
    if (response.list === undefined) continue;
    const items = property(body)(response.list);
    check('field', { [response.list]: { type: 'array' } }, () => items);
    check('field', response.items ?? {}, property(resolved(openapi, at(items ?? {}, 'items'))));
  }
  return rows;
}

/** The reason for what is missing of an operation: the operation's own, or one for a name wherever it is missing. */
function explainer(operation: string, ledger: Ledger): (part: string) => string {
  return (part) => {
    const keys = [part === '' ? operation : `${operation} ${part}`, `${operation} *`, `* ${part}`];
    const key = keys.find((key) => refusals[key] !== undefined);
    if (key === undefined) return gap(ledger, `${operation} ${part}`);
    ledger.used.add(key);
    return refusals[key] ?? '';
  };
}

function gap({ gaps }: Ledger, name: string): string {
  gaps.push(`${name} is not served, and no reason is given`);
  return '';
}

async function enumerationSection(openapi: JsonObject, ledger: Ledger): Promise<Section> {
  const everything = z.record(z.string(), z.record(z.string(), z.unknown())).parse(await fixture('enums'));
  const rows = Object.entries(everything).flatMap(([vendor, sets]) =>
    Object.entries(sets).flatMap(([set, values]): Row[] => {
      const name = `${vendor}.${set}`;
      const served =
        name === 'zipwhip.payload_keys_order'
          ? payloadKeys(openapi)
          : (enumerations[name] ?? enumerations[`${vendor}.*`]);
      if (served === undefined)
        return [{ name, kind: 'enumeration', refusal: gap(ledger, `enumeration ${name}`) }];
      return valuesOf(set, values).map((value) => ({
        name: `${name}: ${value}`,
        kind: 'enumeration',
        refusal: typeof served === 'string' ? served : enumerationRefusal(ledger, name, value, served),
      }));
    }),
  );
  return { title: 'enums', source: 'spec/enums.json', rows };
}

/** Without a reason for a word that is not served, the name and the word stay as a gap of the ledger. */
function enumerationRefusal(
  ledger: Ledger,
  name: string,
  value: string,
  served: EnumerationAnswer,
): string | null {
  if (served.values.includes(value)) return null;
  return served.others ?? gap(ledger, `${name}: ${value}`);
}

export interface EnumerationAnswer {
  /** The words of the code. */
  readonly values: readonly string[];
  /** Why the words are not served that are not among them. */
  readonly others?: string;
}

/** The fields of a message webhook. */
function payloadKeys(openapi: JsonObject): EnumerationAnswer {
  const content = at(openapi, 'webhooks', '/message/receive', 'post', 'requestBody', 'content') ?? {};
  const schema = Object.values(content).map((body) => resolved(openapi, at(body, 'schema')))[0];
  return { values: Object.keys(at(schema, 'properties') ?? {}) };
}

/** Values of a list, keys of a dictionary, the prefixes of sids, or a remark as it stands. */
function valuesOf(set: string, values: unknown): string[] {
  if (Array.isArray(values)) return values.map(String);
  if (typeof values !== 'object' || values === null) return [String(values)];
  if (set === 'sid_prefix') return Object.values(values).map(String);
  return Object.entries(values).flatMap(([key, value]) =>
    Array.isArray(value) ? value.map((item) => `${key}: ${item}`) : [key],
  );
}

async function codeSection(ledger: Ledger): Promise<Section> {
  const spec = z.object({ source: z.string(), codes: z.array(z.int()) }).parse(await fixture('error-codes'));
  const rows = spec.codes.map((code): Row => {
    const message = isErrorCode(code) ? apiErrors[code].message : messageErrors[code];
    if (message !== undefined) return { name: `${code}: ${message}`, kind: 'code', refusal: null };
    const refusal = codeRefusals.find(({ from, to }) => code >= from && code <= to)?.reason;
    return { name: String(code), kind: 'code', refusal: refusal ?? gap(ledger, `error code ${code}`) };
  });
  return { title: 'error-codes', source: spec.source, rows };
}

/** The file's whole text. */
export function conformanceText(sections: readonly Section[]): string {
  const all = sections.flatMap(({ rows }) => rows);
  const served = all.filter(({ refusal }) => refusal === null).length;
  const lines = [
    '# Conformance',
    '',
    'Every path, parameter, enumeration and response field of the specifications this service follows, and whether it is',
    'served. Made by `npm run reference`; a test holds it to the code. A parameter that is refused may be sent: unknown',
    'parameters are ignored, but for those whose reason names the codes they are answered with.',
    '',
    `${all.length} rows, ${served} served, ${all.length - served} refused with a reason.`,
  ];
  for (const { title, source, rows } of sections) {
    lines.push('', `## ${title}`, '', `Source: ${source}`, '', '| Name | Kind | |', '|---|---|---|');
    for (const { name, kind, refusal } of rows) {
      const label = kind === 'path' ? `**${name}**` : `\`${name.replaceAll('|', '\\|')}\``;
      lines.push(`| ${label} | ${kind} | ${refusal === null ? 'served' : `refused: ${refusal}`} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function at(value: unknown, ...path: readonly string[]): JsonObject | undefined {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Reflect.get(found, name);
  }
  return typeof found === 'object' && found !== null ? (found as JsonObject) : undefined;
}

const list = (value: unknown): JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);

/** A schema, or the one it refers to. */
function resolved(openapi: JsonObject, schema: unknown): JsonObject | undefined {
  const reference = at(schema) && Reflect.get(Object(schema), '$ref');
  return typeof reference === 'string' ? at(openapi, ...reference.slice(2).split('/')) : at(schema);
}

function choicesOf(schema: unknown): string[] {
  const own = list(at(schema, 'enum')).map(String);
  const choices = list(at(schema, 'anyOf')).flatMap(choicesOf);
  const constant = typeof schema === 'object' && schema !== null ? Reflect.get(schema, 'const') : undefined;
  return [...own, ...choices, ...(typeof constant === 'string' ? [constant] : [])];
}
