/** Texts as SMPP carries them: alphabets, user data headers, and long texts in parts. Source: SMPP 3.4 §5.2.19, 3GPP 23.038, 23.040. */
import smpp from 'smpp';
import { SegmentedMessage } from 'sms-segments-calculator';

/** What the SMSC means by data coding 0. */
export type DefaultAlphabet = 'gsm' | 'latin1';
/** How a text goes out that does not fit one part: in parts with a header, or whole in the message_payload field. */
export type LongTexts = 'parts' | 'payload';

export interface TextOctets {
  readonly dataCoding: number;
  readonly octets: Buffer;
}

/** Where a part belongs: the parts of one text carry the same reference. */
export interface PartPosition {
  readonly reference: number;
  readonly total: number;
  /** From 1. */
  readonly sequence: number;
}

const coding = { default: 0, ascii: 1, latin1: 3, cyrillic: 6, hebrew: 7, ucs2: 8 } as const;
/** UTF-16 code units of UCS-2, or septets of GSM-7, in a part with a header of 6 octets. Source: 3GPP 23.040 §9.2.3.24. */
const partLimit = { 'GSM-7': 153, 'UCS-2': 67 } as const;

/** The text in as many pieces as it takes on the air, all in one alphabet. An empty text is one empty piece. */
export function encodeText(body: string, defaultAlphabet: DefaultAlphabet): readonly TextOctets[] {
  const message = new SegmentedMessage(body);
  const plain = message.encodingName === 'GSM-7' && (defaultAlphabet === 'gsm' || isLatin1(body));
  // Latin-1 lacks signs that GSM-7 has, such as €: then the parts have to be counted anew as UCS-2.
  const counted = plain || message.encodingName === 'UCS-2' ? message : new SegmentedMessage(body, 'UCS-2');
  const texts = counted.segments.map((segment) => Array.from(segment, charactersOf).join(''));
  const pieces =
    texts.length === 1 ? texts : texts.flatMap((text) => cut(text, partLimit[counted.encodingName]));
  return pieces.map((piece) => encodePiece(piece, plain ? defaultAlphabet : 'ucs2'));
}

/** The whole text, whatever its length. */
export function joinPieces(pieces: readonly TextOctets[]): TextOctets {
  const dataCoding = pieces[0]?.dataCoding ?? coding.default;
  return { dataCoding, octets: Buffer.concat(pieces.map(({ octets }) => octets)) };
}

/** `null` for what is no text: binary messages, and alphabets that no table here knows. */
export function decodeText(
  { dataCoding, octets }: TextOctets,
  defaultAlphabet: DefaultAlphabet,
): string | null {
  const alphabet = alphabetOf(dataCoding, defaultAlphabet);
  if (alphabet === null) return null;
  const text =
    alphabet === 'gsm' ? smpp.encodings.ASCII.decode(octets) : new TextDecoder(alphabet).decode(octets);
  // PostgreSQL keeps no NUL in a text.
  return text.replaceAll('\0', '');
}

/** Header that marks a part: concatenated short messages with an 8-bit reference. Source: 3GPP 23.040 §9.2.3.24.1. */
export function partHeader({ reference, total, sequence }: PartPosition): Buffer {
  return Buffer.from([5, 0, 3, reference & 0xff, total, sequence]);
}

/** Takes the user data header off; a header that claims more than there is counts as text. */
export function splitHeader(octets: Buffer): { readonly part: PartPosition | null; readonly octets: Buffer } {
  const headerLength = (octets[0] ?? 0) + 1;
  if (headerLength > octets.length) return { part: null, octets };
  const header = octets.subarray(1, headerLength);
  return { part: findPart(header), octets: octets.subarray(headerLength) };
}

function findPart(header: Buffer): PartPosition | null {
  let offset = 0;
  while (offset + 2 <= header.length) {
    const [element, length] = [header.readUInt8(offset), header.readUInt8(offset + 1)];
    const data = header.subarray(offset + 2, offset + 2 + length);
    const wide = element === 0x08 && data.length === 4;
    if (wide || (element === 0x00 && data.length === 3)) {
      const [total, sequence] = data.subarray(-2);
      const reference = wide ? data.readUInt16BE(0) : data.readUInt8(0);
      return validPart(reference, total ?? 0, sequence ?? 0);
    }
    offset += 2 + length;
  }
  return null;
}

/** `null` for a text in one part, and for numbers that make no sense. */
export function validPart(reference: number, total: number, sequence: number): PartPosition | null {
  return total > 1 && sequence >= 1 && sequence <= total ? { reference, total, sequence } : null;
}

type Alphabet = 'gsm' | 'iso-8859-1' | 'iso-8859-5' | 'iso-8859-8' | 'utf-16be';

function alphabetOf(dataCoding: number, defaultAlphabet: DefaultAlphabet): Alphabet | null {
  const byDefault = defaultAlphabet === 'gsm' ? 'gsm' : 'iso-8859-1';
  // From 0x10 on the value is a data coding scheme of the air interface. Source: 3GPP 23.038 §4.
  if (dataCoding >= 0xf0) return dataCoding & 0x04 ? null : byDefault;
  if (dataCoding >= 0xc0) return dataCoding >= 0xe0 ? 'utf-16be' : byDefault;
  if (dataCoding >= 0x10)
    return ([byDefault, null, 'utf-16be', null] as const)[(dataCoding >> 2) & 3] ?? null;
  switch (dataCoding) {
    case coding.default:
      return byDefault;
    case coding.ascii:
    case coding.latin1:
      return 'iso-8859-1';
    case coding.cyrillic:
      return 'iso-8859-5';
    case coding.hebrew:
      return 'iso-8859-8';
    case coding.ucs2:
      return 'utf-16be';
    default:
      return null;
  }
}

function encodePiece(text: string, alphabet: DefaultAlphabet | 'ucs2'): TextOctets {
  if (alphabet === 'gsm') return { dataCoding: coding.default, octets: smpp.encodings.ASCII.encode(text) };
  if (alphabet === 'latin1') return { dataCoding: coding.default, octets: Buffer.from(text, 'latin1') };
  return { dataCoding: coding.ucs2, octets: Buffer.from(text, 'utf16le').swap16() };
}

const isLatin1 = (text: string): boolean => /^[\0-\u00ff]*$/.test(text);

/** A segment also holds the octets of its header, which are no characters. */
const charactersOf = (entry: unknown): string =>
  typeof entry === 'object' && entry !== null && 'raw' in entry && typeof entry.raw === 'string'
    ? entry.raw
    : '';

/** The segmenter never cuts a grapheme, which can be longer than a part: such a one is cut between characters. */
function cut(text: string, limit: number): string[] {
  if (text === '') return [];
  if (text.length <= limit) return [text];
  const end = text.codePointAt(limit - 1) === text.charCodeAt(limit - 1) ? limit : limit - 1;
  return [text.slice(0, end), ...cut(text.slice(end), limit)];
}
