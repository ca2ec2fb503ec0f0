/** Opt-out words (domain.md §5.2). */
import { describe, expect, it } from 'vitest';
import { helpWords, keywordOf, startWords, stopWords, wishOf } from '../../domain/opt-out.ts';

const spellings = (word: string): string[] => [
  word,
  word.toLowerCase(),
  word.charAt(0) + word.slice(1).toLowerCase(),
  `  ${word}\r\n`,
];

describe('the words of every list', () => {
  it.each([
    ['Twilio', 'STOP STOPALL UNSUBSCRIBE CANCEL END QUIT REVOKE OPTOUT'.split(' ')],
    ['Telnyx', ['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT']],
    ['AWS', ['ARRET', 'OPT-OUT', 'REMOVE', 'TD']],
    ['FCC', ['stop', 'quit', 'end', 'revoke', 'opt out', 'cancel', 'unsubscribe']],
  ])('%s: each stops', (_, words) => {
    for (const word of words) expect(wishOf(word), word).toBe('STOP');
  });

  it('each word counts in any letter case, with white space around it', () => {
    for (const word of stopWords.flatMap(spellings)) expect(keywordOf(word), word).toBe('STOP');
    for (const word of startWords.flatMap(spellings)) expect(keywordOf(word), word).toBe('START');
    for (const word of helpWords.flatMap(spellings)) expect(keywordOf(word), word).toBe('HELP');
  });

  it('the event has two types only (service.md §2.5)', () => {
    expect(stopWords.map(wishOf)).toEqual(stopWords.map(() => 'STOP'));
    expect(startWords.map(wishOf)).toEqual(startWords.map(() => 'UNSTOP'));
    expect(helpWords.map(wishOf)).toEqual([null, null]);
  });
});

it.each([
  '',
  'please stop',
  'STOP!',
  'stopping',
  'STOP STOP',
  'nonstop',
  'y',
  'end of story',
])('"%s" is a text like any other', (body) => {
  expect(wishOf(body)).toBeNull();
});
