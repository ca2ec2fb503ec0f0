/** The little of TwiML that a verification call needs. Source: domain.md §2.3. */

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

export const say = (text: string): string => `<Say>${escape(text)}</Say>`;
export const pause = (seconds: number): string => `<Pause length="${seconds}"/>`;
export const redirect = (url: string): string => `<Redirect method="POST">${escape(url)}</Redirect>`;
export const hangUp = '<Hangup/>';

export interface Gather {
  readonly digits: number;
  readonly timeoutSeconds: number;
  readonly action: string;
  readonly prompt: string;
}

export function gather({ digits, timeoutSeconds, action, prompt }: Gather): string {
  const attributes = `input="dtmf" numDigits="${digits}" timeout="${timeoutSeconds}" method="POST"`;
  return `<Gather ${attributes} action="${escape(action)}">${say(prompt)}</Gather>`;
}

export function twimlResponse(...verbs: readonly string[]): Response {
  const document = `<?xml version="1.0" encoding="UTF-8"?>\n<Response>${verbs.join('')}</Response>`;
  return new Response(document, { headers: { 'Content-Type': 'text/xml; charset=utf-8' } });
}
