/** Executes TwiML on a call: speaks, listens for keys, fetches the next document, until the call is over. */
import { setTimeout as pause } from 'node:timers/promises';
import { parseTwiml, type Gather, type HttpMethod, type Prompt, type Verb } from './twiml.ts';

/** The end of the line where the person called is. */
export interface Line {
  /** Fulfilled when the text has been spoken. */
  say(text: string, signal: AbortSignal): Promise<void>;
  /** The next key, one that was typed ahead first; `null` when `until` is fulfilled before. */
  nextKey(until: Promise<void>): Promise<string | null>;
  /** Forgets keys typed ahead: all, or those of `only` that come first. */
  forgetKeys(only?: string): void;
}

export interface DocumentRequest {
  readonly url: string;
  readonly method: HttpMethod;
  /** Parameters beside those of every request about the call. */
  readonly parameters: Readonly<Record<string, string>>;
}

export type FetchDocument = (request: DocumentRequest) => Promise<string>;

/** Documents one call may go through; a provider, too, ends a call that only redirects. */
const documentLimit = 100;

/**
 * Runs from the first document until a document hangs up or ends. Rejects when `signal` says that the call is over, or
 * when a document cannot be had or understood.
 */
export async function runTwiml(
  first: DocumentRequest,
  { fetchDocument, line, signal }: { fetchDocument: FetchDocument; line: Line; signal: AbortSignal },
): Promise<void> {
  let request: DocumentRequest | null = first;
  for (let count = 1; request !== null; count++) {
    if (count > documentLimit) throw new Error(`more than ${documentLimit} documents in one call`);
    const verbs = parseTwiml(await fetchDocument(request));
    request = await runDocument(verbs, request.url, line, signal);
  }
}

/** Resolves with the request for the document that follows; `null` hangs up. */
async function runDocument(
  verbs: readonly Verb[],
  url: string,
  line: Line,
  signal: AbortSignal,
): Promise<DocumentRequest | null> {
  for (const verb of verbs) {
    signal.throwIfAborted();
    switch (verb.verb) {
      case 'Gather': {
        const digits = await gather(verb, line, signal);
        if (digits === '' && !verb.actionOnEmptyResult) break;
        const action = new URL(verb.action ?? url, url).href;
        return { url: action, method: verb.method, parameters: { Digits: digits, msg: 'Gather End' } };
      }
      case 'Redirect':
        return { url: new URL(verb.url, url).href, method: verb.method, parameters: {} };
      case 'Hangup':
      case 'Reject':
        return null;
      case 'Say':
      case 'Play':
      case 'Pause':
        await prompt(verb, line, signal);
    }
  }
  return null;
}

/** The keys pressed. A key stops the prompts; the clock for silence begins when they have ended. */
async function gather(verb: Gather, line: Line, signal: AbortSignal): Promise<string> {
  // A # that was pressed after the last wanted digit belongs to the input before this one.
  line.forgetKeys(verb.finishOnKey);
  let digits = '';
  let key = await keyWithin(verb, verb.prompts, line, signal);
  while (key !== null && !verb.finishOnKey.includes(key)) {
    digits += key;
    if (digits.length === verb.numDigits) break;
    key = await keyWithin(verb, [], line, signal);
  }
  line.forgetKeys();
  return digits;
}

async function keyWithin(
  verb: Gather,
  prompts: readonly Prompt[],
  line: Line,
  callOver: AbortSignal,
): Promise<string | null> {
  const keyCame = new AbortController();
  const signal = AbortSignal.any([callOver, keyCame.signal]);
  const silence = async (): Promise<void> => {
    for (const item of prompts) await prompt(item, line, signal);
    await pause(verb.timeoutSeconds * 1000, undefined, { signal });
  };
  const silent = silence();
  // It ends so whenever a key comes; who waits for it still sees it.
  silent.catch(() => undefined);
  try {
    return await line.nextKey(silent);
  } finally {
    keyCame.abort();
  }
}

async function prompt(verb: Prompt, line: Line, signal: AbortSignal): Promise<void> {
  if (verb.verb === 'Pause') return pause(verb.seconds * 1000, undefined, { signal });
  const text = verb.verb === 'Say' ? verb.text : `♪ ${verb.digits || verb.url}`;
  // loop="0" means until the call ends; nobody listens longer than a thousand times.
  for (let count = 0; count < (verb.loop || 1000); count++) await line.say(text, signal);
}
