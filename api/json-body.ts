/** JSON bodies of the numbers API, read as if they were forms, so that one way of checking serves both. */
import { ApiError } from '../domain/errors.ts';
import type { Values } from './form.ts';

/**
 * Reads a JSON object whose lists may hold objects; such an object becomes the text of its JSON, which the field reads
 * with `jsonObject`. `null` counts as absent. Throws 20001 and 20415.
 */
export async function readNestedJson(request: Request): Promise<Values> {
  if (mediaType(request) !== 'application/json')
    throw new ApiError(20415, 'Send the body as application/json');
  const body: unknown = await request.json().catch(() => null);
  if (!isObject(body)) throw new ApiError(20001, 'The body is not a JSON object');
  return valuesOf(body);
}

/** The fields of a JSON object as values of a form. */
export function valuesOf(object: Readonly<Record<string, unknown>>): Values {
  return new Map(
    Object.entries(object)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, (Array.isArray(value) ? value : [value]).map(textOf)]),
  );
}

/** The object a text of `readNestedJson` stands for, or `undefined` where it is a plain text. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // PostgreSQL keeps no NUL in text; JSON.stringify writes it as an escape.
  if (text.includes('\0') || text.includes('\\u0000'))
    throw new ApiError(20001, 'A parameter holds a NUL character');
  return text;
}

function mediaType(request: Request): string | undefined {
  return request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
