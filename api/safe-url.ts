/** Whether the service may call a customer's URL: asked when it is saved; every connection checks again. */
import { ApiError, apiErrors, type ErrorCode } from '../domain/errors.ts';
import type { ApiDeps } from './deps.ts';

/** Throws `code`, with the reason, for the first URL that must not be called. */
export async function requireSafeUrls(
  { checkUrl }: Pick<ApiDeps, 'checkUrl'>,
  urls: readonly (string | null | undefined)[],
  code: ErrorCode,
): Promise<void> {
  // Together: a name server that does not answer is waited for once.
  const reasons = await Promise.all([...new Set(urls)].flatMap((url) => (url ? [checkUrl(url)] : [])));
  const reason = reasons.find((each) => each !== null);
  if (reason !== undefined) throw new ApiError(code, `${apiErrors[code].message}: ${reason}`);
}
