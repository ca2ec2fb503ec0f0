/** Pages out: the doctype, and the headers every page carries. */
import type { Context, MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { apiHeaders } from '../api/headers.ts';

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Answers with a whole page. */
export function sendPage(
  ctx: Context,
  page: Markup,
  status: ContentfulStatusCode = 200,
): Response | Promise<Response> {
  return ctx.html(html`<!doctype html>${page}`, status);
}

/** Answers with a part of a page, which htmx puts in place of the old one. */
export function sendFragment(ctx: Context, fragment: Markup): Response | Promise<Response> {
  return ctx.html(fragment);
}

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** What pages and their style sheets carry as every answer of the API does. */
export const commonHeaders = {
  'Strict-Transport-Security': apiHeaders['Strict-Transport-Security'],
  'X-Content-Type-Options': apiHeaders['X-Content-Type-Options'],
} as const;

/**
 * Scripts and styles from this origin only, nothing from elsewhere. The referrer stays within the origin: a signing
 * link must not leak, and with no referrer at all browsers send forms with `Origin: null`.
 */
export const pageHeaders: MiddlewareHandler = async (ctx, next) => {
  await next();
  ctx.header('Referrer-Policy', 'same-origin');
  for (const [name, value] of Object.entries(commonHeaders)) ctx.header(name, value);
  ctx.header('X-Frame-Options', 'SAMEORIGIN');
  const isPage = ctx.res.headers.get('Content-Type')?.startsWith('text/html') ?? false;
  // A browser's PDF viewer is a page of its own that a page's policy would stop.
  ctx.header('Content-Security-Policy', isPage ? contentSecurityPolicy : "frame-ancestors 'self'");
};

/** For pages that show what only one person may see. */
export const privatePage: MiddlewareHandler = async (ctx, next) => {
  await next();
  ctx.header('Cache-Control', 'no-store');
};
