/** Whether the service may call a customer's URL: asked when it is saved; every connection checks again. */
import { ApiError, apiErrors, type ErrorCode } from '../domain/errors.ts';
import type { ApiDeps } from './deps.ts';

/** Throws `code`, with the reason, for the first URL that must not be called. */
export async function requireSafeUrls(
  { checkUrl }: Pick<ApiDeps, 'checkUrl'>,
  urls: readonly (string | null | undefined)[],
  code: ErrorCode,
): Promise<void> {
  for (const url of new Set(urls)) {
    const reason = url ? await checkUrl(url) : null;
    if (reason !== null) throw new ApiError(code, `${apiErrors[code].message}: ${reason}`);
  }
}
