/** Addresses that customers give us, by form or by TwiML: one rule for all of them. */

/** Characters of a URL. Source: Twilio's limit for URLs. */
export const maxUrlLength = 2048;

/** Whether it is an absolute http(s) URL without credentials, white space and control characters. */
export function isHttpUrl(value: string): boolean {
  if (value.length > maxUrlLength || /[\s\p{Cc}]/u.test(value) || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}
