/** Requests in: form bodies and queries become checked values, or the error of the first field that is wrong. */
import { z } from 'zod';
import { ApiError, apiErrors, isErrorCode, type ErrorCode } from '../domain/errors.ts';

/** Every value of a body or a query by name, in the order sent. A Map: no name can touch a prototype. */
export type Values = ReadonlyMap<string, readonly (string | File)[]>;

/** Reads a urlencoded or multipart body; no body at all is an empty form. Throws 20001 and 20415. */
export async function readForm(request: Request): Promise<Values> {
  const type = mediaType(request);
  if (type === 'application/x-www-form-urlencoded') {
    return readEntries(new URLSearchParams(await request.text()));
  }
  if (type === 'multipart/form-data') return readEntries(await readMultipart(request));
  if ((await request.text()) === '') return new Map();
  throw new ApiError(20415);
}

export function readQuery(url: string): Values {
  const start = url.indexOf('?');
  return readEntries(new URLSearchParams(start < 0 ? '' : url.slice(start + 1)));
}

/**
 * Makes the reader of a schema. Names the schema lacks are ignored; a parameter that is no list may come once.
 * The reader throws the code declared beside the field, 20001 where a needed one is missing.
 */
export function valuesParser<T extends z.ZodObject>(schema: T): (values: Values) => z.output<T> {
  const fields = Object.entries(schema.shape).map(([name, field]) => ({
    name,
    repeatable: isListField(field),
  }));
  return (values) => {
    const input: Record<string, unknown> = {};
    for (const { name, repeatable } of fields) {
      const given = values.get(name);
      if (given === undefined) continue;
      if (!repeatable && given.length > 1) throw new ApiError(20001, `${name} may be sent only once`);
      input[name] = repeatable ? given : given[0];
    }
    const parsed = schema.safeParse(input);
    if (parsed.success) return parsed.data;
    throw fieldError(schema, parsed.error.issues[0], input);
  };
}

/** The code declared beside a field, or beside what it wraps. */
export function fieldCode(field: z.core.$ZodType): ErrorCode | undefined {
  for (const layer of layersOf(field)) {
    const code = z.globalRegistry.get(layer)?.['x-error-code'];
    if (typeof code === 'number' && isErrorCode(code)) return code;
  }
  return undefined;
}

/** The media type of a body without its parameters, in lower case. */
export function mediaType(request: Request): string | undefined {
  return request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
}

/** A compressed body would be read as an empty form. Throws 20415. */
export function requirePlainBody(request: Request): void {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity';
  if (encoding !== 'identity')
    throw new ApiError(20415, 'Send the body as it is: no Content-Encoding but identity is taken');
}

function readMultipart(request: Request): Promise<FormData> {
  return request.formData().catch(() => {
    throw new ApiError(20001, 'The multipart body is not well formed');
  });
}

function readEntries(entries: Iterable<[string, string | File]>): Values {
  const values = new Map<string, (string | File)[]>();
  for (const [name, value] of entries) {
    // PostgreSQL keeps no NUL in text.
    if (typeof value === 'string' && value.includes('\0'))
      throw new ApiError(20001, 'A parameter holds a NUL character');
    const list = values.get(name);
    if (list) list.push(value);
    else values.set(name, [value]);
  }
  return values;
}

function fieldError(
  schema: z.ZodObject,
  issue: z.core.$ZodIssue | undefined,
  input: Readonly<Record<string, unknown>>,
): ApiError {
  const name = String(issue?.path[0] ?? '');
  if (input[name] === undefined) return new ApiError(20001, `${name} is missing`);
  // A field's own code speaks of texts.
  if (issue?.code === 'invalid_type' && [input[name]].flat().some((value) => value instanceof File))
    return new ApiError(20001, `${name} is not valid: it has to be a text, not a file`);
  const field: z.core.$ZodType | undefined = schema.shape[name];
  const code = (field && fieldCode(field)) ?? 20001;
  const { message } = apiErrors[code];
  const complaint = issue && complaintOf(name, issue);
  if (complaint !== undefined && (code === 20001 || saysLess(message, issue)))
    return new ApiError(code, complaint);
  if (code === 20001) return new ApiError(code, `${name} is not valid`);
  return new ApiError(code, message.includes(name) ? message : `${message} (${name})`);
}

/** What is wrong with a value, by the check it failed; `undefined` where the check has no words of its own. */
function complaintOf(name: string, issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === 'too_small' && issue.origin === 'string') return `${name} is empty`;
  if (issue.code === 'too_big' && issue.origin === 'string')
    return `${name} is longer than ${issue.maximum} characters`;
  if (issue.code === 'too_big' && issue.origin === 'array')
    return `${name} may be sent ${issue.maximum} times at most`;
  // Words of zod's own say nothing to a caller.
  if (/^(Invalid|Too) /.test(issue.message)) return undefined;
  return `${name} is not valid: ${issue.path.length > 1 ? 'each' : 'it'} has to be ${issue.message}`;
}

/** Tells whether a code's message leaves out what the failed check knows: the length, the words allowed, or our own words. */
function saysLess(message: string, issue: z.core.$ZodIssue | undefined): boolean {
  if (issue?.code === 'invalid_value') return !issue.values.every((word) => message.includes(String(word)));
  return issue?.code === 'too_big' || issue?.code === 'too_small' || issue?.code === 'custom';
}

/** Tells whether a field may be sent more than once. */
export function isListField(field: z.core.$ZodType): boolean {
  return layersOf(field).some((layer) => layer instanceof z.ZodArray);
}

/** Tells whether a field is described as one whose values may be objects, in a JSON body. */
export function takesObjects(field: z.core.$ZodType): boolean {
  return layersOf(field).some((layer) => [z.globalRegistry.get(layer)?.['type']].flat().includes('object'));
}

/** A schema and the ones it wraps, outermost first. */
function layersOf(field: z.core.$ZodType): z.core.$ZodType[] {
  const layers = [field];
  for (const layer of layers) {
    if (layer instanceof z.ZodOptional || layer instanceof z.ZodNullable || layer instanceof z.ZodDefault)
      layers.push(layer.def.innerType);
    if (layer instanceof z.ZodPipe) layers.push(layer.def.in, layer.def.out);
    if (layer instanceof z.ZodArray) layers.push(layer.def.element);
  }
  return layers;
}
