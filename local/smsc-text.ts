/** Texts in the octets of short messages, as a phone network cuts and joins them. Source: 3GPP 23.038, 23.040. */
import smpp from 'smpp';

export interface TextOctets {
  readonly dataCoding: number;
  readonly octets: Buffer;
}

/** A piece of a text as it goes over the air; `header` is empty where the text is one piece. */
export interface Piece extends TextOctets {
  readonly header: Buffer;
}

const ucs2 = 8;
/** Octets of a piece: alone, and behind a header. GSM-7 takes an octet a character here. */
const room = { gsm: { alone: 160, part: 153 }, ucs2: { alone: 140, part: 134 } } as const;

/** Cuts by octets, as networks do: a piece may end in the middle of a character. */
export function cutText(body: string, reference: number): readonly Piece[] {
  const gsm = smpp.encodings.ASCII.match(body);
  const octets = gsm ? smpp.encodings.ASCII.encode(body) : Buffer.from(body, 'utf16le').swap16();
  const { alone, part } = gsm ? room.gsm : room.ucs2;
  const dataCoding = gsm ? 0 : ucs2;
  if (octets.length <= alone) return [{ dataCoding, octets, header: Buffer.alloc(0) }];
  const total = Math.ceil(octets.length / part);
  return Array.from({ length: total }, (_, index) => ({
    dataCoding,
    octets: octets.subarray(index * part, (index + 1) * part),
    header: Buffer.from([5, 0, 3, reference & 0xff, total, index + 1]),
  }));
}

export function readText({ dataCoding, octets }: TextOctets): string {
  return dataCoding === ucs2
    ? new TextDecoder('utf-16be').decode(octets)
    : smpp.encodings.ASCII.decode(octets);
}

/** Reference, total and number of a part with an 8-bit header; `null` for a text in one piece. */
export function readHeader(
  octets: Buffer,
): { readonly reference: number; readonly total: number; readonly sequence: number } | null {
  const [length, element, size, reference, total, sequence] = octets;
  if (length !== 5 || element !== 0 || size !== 3) return null;
  return { reference: reference ?? 0, total: total ?? 1, sequence: sequence ?? 1 };
}
