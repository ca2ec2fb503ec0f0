/** TwiML of a voice call, read as a provider reads it. Source: Twilio's TwiML for voice, domain.md §2.3. */
import { parseXml, type XmlElement } from './xml.ts';

export type Prompt =
  | { readonly verb: 'Say'; readonly text: string; readonly loop: number }
  | { readonly verb: 'Play'; readonly url: string; readonly digits: string; readonly loop: number }
  | { readonly verb: 'Pause'; readonly seconds: number };

export interface Gather {
  readonly verb: 'Gather';
  /** Where the digits go; `null`: the document's own address. */
  readonly action: string | null;
  readonly method: HttpMethod;
  /** Ends the input; `null`: as many as come. */
  readonly numDigits: number | null;
  /** Wait for the first and for each next key, counted from the end of the prompts. */
  readonly timeoutSeconds: number;
  /** Keys of which each ends the input. */
  readonly finishOnKey: string;
  /** Whether `action` is asked although nothing was keyed. */
  readonly actionOnEmptyResult: boolean;
  readonly prompts: readonly Prompt[];
}

export type HttpMethod = 'GET' | 'POST';

export type Verb =
  | Prompt
  | Gather
  | { readonly verb: 'Redirect'; readonly url: string; readonly method: HttpMethod }
  | { readonly verb: 'Hangup' }
  | { readonly verb: 'Reject'; readonly reason: 'rejected' | 'busy' };

export class TwimlError extends Error {
  override readonly name = 'TwimlError';
}

/** The verbs of a document, in order. Throws a TwimlError, or an XmlError, on what a provider would refuse. */
export function parseTwiml(document: string): readonly Verb[] {
  const root = parseXml(document);
  if (root.name !== 'Response') throw new TwimlError(`<Response> is wanted, not <${root.name}>`);
  return root.children.map(verbOf);
}

function verbOf(element: XmlElement): Verb {
  const { name, attributes, text } = element;
  switch (name) {
    case 'Gather':
      return gatherOf(element);
    case 'Redirect':
      return { verb: name, url: text, method: methodOf(attributes['method']) };
    case 'Hangup':
      return { verb: name };
    case 'Reject':
      return { verb: name, reason: attributes['reason'] === 'busy' ? 'busy' : 'rejected' };
    default:
      return promptOf(element);
  }
}

function gatherOf({ attributes, children }: XmlElement): Gather {
  const { action, numDigits, timeout } = attributes;
  return {
    verb: 'Gather',
    action: action || null,
    method: methodOf(attributes['method']),
    numDigits: numDigits === undefined ? null : numberOf('numDigits', numDigits),
    timeoutSeconds: timeout === undefined ? 5 : numberOf('timeout', timeout),
    finishOnKey: attributes['finishOnKey'] ?? '#',
    actionOnEmptyResult: attributes['actionOnEmptyResult'] === 'true',
    prompts: children.map(promptOf),
  };
}

function promptOf({ name, attributes, text }: XmlElement): Prompt {
  const loop = attributes['loop'] === undefined ? 1 : numberOf('loop', attributes['loop']);
  switch (name) {
    case 'Say':
      return { verb: name, text, loop };
    case 'Play':
      return { verb: name, url: text, digits: attributes['digits'] ?? '', loop };
    case 'Pause':
      return { verb: name, seconds: numberOf('length', attributes['length'] ?? '1') };
    default:
      throw new TwimlError(`<${name}> is not a verb that is understood here`);
  }
}

function methodOf(value = 'POST'): HttpMethod {
  if (value !== 'GET' && value !== 'POST') throw new TwimlError(`method="${value}" is neither GET nor POST`);
  return value;
}

function numberOf(name: string, value: string): number {
  if (!/^\d{1,4}$/.test(value)) throw new TwimlError(`${name}="${value}" is not a number`);
  return Number(value);
}
