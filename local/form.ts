/** Forms in, errors out: what every stand-in's routes share. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';

/** Every value of every field, in order. Letter case of names is kept. */
export async function readForm(ctx: Context): Promise<ReadonlyMap<string, readonly string[]>> {
  const body = await ctx.req.parseBody({ all: true });
  return new Map(
    Object.entries(body).map(([name, value]) => [
      name,
      (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string'),
    ]),
  );
}

/** Twilio's error body. */
export function twilioError(
  ctx: Context,
  status: 400 | 401 | 404 | 409,
  code: number,
  message: string,
): Response {
  return ctx.json({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }, status);
}

/** E.164: a plus and up to 15 digits. A plus that arrived as a space, unescaped in a form, is put back. */
export function phoneNumberOf(text: string): string | null {
  const number = text.trim().replace(/^(?=\d)/, '+');
  return /^\+[1-9]\d{6,14}$/.test(number) ? number : null;
}

/** Who gets texts: a telephone, or a service behind a short code. */
export function handsetOf(text: string): string | null {
  const number = text.trim();
  return /^[1-9]\d{2,5}$/.test(number) ? number : phoneNumberOf(number);
}

/** Compares a credential in a time that does not depend on where it differs. */
export function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
