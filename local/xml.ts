/** Reads the small XML documents that providers exchange: elements, attributes, text. No DTD, so nothing to expand. */

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** All text inside, trimmed, runs of white space as one space. */
  readonly text: string;
}

export class XmlError extends Error {
  override readonly name = 'XmlError';
}

interface OpenElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

// Comment, instruction, character data, closing tag, opening tag, text: one of them at each place.
const token =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/gy;
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The root element. Throws an XmlError on what is not well formed. */
export function parseXml(document: string): XmlElement {
  const root: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  let position = 0;
  for (const match of document.matchAll(token)) {
    const [whole, cdata, closing, opening, attributes = '', selfClosing, text] = match;
    position = match.index + whole.length;
    const parent = open.at(-1) ?? root;
    if (cdata !== undefined) parent.text += cdata;
    else if (text !== undefined) parent.text += unescape(text);
    else if (closing !== undefined) close(open, closing);
    else if (opening !== undefined) {
      open.push({ name: opening, attributes: attributesOf(attributes), children: [], text: '' });
      if (selfClosing === '/') close(open, opening);
    }
  }
  if (position !== document.length) throw new XmlError(`no XML at character ${position}`);
  const [only, ...others] = root.children;
  if (open.length !== 1) throw new XmlError(`<${open.at(-1)?.name}> is not closed`);
  if (!only || others.length > 0 || root.text.trim() !== '') throw new XmlError('one root element is wanted');
  return only;
}

function close(open: OpenElement[], name: string): void {
  const element = open.pop();
  const parent = open.at(-1);
  if (!element || !parent || element.name !== name) throw new XmlError(`</${name}> closes nothing`);
  parent.children.push({ ...element, text: element.text.trim().replaceAll(/\s+/g, ' ') });
  if (open.length > 1) parent.text += element.text;
}

function attributesOf(source: string): Record<string, string> {
  const found = [...source.matchAll(attribute)];
  return Object.fromEntries(
    found.map(([, name = '', double, single]) => [name, unescape(double ?? single ?? '')]),
  );
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescape(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal) return String.fromCodePoint(Number(decimal));
    if (hex) return String.fromCodePoint(Number.parseInt(String(hex), 16));
    const character = entities[String(name)];
    if (character === undefined) throw new XmlError(`unknown entity ${whole}`);
    return character;
  });
}
