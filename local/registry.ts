/**
 * The registry of who routes a number's texts. What it says of a number follows from the number's last four digits, until
 * somebody sets it otherwise; registrations and what was set are kept.
 */
import { join } from 'node:path';
import { openJsonFile } from './json-file.ts';

export const lineTypes = ['landline', 'toll-free', 'mobile', 'voip'] as const;
export type LineType = (typeof lineTypes)[number];

/** `normal` answers at once; the others are what customers meet in the field. */
export const registryBehaviours = [
  'normal',
  'slow',
  'failing',
  'flaky',
  'unknown',
  'pending',
  'rejecting',
] as const;
export type RegistryBehaviour = (typeof registryBehaviours)[number];

export interface NumberFacts {
  /** Company that routes the number's texts now; `null` where texts are not enabled. */
  readonly holder: string | null;
  readonly lineType: LineType;
  readonly behaviour: RegistryBehaviour;
}

export interface Rule {
  /** Last four digits: the fictional numbers 555-0190 to 555-0199. */
  readonly ending: string;
  readonly facts: Partial<NumberFacts>;
  readonly meaning: string;
}

/** How long a slow answer takes. Milliseconds. */
export const slowMs = 6000;
/** How long a pending registration takes to be accepted. Milliseconds. */
export const pendingMs = 5000;
/** Times a flaky number fails before it is answered. */
export const flakyFailures = 2;

export const rules: readonly Rule[] = [
  {
    ending: '0190',
    facts: { holder: 'Another Text Company' },
    meaning: 'texts are enabled elsewhere: not eligible',
  },
  { ending: '0191', facts: { lineType: 'voip' }, meaning: 'a VoIP number: not eligible' },
  { ending: '0192', facts: { lineType: 'mobile' }, meaning: 'a mobile number: not eligible' },
  { ending: '0193', facts: { behaviour: 'slow' }, meaning: `answered after ${slowMs / 1000} seconds` },
  { ending: '0194', facts: { behaviour: 'failing' }, meaning: 'never answered: status 503' },
  {
    ending: '0195',
    facts: { behaviour: 'flaky' },
    meaning: `status 503 ${flakyFailures} times, then answered`,
  },
  { ending: '0196', facts: { behaviour: 'unknown' }, meaning: 'not known to the registry: status 404' },
  {
    ending: '0197',
    facts: { behaviour: 'pending' },
    meaning: `a registration is pending for ${pendingMs / 1000} seconds, then accepted`,
  },
  { ending: '0198', facts: { behaviour: 'rejecting' }, meaning: 'a registration is rejected' },
];

const tollFreeCodes = ['800', '833', '844', '855', '866', '877', '888'];

/** What the rules say of a number, in E.164. */
export function factsByRule(number: string): NumberFacts {
  const lineType = tollFreeCodes.some((code) => number.startsWith(`+1${code}`)) ? 'toll-free' : 'landline';
  const rule = rules.find(({ ending }) => number.endsWith(ending));
  return { holder: null, lineType, behaviour: 'normal', ...rule?.facts };
}

export interface Eligibility {
  readonly eligible: boolean;
  readonly reason: string | null;
  readonly holder: string | null;
  readonly lineType: LineType;
}

export function eligibilityOf({ holder, lineType }: NumberFacts): Eligibility {
  const reason =
    lineType === 'mobile'
      ? 'The number is a mobile number'
      : lineType === 'voip'
        ? 'The number is a VoIP number whose carrier does not release its texts'
        : holder === null
          ? null
          : `Texts of the number are already enabled by ${holder}`;
  return { eligible: reason === null, reason, holder, lineType };
}

export interface Registration {
  readonly key: string | null;
  readonly documentSid: string | null;
  readonly state: 'accepted' | 'pending' | 'rejected';
  readonly reason: string | null;
  /** ISO 8601. */
  readonly registeredAt: string;
}

export interface Registry {
  facts(number: string): NumberFacts;
  set(number: string, facts: Partial<NumberFacts>): Promise<void>;
  /** Back to what the rules say. */
  reset(number: string): Promise<void>;
  /** The same key again asks for nothing new, unless it was rejected. */
  register(number: string, key: string | null, documentSid: string | null): Promise<Registration>;
  registration(number: string): Registration | null;
  /** False when there was none. */
  deregister(number: string): Promise<boolean>;
  /** True for the first requests about a flaky number. */
  failsNow(number: string): boolean;
  /** Numbers that were set or are registered. */
  known(): readonly string[];
}

interface State {
  readonly numbers: Record<string, Partial<NumberFacts>>;
  readonly registrations: Record<string, Registration>;
}

/** `now`: milliseconds. */
export function createRegistry(dataDir: string, now: () => number = Date.now): Registry {
  const file = openJsonFile<State>(join(dataDir, 'registry.json'), { numbers: {}, registrations: {} });
  const { numbers, registrations } = file.state;
  const failures = new Map<string, number>();

  const facts = (number: string): NumberFacts => ({ ...factsByRule(number), ...numbers[number] });
  const current = (number: string): Registration | null => {
    const kept = registrations[number];
    if (kept?.state !== 'pending') return kept ?? null;
    const decided =
      facts(number).behaviour !== 'pending' || now() - Date.parse(kept.registeredAt) >= pendingMs;
    return decided ? { ...kept, state: 'accepted' } : kept;
  };
  return {
    facts,
    async set(number, changes) {
      numbers[number] = { ...numbers[number], ...changes };
      await file.save();
    },
    async reset(number) {
      delete numbers[number];
      await file.save();
    },
    async register(number, key, documentSid) {
      const before = current(number);
      if (before && before.state !== 'rejected' && (key === null || before.key === key)) return before;
      const verdict = verdictOn(facts(number));
      const registration = { ...verdict, key, documentSid, registeredAt: new Date(now()).toISOString() };
      registrations[number] = registration;
      await file.save();
      return registration;
    },
    registration: current,
    async deregister(number) {
      if (!registrations[number]) return false;
      delete registrations[number];
      await file.save();
      return true;
    },
    failsNow(number) {
      const count = failures.get(number) ?? 0;
      if (facts(number).behaviour !== 'flaky' || count >= flakyFailures) return false;
      failures.set(number, count + 1);
      return true;
    },
    known: () => [...new Set([...Object.keys(numbers), ...Object.keys(registrations)])].sort(),
  };
}

function verdictOn(facts: NumberFacts): Pick<Registration, 'state' | 'reason'> {
  const { eligible, reason } = eligibilityOf(facts);
  if (!eligible) return { state: 'rejected', reason };
  if (facts.behaviour === 'rejecting')
    return { state: 'rejected', reason: 'Name or address differ from the records of the line' };
  return { state: facts.behaviour === 'pending' ? 'pending' : 'accepted', reason: null };
}
