/** Writes text in any script onto the pages of a PDF: faces by character, order by script, lines by width. */
import type Pdf from 'pdfkit';
import { isRightToLeft, visualRuns } from './bidi.ts';
import type { Fonts, Style } from './fonts.ts';

export interface TextOptions {
  readonly style?: Style;
  /** Points. */
  readonly size?: number;
  /** Grey level of the ink, such as `#555555`. */
  readonly color?: string;
}

export interface Writer {
  /** Cuts a text into lines of at most `width` points. */
  lines(text: string, width: number, options?: TextOptions): readonly string[];
  /** Prints one line with its top left corner at x, y. */
  line(text: string, x: number, y: number, options?: TextOptions): void;
  width(text: string, options?: TextOptions): number;
  /** Distance from one line to the next. Points. */
  lineHeight(options?: TextOptions): number;
}

const defaults = { style: 'regular', size: 10, color: '#000000' } as const;
/** Leading as a share of the size. */
const leading = 1.4;
/** Ascent of DejaVu Sans as a share of the size: every face is set on its base line. */
const ascent = 0.93;

interface Segment {
  readonly text: string;
  readonly face: string;
}

export function createWriter(pdf: typeof Pdf, fonts: Fonts): Writer {
  for (const face of fonts.faces) pdf.registerFont(face.name, face.bytes, face.postscriptName);

  const measure = ({ text, face }: Segment, size: number): number =>
    pdf.font(face).fontSize(size).widthOfString(text, { features: [] });

  const width = (text: string, { style, size } = defaults as Required<TextOptions>): number =>
    segments(text, style, fonts).reduce((sum, segment) => sum + measure(segment, size), 0);

  return {
    width: (text, options) => width(text, { ...defaults, ...options }),
    lineHeight: (options) => (options?.size ?? defaults.size) * leading,
    lines: (text, limit, options) =>
      breakLines(text, limit, (part) => width(part, { ...defaults, ...options })),
    line(text, x, y, options) {
      const { style, size, color } = { ...defaults, ...options };
      const baseline = y + ascent * size;
      let left = x;
      for (const segment of segments(text, style, fonts)) {
        pdf.font(segment.face).fontSize(size).fillColor(color);
        pdf.text(segment.text, left, baseline, { lineBreak: false, features: [], baseline: 'alphabetic' });
        left += measure(segment, size);
      }
    },
  };
}

/** What is printed one after another from left to right. */
function segments(line: string, style: Style, fonts: Fonts): readonly Segment[] {
  return visualRuns(line).flatMap(({ text, rightToLeft }) => {
    const runs = fonts.runs(text, style).map(({ text, face }) => ({
      // The shaper turns letters around by their script; what has no letters has to be turned here.
      text: rightToLeft && !isRightToLeft(text) ? Array.from(text).reverse().join('') : text,
      face: face.name,
    }));
    return rightToLeft ? runs.reverse() : runs;
  });
}

/** Places where a line may end: after a space, and between the characters of scripts that have none. */
const breakable = /(?<=\s)(?=\S)|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u;

function breakLines(text: string, limit: number, width: (part: string) => number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(breakable)) {
    if (width((line + word).trimEnd()) <= limit) {
      line += word;
      continue;
    }
    if (line !== '') lines.push(line.trimEnd());
    const [rest, ...full] = cutWord(word, limit, width).reverse();
    lines.push(...full.reverse());
    line = rest ?? '';
  }
  lines.push(line.trimEnd());
  return lines;
}

/** A word that is longer than a line is cut wherever the line ends. */
function cutWord(word: string, limit: number, width: (part: string) => number): string[] {
  const parts = [''];
  for (const character of word) {
    const last = parts.length - 1;
    if (width((parts[last] + character).trimEnd()) <= limit || parts[last] === '') parts[last] += character;
    else parts.push(character);
  }
  return parts;
}
