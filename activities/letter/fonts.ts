/**
 * The typefaces of a letter. DejaVu has Latin, Cyrillic, Greek, Arabic and Hebrew; files named in `documents.fonts`
 * come after it, for the scripts it lacks. A character that no face has is never printed as an empty box.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as fontkit from 'fontkit';

/** `signature`: an italic face, for what stands for handwriting. */
export type Style = 'regular' | 'bold' | 'signature';

/** One face, as pdfkit registers it and fontkit looks into it. */
interface Face {
  readonly name: string;
  readonly bytes: Buffer;
  /** Face within a collection (.ttc). */
  readonly postscriptName: string | undefined;
  has(codePoint: number): boolean;
}

/** A stretch of text that one face can print. */
interface FaceRun {
  readonly text: string;
  readonly face: Face;
}

export interface Fonts {
  readonly faces: readonly Face[];
  /** Cuts a text into stretches by face. What no face has is written out as its code point, such as [U+1F600]. */
  runs(text: string, style: Style): readonly FaceRun[];
  /** Characters of a text that no face has. */
  missing(text: string): readonly string[];
}

const dejaVu = createRequire(import.meta.url)
  .resolve('dejavu-fonts-ttf/package.json')
  .replace('package.json', 'ttf/');

/** Reads every face. `extraFonts` are files, `file.ttc#PostScriptName` for one face of a collection. Throws when one cannot be read. */
export function loadFonts(extraFonts: readonly string[]): Fonts {
  const extra = extraFonts.map((entry) => {
    const [file = '', postscriptName] = entry.split('#');
    return loadFace(file, postscriptName);
  });
  const [sans, bold, italic] = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf', 'DejaVuSerif-Italic.ttf'].map(
    (file) => loadFace(dejaVu + file),
  ) as [Face, Face, Face]; // three names, three faces
  const chains: Readonly<Record<Style, readonly Face[]>> = {
    regular: [sans, ...extra],
    bold: [bold, sans, ...extra],
    signature: [italic, sans, ...extra],
  };
  const printable = (character: string): boolean => faceFor(character, chains.regular) !== undefined;
  return {
    faces: [sans, bold, italic, ...extra],
    runs: (text, style) => cut(text, chains[style], sans),
    missing: (text) => [...new Set(text)].filter((character) => !printable(character)),
  };
}

function loadFace(file: string, postscriptName?: string): Face {
  const bytes = readFileSync(file);
  const font = fontkit.create(bytes, postscriptName);
  if ('fonts' in font) {
    const names = font.fonts.map((face) => face.postscriptName).join(', ');
    throw new TypeError(`${file} holds several fonts: name one, as ${file}#NAME (${names})`);
  }
  return { name: font.postscriptName, bytes, postscriptName, has: (code) => font.hasGlyphForCodePoint(code) };
}

/** Marks and joiners shape their neighbours; a face without a glyph for them still prints the text. */
const invisible = /[\p{Cf}\p{Variation_Selector}]/u;

function faceFor(character: string, chain: readonly Face[]): Face | undefined {
  const code = character.codePointAt(0) ?? 0;
  return invisible.test(character) ? chain[0] : chain.find((face) => face.has(code));
}

/** A character stays in the face of the one before it when it can, so that marks and spaces do not part words. */
function cut(text: string, chain: readonly Face[], fallback: Face): readonly FaceRun[] {
  const runs: { text: string; face: Face }[] = [];
  for (const character of text.normalize('NFC')) {
    const last = runs.at(-1);
    const stays = last && (invisible.test(character) || last.face.has(character.codePointAt(0) ?? 0));
    const preferred = faceFor(character, chain);
    const face = stays && /[\p{M}\p{P}\p{Z}\p{Cf}]/u.test(character) ? last.face : (preferred ?? fallback);
    const printed = preferred === undefined && !stays ? codePointName(character) : character;
    if (last?.face === face) last.text += printed;
    else runs.push({ text: printed, face });
  }
  return runs;
}

const codePointName = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
