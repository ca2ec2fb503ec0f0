/**
 * The parameters of forms and queries: how each kind is read, and the error code it answers with when it is wrong.
 * Values arrive as text. The code stands in the schema as `x-error-code`, so the reference shows it beside the field.
 * A check's own message completes "it has to be …": the caller reads it (`form.ts`).
 */
import { isPossiblePhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { z } from 'zod';
import type { ErrorCode } from '../domain/errors.ts';
import { isHttpUrl, maxUrlLength } from '../domain/http-url.ts';
import { isPlainLine, plainLine } from '../domain/plain-line.ts';
import { isRecipient, partyOf } from '../domain/party.ts';
import { type SidKind, sidPrefixes } from '../domain/sid.ts';

/** Declares which error a wrong value of this field answers with, and what the reference says about it. */
export function coded<T extends z.ZodType>(schema: T, code: ErrorCode, documentation: object = {}): T {
  return schema.meta({ ...documentation, 'x-error-code': code });
}

/** A parameter that may be absent (`undefined`) or sent empty (`null`: none, or take it away). */
export function optional<T extends z.ZodType>(schema: T): z.ZodOptional<z.ZodPreprocess<z.ZodNullable<T>>> {
  return z.preprocess((value) => (value === '' ? null : value), schema.nullable()).optional();
}

export function text(options: { max: number; min?: number; code?: ErrorCode }): z.ZodString {
  return coded(
    z
      .string()
      .min(options.min ?? 0)
      .max(options.max),
    options.code ?? 20001,
  );
}

/** A line of text that a letter prints. */
export function line(options: { max: number; min?: number; code?: ErrorCode }): z.ZodString {
  const { min = 0, max, code = 20001 } = options;
  return coded(z.string().min(min).max(max).refine(isPlainLine, plainLine), code, {
    description: 'One line, without control characters and marks that turn the direction of writing',
  });
}

/** A plus sign that was sent unescaped arrives as a space. */
const withPlus = (number: string): string => number.replace(/^ (?=\d)/, '+');

/** E.164. */
export function phoneNumber(code: ErrorCode = 22102): z.ZodType<string, string> {
  const repaired = z.string().transform(withPlus);
  return coded(
    repaired.pipe(z.string().regex(/^\+[1-9]\d{1,14}$/, 'in E.164 format, such as +14158675310')),
    code,
    {
      description: 'E.164',
      examples: ['+14158675310'],
    },
  );
}

/** Whom a text came from or went to, as it is told: a number in E.164, a short code, or a name. */
export function party(code: ErrorCode): z.ZodType<string, string> {
  const schema = z
    .string()
    .max(32)
    .transform((value) => partyOf(withPlus(value)));
  return coded(schema, code, { type: 'string', examples: ['+14158675310'] });
}

/** Whom a text may be sent to. */
export function recipient(code: ErrorCode): z.ZodType<string, string> {
  const repaired = z.string().transform(withPlus);
  const schema = repaired.pipe(
    z.string().refine(isSendable, 'in E.164 format, such as +14158675310, or a short code'),
  );
  return coded(schema, code, { description: 'E.164, or a short code', examples: ['+14158675310'] });
}

/** Of numbers, those that their country's plan allows. */
function isSendable(party: string): boolean {
  return isRecipient(party) && (!party.startsWith('+') || isPossiblePhoneNumber(party));
}

/**
 * A number at which a person is reached: read the way people of North America write it, or any other country's with its
 * plus; kept as E.164. Whether it is in use is not asked.
 */
export function telephone(): z.ZodType<string, string> {
  const schema = z.string().transform((value, context) => {
    const parsed = parsePhoneNumberFromString(withPlus(value), 'US');
    if (parsed?.isPossible()) return parsed.number;
    context.addIssue({ code: 'custom', message: 'a phone number, such as +14158675310' });
    return z.NEVER;
  });
  return coded(schema, 20001, { type: 'string', examples: ['+14158675310'] });
}

/** `true` or `false` in any letter case. */
export function flag(code: ErrorCode = 20001): z.ZodType<boolean, string> {
  const schema = z.string().transform((value, context) => {
    if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
    context.addIssue({ code: 'custom', message: 'true or false' });
    return z.NEVER;
  });
  return coded(schema, code, { type: 'boolean' });
}

export function integer(options: { min: number; max: number; code?: ErrorCode }): z.ZodType<number, string> {
  const { min, max, code = 20001 } = options;
  const schema = z.string().transform((value, context) => {
    const number = Number(value);
    if (/^-?\d{1,15}$/.test(value) && number >= min && number <= max) return number;
    context.addIssue({ code: 'custom', message: `a whole number from ${min} to ${max}` });
    return z.NEVER;
  });
  return coded(schema, code, { type: 'integer', minimum: min, maximum: max });
}

/** An absolute http(s) URL without credentials. Whether its host may be called is `requireSafeUrls`'s to say. */
export function httpUrl(code: ErrorCode = 22105): z.ZodType<string, string> {
  const words = 'an absolute http or https URL without user name and password';
  return coded(z.string().max(maxUrlLength).refine(isHttpUrl, words), code, {
    format: 'uri',
    examples: ['https://example.com/hook'],
  });
}

export function httpMethod(code: ErrorCode = 22106): z.ZodType<'GET' | 'POST', string> {
  const upper = z.string().transform((value) => value.toUpperCase());
  return coded(upper.pipe(z.enum(['GET', 'POST'])), code, { enum: ['GET', 'POST'] });
}

/** One address, without display name. Nothing that could start a further mail header gets through. */
export function email(code: ErrorCode = 22104): z.ZodType<string, string> {
  return coded(z.string().max(254).regex(emailPattern), code, {
    format: 'email',
    examples: ['owner@example.com'],
  });
}

export function sid(kind: SidKind, code: ErrorCode): z.ZodType<string, string> {
  return coded(z.string().regex(new RegExp(`^${sidPrefixes[kind]}[0-9a-fA-F]{32}$`)), code);
}

/** One word of a closed list, in the list's own letter case. */
export function choice<const T extends readonly [string, ...string[]]>(
  values: T,
  code: ErrorCode = 20001,
): z.ZodType<T[number], T[number]> {
  const allowed = values.length === 1 ? values[0] : `one of ${values.join(', ')}`;
  return coded(z.enum(values, allowed), code);
}

/** What a moment has to be. */
export const isoTime = 'an ISO 8601 time with offset, such as 2026-03-01T09:30:00Z';

/** The moment that a checked text stands for, where PostgreSQL reads it as we write it, in every zone and a day further. */
export function moment(written: z.ZodType<string, string>): z.ZodType<Date, string> {
  const storable = (at: Date): boolean =>
    at.getTime() >= Date.parse('0001-01-02T00:00:00Z') && at.getTime() < Date.parse('9999-01-01T00:00:00Z');
  return written.transform((value) => new Date(value)).refine(storable, 'a time in the years 1 to 9998');
}

/** A repeatable parameter: sent once per value; sent once and empty, it is the empty list. */
export function list<T extends z.ZodType>(item: T, max = 1000): z.ZodPreprocess<z.ZodArray<T>> {
  const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 1 && value[0] === '';
  return z.preprocess((value) => (isEmpty(value) ? [] : value), z.array(item).max(max));
}

/** A file of a multipart body. */
export function file(): z.ZodType<File, File> {
  return z
    .custom<File>((value) => value instanceof File, 'a file of a multipart body')
    .meta({ type: 'string', format: 'binary' });
}

const emailPattern =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;
