/** A text as scripts, pages and the service give it: form From, To, Body, MediaUrl (repeatable). */
import type { Context } from 'hono';
import { handsetOf, readForm } from './form.ts';

export interface TextForm {
  /** E.164, a short code, or a name; empty where it is missing. */
  readonly from: string;
  /** E.164, or a short code. */
  readonly to: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
  readonly statusCallback: string | null;
}

/** `null` where nobody sends it, nobody gets it, or nothing is in it. */
export async function readTextForm(ctx: Context): Promise<TextForm | null> {
  const form = await readForm(ctx);
  const first = (name: string): string => form.get(name)?.[0] ?? '';
  const from = handsetOf(first('From')) ?? first('From').trim();
  const to = handsetOf(first('To'));
  const body = first('Body');
  const mediaUrls = form.get('MediaUrl')?.filter((url) => url !== '') ?? [];
  if (from === '' || to === null || (body === '' && mediaUrls.length === 0)) return null;
  return { from, to, body, mediaUrls, statusCallback: first('StatusCallback') || null };
}
