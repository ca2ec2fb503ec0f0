/** Forms of the carrier's calls and pages, urlencoded or multipart. */
import type { Context } from 'hono';

export interface TextForm {
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
  /** First value of any other field; empty where it is missing. */
  text(name: string): string;
}

export async function readForm(ctx: Context): Promise<TextForm> {
  const fields = await ctx.req.parseBody({ all: true });
  const all = (name: string): string[] =>
    [fields[name]].flat().filter((value): value is string => typeof value === 'string' && value !== '');
  const text = (name: string): string => all(name)[0] ?? '';
  return {
    from: numberOf(text('From')),
    to: numberOf(text('To')),
    body: text('Body'),
    mediaUrls: all('MediaUrl'),
    text,
  };
}

/** An unescaped + of a form arrives as a space. */
const numberOf = (value: string): string => value.replace(/^\s+(?=\d)/, '+').trim();
