/** JSON bodies, read as if they were forms, so that one way of checking serves both. */
import type { z } from 'zod';
import { ApiError } from '../domain/errors.ts';
import { isListField, mediaType, readForm, takesObjects, type Values } from './form.ts';

/** Reads a form, or a JSON object. Throws 20001 and 20415. */
export function readFormOrJson(request: Request, form: z.ZodObject): Promise<Values> {
  return mediaType(request) === 'application/json' ? readJson(request, form) : readForm(request);
}

/**
 * Reads a JSON object. What is no text becomes the text of its JSON; a field that takes objects reads them back with
 * `jsonObject`, any other of the form refuses them. `null` counts as absent. Throws 20001 and 20415.
 */
export async function readJson(request: Request, form: z.ZodObject): Promise<Values> {
  if (mediaType(request) !== 'application/json')
    throw new ApiError(20415, 'Send the body as application/json');
  const body = parse(await request.text());
  if (!isObject(body)) throw new ApiError(20001, 'The body is not a JSON object');
  return valuesOf(body, form);
}

/** What cannot be read, or is nested deeper than our stack, is no object. PostgreSQL keeps no half of a surrogate pair. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\uFFFD') : value,
    );
  } catch {
    return null;
  }
}

/** The fields of a JSON object as values of a form. Throws 20001. */
export function valuesOf(object: Readonly<Record<string, unknown>>, form: z.ZodObject): Values {
  for (const [name, field] of Object.entries(form.shape)) requireTexts(name, object[name], field);
  return new Map(
    Object.entries(object)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, (Array.isArray(value) ? value : [value]).map(textOf)]),
  );
}

/** The object a text of `readJson` stands for, or `undefined` where it is a plain text. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Nobody who sends an object means the text of its JSON: that would be sent on, or kept as a name. Throws 20001. */
function requireTexts(name: string, value: unknown, field: z.core.$ZodType): void {
  if (takesObjects(field)) return;
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!given.some((one) => typeof one === 'object' && one !== null)) return;
  const which = isListField(field) ? 'each' : 'it';
  throw new ApiError(20001, `${name} is not valid: ${which} has to be a text, not an object or a list`);
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // PostgreSQL keeps no NUL in text.
  if (typeof value === 'string' ? text.includes('\0') : escapedNul.test(text))
    throw new ApiError(20001, 'A parameter holds a NUL character');
  return text;
}

/** A NUL as JSON writes it; not a backslash of the text itself that `u0000` happens to follow. */
const escapedNul = /(?<!\\)(?:\\\\)*\\u0000/;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
