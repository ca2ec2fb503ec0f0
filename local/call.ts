/** One call as it happens: it rings, somebody answers or not, TwiML runs, it ends, and its customer is told. */
import { setTimeout as pause } from 'node:timers/promises';
import { isLive, durationOf, type CallRecord, type CallState, type Heard } from './call-record.ts';
import { createKeypad } from './keypad.ts';
import type { ProviderClient } from './provider-request.ts';
import { runTwiml, type FetchDocument, type Line } from './twiml-run.ts';

/** What happens at a number without anybody's hand. `ring`: it waits for a person or a script. */
export const behaviours = ['ring', 'answer', 'busy', 'no-answer', 'failed'] as const;
export type Behaviour = (typeof behaviours)[number];

export interface CallOptions {
  readonly client: ProviderClient;
  readonly behaviour: Behaviour;
  /** How fast the callee hears text; 0 is at once. Milliseconds per character. */
  readonly speechMsPerCharacter: number;
  /** Called after every change, to keep it. */
  readonly changed: () => void;
  /** Aborted when the network closes: what was not told by then is told at the next start. */
  readonly closing: AbortSignal;
}

export interface Call {
  readonly record: CallRecord;
  /** At the phone. Each tells whether the call was in a state for it. */
  answer(): boolean;
  press(keys: string): boolean;
  hangUp(): boolean;
  reject(): boolean;
  /** By the caller's side. */
  end(): boolean;
  /** Fulfilled when the call is over and its customer has been told, or cannot be. */
  readonly finished: Promise<void>;
}

/** A customer whose service restarts, on a busy machine too, is asked again for 32 seconds. */
const requestTries = 8;
/** How long a number that nobody picks up at rings. Milliseconds. */
const unattendedRingMs = 1000;

/** Begins the call. */
export function placeCall(record: CallRecord, options: CallOptions): Call {
  const { client, behaviour, speechMsPerCharacter, changed, closing } = options;
  const over = new AbortController();
  const keypad = createKeypad();
  const report = createReporter(record, client, closing);
  let pickUp: ((how: CallState) => void) | null = null;

  const note = (who: Heard['who'], text: string): void => {
    const last = record.heard.at(-1);
    // Keys pressed one after the other are one line.
    if (who === 'callee' && last?.who === who) last.text += text;
    else record.heard.push({ at: new Date().toISOString(), who, text });
    changed();
  };
  const line: Line = {
    async say(text, signal) {
      note('caller', text);
      await pause(text.length * speechMsPerCharacter, undefined, { signal });
    },
    nextKey: (until) => keypad.next(until),
    forgetKeys: (only) => keypad.forget(only),
  };
  const fetchDocument: FetchDocument = ({ url, method, parameters }) =>
    client.send(
      { url, method, parameters: { ...callParameters(record), ...parameters } },
      { tries: requestTries, signal: over.signal },
    );

  const move = (state: CallState, event: string): void => {
    record.state = state;
    changed();
    report(event);
  };
  const finish = (state: CallState): void => {
    record.endedAt = new Date().toISOString();
    move(state, 'completed');
  };

  async function live(): Promise<void> {
    report('initiated');
    if (behaviour === 'failed') return finish('failed');
    move('ringing', 'ringing');
    const answered = new Promise<CallState>((resolve) => (pickUp = resolve));
    const ringMs = behaviour === 'ring' ? record.timeoutSeconds * 1000 : unattendedRingMs;
    const unattended = behaviour === 'answer' ? 'in-progress' : behaviour === 'busy' ? 'busy' : 'no-answer';
    const how = await firstOf(answered, ringMs, unattended);
    pickUp = null;
    if (how !== 'in-progress') return finish(how);
    record.answeredAt = new Date().toISOString();
    move('in-progress', 'answered');
    await converse();
    finish('completed');
  }

  async function converse(): Promise<void> {
    try {
      if (record.sendDigits !== null) {
        note('caller', `dials ${record.sendDigits.replaceAll(/w/gi, '')}`);
        const waits = record.sendDigits.match(/w/gi)?.length ?? 0;
        await pause(waits * 500, undefined, { signal: over.signal });
      }
      const first = { url: record.url, method: record.method, parameters: {} };
      await runTwiml(first, { fetchDocument, line, signal: over.signal });
      if (!over.signal.aborted) note('network', 'the caller hangs up');
    } catch (err) {
      if (!over.signal.aborted) note('network', `the call breaks off: ${(err as Error).message}`);
    }
  }

  const decide = (how: CallState): boolean => {
    pickUp?.(how);
    return pickUp !== null;
  };
  const hangUp = (who: string): boolean => {
    if (record.state !== 'in-progress' || over.signal.aborted) return false;
    note('network', `${who} hangs up`);
    over.abort();
    return true;
  };
  return {
    record,
    answer: () => decide('in-progress'),
    reject: () => decide('busy'),
    hangUp: () => hangUp('the person called') || decide('busy'),
    end: () => hangUp('the caller') || decide('canceled'),
    press(keys) {
      if (record.state !== 'in-progress' || over.signal.aborted) return false;
      note('callee', keys);
      keypad.press(keys);
      return true;
    },
    finished: live().then(() => report.sent()),
  };
}

/** Ends a call that the end of the network cut off, and tells its customer, where that was not done. */
export async function endCutOff(
  record: CallRecord,
  { client, closing }: Pick<CallOptions, 'client' | 'closing'>,
): Promise<void> {
  if (isLive(record)) {
    record.state = record.answeredAt === null ? 'failed' : 'completed';
    record.endedAt = new Date().toISOString();
  }
  if (record.told) return;
  const report = createReporter(record, client, closing);
  report('completed');
  await report.sent();
}

interface Reporter {
  (event: string): void;
  /** Fulfilled when every callback has been sent, or given up. */
  sent(): Promise<void>;
}

/** Sends the status callbacks the customer wants, one after the other. */
function createReporter(record: CallRecord, client: ProviderClient, closing: AbortSignal): Reporter {
  let queue: Promise<void> = Promise.resolve();
  const send = async (url: string, event: string, parameters: Record<string, string>): Promise<void> => {
    try {
      await client.send({ url, method: 'POST', parameters }, { tries: requestTries, signal: closing });
      if (event === 'completed') record.told = true;
    } catch (err) {
      if (closing.aborted) return;
      const text = `status callback ${event}: ${(err as Error).message}`;
      record.heard.push({ at: new Date().toISOString(), who: 'network', text });
    }
  };
  const report = (event: string): void => {
    const { statusCallback: url, statusCallbackEvents } = record;
    if (url === null || !statusCallbackEvents.includes(event)) {
      if (event === 'completed') record.told = true;
      return;
    }
    const parameters = { ...callParameters(record), ...statusParameters(record, event) };
    record.sequence += 1;
    queue = queue.then(() => send(url, event, parameters));
  };
  return Object.assign(report, { sent: () => queue });
}

function callParameters(record: CallRecord): Record<string, string> {
  return {
    CallSid: record.sid,
    AccountSid: record.accountSid,
    From: record.from,
    To: record.to,
    CallStatus: record.state,
    Direction: 'outbound-api',
    ApiVersion: '2010-04-01',
  };
}

function statusParameters(record: CallRecord, event: string): Record<string, string> {
  return {
    ...(event === 'initiated' && { CallStatus: 'initiated' }),
    ...(event === 'completed' && { CallDuration: String(durationOf(record)) }),
    CallbackSource: 'call-progress-events',
    SequenceNumber: String(record.sequence),
    Timestamp: new Date().toUTCString(),
  };
}

async function firstOf<T>(promise: Promise<T>, ms: number, otherwise: T): Promise<T> {
  const timer = new AbortController();
  try {
    const late = pause(ms, otherwise, { signal: timer.signal });
    late.catch(() => undefined);
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
  }
}
