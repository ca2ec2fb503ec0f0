/** Headers of every answer of the API. Pages have their own (web/render.ts). */

/**
 * What a browser's script needs, as the preview answers declare it (domain.md §1.1), and what keeps an answer from being
 * kept or taken for anything but data.
 */
export const apiHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Credentials': 'true',
  'Access-Control-Allow-Headers': 'Accept, Authorization, Content-Type, Idempotency-Key',
  'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'Access-Control-Expose-Headers': 'Allow, Retry-After, X-Request-Id',
  'Cache-Control': 'no-store',
  'Strict-Transport-Security': 'max-age=15552000',
  'X-Content-Type-Options': 'nosniff',
} as const;
