/** X-Twilio-Signature, as the official clients' `validateRequest` checks it. Source: domain.md §2.4. */
import { createHmac } from 'node:crypto';
import { equalSecrets } from './vault.ts';

/** Parameters of a form; a repeated one is listed once per value. */
export type FormParameters = Readonly<Record<string, string | readonly string[]>>;

/** Base64 HMAC-SHA1 over the full URL and every POST parameter, sorted by name. For GET pass no parameters. */
export function signRequest(authToken: string, url: string, parameters: FormParameters = {}): string {
  const joined = Object.keys(parameters)
    .sort()
    .map((name) => name + valuesOf(parameters[name]).join(name))
    .join('');
  return createHmac('sha1', authToken)
    .update(url + joined, 'utf8')
    .digest('base64');
}

export function isSignedBy(
  authToken: string,
  signature: string,
  url: string,
  parameters?: FormParameters,
): boolean {
  return equalSecrets(signature, signRequest(authToken, url, parameters));
}

/** Twilio's clients drop repeated values and sort the rest before joining. */
function valuesOf(value: string | readonly string[] | undefined): string[] {
  return typeof value === 'string' ? [value] : [...new Set(value)].sort();
}
