/** Words by which a contact leaves and comes back. Source: domain.md §5.2, every list in it (decision 0016). */

/** Twilio, Telnyx, AWS, the toll-free network, and the FCC rule in force since 2025-04-11. */
export const stopWords = [
  'STOP',
  'STOPALL',
  'STOP ALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'REVOKE',
  'OPTOUT',
  'OPT-OUT',
  'OPT OUT',
  'ARRET',
  'REMOVE',
  'TD',
] as const;
export const startWords = ['START', 'YES', 'UNSTOP'] as const;
export const helpWords = ['HELP', 'INFO'] as const;

export type Keyword = 'STOP' | 'START' | 'HELP';

const keywords: ReadonlyMap<string, Keyword> = new Map([
  ...stopWords.map((word): [string, Keyword] => [word, 'STOP']),
  ...startWords.map((word): [string, Keyword] => [word, 'START']),
  ...helpWords.map((word): [string, Keyword] => [word, 'HELP']),
]);

/** The keyword a text consists of: the whole trimmed body, in any letter case. */
export function keywordOf(body: string): Keyword | null {
  return keywords.get(body.trim().replaceAll(/\s+/g, ' ').toUpperCase()) ?? null;
}

/** `type` of the optout/change event. Source: service.md §2.5. */
export type OptOutChange = 'STOP' | 'UNSTOP';

/**
 * What a text asks for. Whether it changes anything is for the contact's row to say, so that one real change is one
 * event, and YES, an everyday answer, brings back only who had left.
 */
export function wishOf(body: string): OptOutChange | null {
  const keyword = keywordOf(body);
  if (keyword === 'STOP') return 'STOP';
  return keyword === 'START' ? 'UNSTOP' : null;
}
