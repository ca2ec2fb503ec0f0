/** Reads the TwiML of a messaging answer. Strict XML: what is not well formed is refused as a whole (12100). */
import { SaxesParser } from 'saxes';

export interface MessageVerb {
  readonly verb: 'Message';
  readonly to: string | null;
  readonly from: string | null;
  readonly body: string;
  readonly mediaUrls: readonly string[];
  readonly statusCallback: string | null;
  readonly action: string | null;
  readonly method: string | null;
}

interface RedirectVerb {
  readonly verb: 'Redirect';
  readonly url: string;
  readonly method: string | null;
}

/** A verb that is not known here; it is skipped and noted (12200). */
interface UnknownVerb {
  readonly verb: 'unknown';
  readonly name: string;
}

export type Verb = MessageVerb | RedirectVerb | UnknownVerb;

/** The verbs in their order; `null` where it is no well-formed `<Response>`. */
export function parseTwiml(document: string): readonly Verb[] | null {
  const root = parseXml(document);
  if (root?.name !== 'Response') return null;
  return root.children.map(toVerb);
}

function toVerb(element: Element): Verb {
  switch (element.name) {
    case 'Message':
      return toMessage(element);
    case 'Redirect':
      return { verb: 'Redirect', url: element.text.trim(), method: attribute(element, 'method') };
    default:
      return { verb: 'unknown', name: element.name };
  }
}

/** The text stands in `<Body>`, or directly in the verb. */
function toMessage(element: Element): MessageVerb {
  const named = (name: string): string[] =>
    element.children.filter((child) => child.name === name).map((child) => child.text.trim());
  const bodies = named('Body');
  return {
    verb: 'Message',
    to: attribute(element, 'to'),
    from: attribute(element, 'from'),
    body: bodies.length > 0 ? bodies.join('') : element.text.trim(),
    mediaUrls: named('Media'),
    statusCallback: attribute(element, 'statusCallback'),
    action: attribute(element, 'action'),
    method: attribute(element, 'method'),
  };
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  /** Text and CDATA directly inside. */
  text: string;
}

function attribute(element: Element, name: string): string | null {
  return Object.hasOwn(element.attributes, name) ? (element.attributes[name]?.trim() ?? null) : null;
}

/** Elements nested deeper than this are no TwiML. */
const maxDepth = 16;

function parseXml(document: string): Element | null {
  const top: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const parser = new SaxesParser();
  const addText = (text: string): void => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
    if (open.length > maxDepth) throw new NotWellFormed();
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('error', () => {
    throw new NotWellFormed();
  });
  try {
    parser.write(document).close();
  } catch (err) {
    if (err instanceof NotWellFormed) return null;
    throw err;
  }
  return top.children[0] ?? null;
}

class NotWellFormed extends Error {}
