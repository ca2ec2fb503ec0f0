/** Reads the small XML documents that providers exchange: elements, attributes, text. No DTD, so nothing to expand. */
import { SaxesParser } from 'saxes';

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

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

/** The root element. Throws an XmlError on what is not well formed. */
export function parseXml(document: string): XmlElement {
  const outside: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [outside];
  const innermost = (): OpenElement => open.at(-1) ?? outside;
  const addText = (text: string): void => {
    innermost().text += text;
  };
  const refuse = (why: string): never => {
    throw new XmlError(why);
  };

  const parser = new SaxesParser();
  parser.on('error', ({ message }) => refuse(message));
  parser.on('doctype', () => refuse('a document type is not wanted'));
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, children: [], text: '' };
    innermost().children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    const closed = open.pop() ?? outside;
    addText(closed.text);
    closed.text = closed.text.trim().replaceAll(/\s+/g, ' ');
  });
  parser.write(document).close();
  return outside.children[0] ?? refuse('there is no root element');
}
