/**
 * Order of writing for lines that mix scripts: the implicit part of the Unicode Bidirectional Algorithm (UAX #9),
 * without embeddings. pdfkit sets a line strictly from left to right; this says in which order its runs stand.
 */

export interface DirectionalRun {
  /** In reading order; brackets of right-to-left runs are mirrored. */
  readonly text: string;
  readonly rightToLeft: boolean;
}

type Class = 'left' | 'right' | 'digit' | 'neutral';

const rightToLeftLetter =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const letter = /\p{L}/u;
const digit = /\p{Nd}/u;
const mark = /\p{M}/u;
/** Characters that belong to the number they stand in. */
const numberSeparator = /[.,:/+-]/;
const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
};

/** The runs of one line as they stand from left to right. The line's own direction is that of its first letter. */
export function visualRuns(line: string): readonly DirectionalRun[] {
  const characters = Array.from(line);
  const classes = classify(characters);
  const base = classes.find((type) => type === 'left' || type === 'right') === 'right' ? 1 : 0;
  const levels = resolveLevels(classes, base);
  const runs = groupByLevel(characters, levels);
  for (let level = Math.max(0, ...levels); level > 0; level--) reverseFrom(runs, level);
  return runs.map(({ text, level }) => ({
    text: level % 2 === 1 ? mirror(text) : text,
    rightToLeft: level % 2 === 1,
  }));
}

/** Tells whether a text has letters that are written from right to left. */
export function isRightToLeft(text: string): boolean {
  return rightToLeftLetter.test(text);
}

function classify(characters: readonly string[]): readonly Class[] {
  const classes: Class[] = [];
  for (const [index, character] of characters.entries()) {
    const previous = classes[index - 1];
    if (mark.test(character)) classes.push(previous ?? 'neutral');
    else if (digit.test(character)) classes.push('digit');
    else if (rightToLeftLetter.test(character)) classes.push('right');
    else if (letter.test(character)) classes.push('left');
    else if (
      numberSeparator.test(character) &&
      previous === 'digit' &&
      digit.test(characters[index + 1] ?? '')
    )
      classes.push('digit');
    else classes.push('neutral');
  }
  return classes;
}

interface Place {
  /** Even levels run to the right, odd ones to the left. */
  readonly level: number;
  /** What neutral characters beside it take it for. */
  readonly side: 'left' | 'right';
}

/** Numbers run to the right wherever they stand; among right-to-left letters they count as one of them. */
function resolveLevels(classes: readonly Class[], base: 0 | 1): readonly number[] {
  const outside: Place['side'] = base === 1 ? 'right' : 'left';
  const left: Place = { level: base === 1 ? 2 : 0, side: 'left' };
  let strong = outside;
  const places = classes.map((type): Place | null => {
    if (type === 'left' || type === 'right') strong = type;
    if (type === 'neutral') return null;
    if (strong === 'left') return left;
    return { level: type === 'digit' ? 2 : 1, side: 'right' };
  });
  return places.map((place, index) => {
    if (place !== null) return place.level;
    // Neutral characters go with their neighbours where both sides agree, else with the line.
    const before = places.slice(0, index).findLast((place) => place !== null)?.side ?? outside;
    const after = places.slice(index + 1).find((place) => place !== null)?.side ?? outside;
    if (before !== after) return base;
    return before === 'right' ? 1 : left.level;
  });
}

interface LevelRun {
  text: string;
  readonly level: number;
}

function groupByLevel(characters: readonly string[], levels: readonly number[]): LevelRun[] {
  const runs: LevelRun[] = [];
  for (const [index, character] of characters.entries()) {
    const level = levels[index] ?? 0;
    const last = runs.at(-1);
    if (last?.level === level) last.text += character;
    else runs.push({ text: character, level });
  }
  return runs;
}

/** Turns every unbroken stretch of runs at this level or above around. Rule L2. */
function reverseFrom(runs: LevelRun[], level: number): void {
  for (let start = 0; start < runs.length; start++) {
    if ((runs[start]?.level ?? 0) < level) continue;
    let end = start;
    while ((runs[end]?.level ?? 0) >= level) end++;
    runs.splice(start, end - start, ...runs.slice(start, end).reverse());
    start = end;
  }
}

const mirror = (text: string): string =>
  Array.from(text, (character) => mirrored[character] ?? character).join('');
