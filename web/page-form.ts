/** Posted forms of pages. What no page of ours sends is the sender's mistake, and is told so instead of failing inside. */
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { mediaType } from '../api/form.ts';

const formTypes: readonly (string | undefined)[] = [
  'application/x-www-form-urlencoded',
  'multipart/form-data',
];

/** Reads a posted form. Throws a 400 whose message is for the sender: `errorPage` shows it. */
export async function readPageForm(ctx: Context): Promise<FormData> {
  if (!formTypes.includes(mediaType(ctx.req.raw)))
    throw refusal('What was sent is not a form. Go back and use the form of the page.');
  const form = await ctx.req.formData().catch((cause: unknown) => {
    throw refusal('The form is broken and cannot be read. Go back and send it again.', cause);
  });
  for (const [, value] of form) {
    // PostgreSQL keeps no NUL in text.
    if (typeof value === 'string' && value.includes('\0'))
      throw refusal('A field holds a NUL character. Go back, take it out and send the form again.');
  }
  return form;
}

/** The text fields of a form, trimmed; a repeated one by its last value. */
export function textFields(form: FormData): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const [name, value] of form) if (typeof value === 'string') fields[name] = value.trim();
  return fields;
}

const refusal = (message: string, cause?: unknown): HTTPException =>
  new HTTPException(400, { message, cause });
