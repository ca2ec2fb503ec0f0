/** What is kept of a call, and how the Calls API shows it. Source: Twilio's Call resource, domain.md §2.3. */
import { randomUUID } from 'node:crypto';

export type CallState =
  | 'queued'
  | 'ringing'
  | 'in-progress'
  | 'completed'
  | 'busy'
  | 'no-answer'
  | 'failed'
  | 'canceled';

/** One line of what went over the phone. `at`: ISO 8601. */
export interface Heard {
  readonly at: string;
  readonly who: 'caller' | 'callee' | 'network';
  text: string;
}

export interface CallRecord {
  readonly sid: string;
  readonly accountSid: string;
  readonly to: string;
  readonly from: string;
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly statusCallback: string | null;
  /** initiated, ringing, answered, completed */
  readonly statusCallbackEvents: readonly string[];
  readonly sendDigits: string | null;
  /** How long it rings before it counts as not answered. */
  readonly timeoutSeconds: number;
  readonly idempotencyKey: string | null;
  readonly createdAt: string;
  state: CallState;
  answeredAt: string | null;
  endedAt: string | null;
  /** Status callbacks sent so far. */
  sequence: number;
  /** Whether the customer has been told of the end, or does not want to be. */
  told: boolean;
  readonly heard: Heard[];
}

export type CallRequest = Omit<
  CallRecord,
  'sid' | 'createdAt' | 'state' | 'answeredAt' | 'endedAt' | 'sequence' | 'told' | 'heard'
>;

export function newCallRecord(request: CallRequest): CallRecord {
  return {
    ...request,
    sid: `CA${randomUUID().replaceAll('-', '')}`,
    createdAt: new Date().toISOString(),
    state: 'queued',
    answeredAt: null,
    endedAt: null,
    sequence: 0,
    told: false,
    heard: [],
  };
}

/** Tells whether the call still rings or is spoken on. */
export function isLive({ state }: CallRecord): boolean {
  return state === 'queued' || state === 'ringing' || state === 'in-progress';
}

/** Seconds of the conversation, begun ones counted; 0 where nobody answered. */
export function durationOf({ answeredAt, endedAt }: CallRecord): number {
  if (answeredAt === null || endedAt === null) return 0;
  return Math.ceil((Date.parse(endedAt) - Date.parse(answeredAt)) / 1000);
}

/** The wire form of the Calls API. */
export function callResource(call: CallRecord): Record<string, unknown> {
  const path = `/2010-04-01/Accounts/${call.accountSid}/Calls/${call.sid}`;
  return {
    sid: call.sid,
    account_sid: call.accountSid,
    to: call.to,
    from: call.from,
    status: call.state,
    direction: 'outbound-api',
    api_version: '2010-04-01',
    date_created: rfc2822(call.createdAt),
    date_updated: rfc2822(call.endedAt ?? call.answeredAt ?? call.createdAt),
    start_time: rfc2822(call.answeredAt),
    end_time: rfc2822(call.endedAt),
    duration: call.endedAt === null ? null : String(durationOf(call)),
    answered_by: null,
    price: null,
    uri: `${path}.json`,
  };
}

/** The form of the control calls: what a person at the phone knows. */
export function callAtPhone(call: CallRecord): Record<string, unknown> {
  const { sid, to, from, state, createdAt, answeredAt, endedAt, heard } = call;
  return { sid, to, from, state, createdAt, answeredAt, endedAt, heard };
}

const rfc2822 = (iso: string | null): string | null =>
  iso === null ? null : new Date(iso).toUTCString().replace('GMT', '+0000');
