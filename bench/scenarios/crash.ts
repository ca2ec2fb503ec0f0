/** kill -9 in the middle of a burst, of each part in turn: what is lost, what comes twice, and when it goes on. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { closedLoop, until } from '../load.ts';
import { phoneNumber } from '../numbers.ts';
import type { Role } from '../processes.ts';
import type { Figure } from '../report.ts';
import type { Scenario } from '../scenario.ts';
import { hostLine, withService, type Service } from '../service.ts';
import { startSink, textWith, type Sink } from '../sink.ts';
import { round } from '../statistics.ts';

const victims = ['API', 'worker', 'Temporal', 'PostgreSQL'] as const satisfies readonly Role[];
const concurrency = 16;
const defaultCount = 1500;
/** A caller that was not answered calls again, as carriers do, for so long. Milliseconds. */
const patienceMs = 90_000;
const callerPauseMs = 100;
const arrivalTimeoutMs = 180_000;

interface Outcome {
  readonly victim: Role;
  readonly lost: number;
  readonly refusedForGood: number;
  readonly duplicates: number;
  /** Texts that came twice with different ids. */
  readonly otherIds: number;
  readonly callsInFlight: number;
  /** From the kill until the part runs again. Seconds. */
  readonly downFor: number;
  /** From then until the first arrival. Seconds. */
  readonly resumesAfter: number;
  /** From the kill until everything accepted before it has arrived. Seconds. */
  readonly backlogAfter: number;
}

export const crash: Scenario = {
  name: 'crash',
  summary: 'kill -9 of API, worker, Temporal and PostgreSQL, each in the middle of a burst',
  run: ({ count = defaultCount }) =>
    withService(async (service) => {
      const sink = await startSink();
      try {
        const line = phoneNumber(0);
        await hostLine(service, { phoneNumber: line, endpoint: sink.url });
        const outcomes: Outcome[] = [];
        for (const victim of victims)
          outcomes.push(await killDuringBurst(service, sink, { victim, line, count }));
        return { figures: outcomes.flatMap(figuresOf), details: { count, concurrency, outcomes } };
      } finally {
        await sink.close();
      }
    }),
};

interface Attack {
  readonly victim: Role;
  readonly line: string;
  readonly count: number;
}

async function killDuringBurst(
  service: Service,
  sink: Sink,
  { victim, line, count }: Attack,
): Promise<Outcome> {
  const run = randomUUID().slice(0, 8);
  const token = (index: number): string => `${run}-${index}`;
  const acceptedAt = new Map<number, number>();
  const inFlight = new Set<number>();
  let refusedForGood = 0;
  const calls = closedLoop({ concurrency, count }, async (index) => {
    inFlight.add(index);
    if (await deliverText(service, line, token(index))) acceptedAt.set(index, performance.now());
    else refusedForGood += 1;
    inFlight.delete(index);
  });
  await until('a third is accepted', 120_000, () => acceptedAt.size >= count / 3);
  const pid = service.pidOf(victim);
  const killedAt = performance.now();
  const callsInFlight = inFlight.size;
  process.kill(pid, 'SIGKILL');
  await until(`${victim} runs again`, 60_000, () => ![0, pid].includes(service.pidOf(victim)));
  const runsAt = performance.now();
  await calls;

  const arrival = (index: number) => sink.arrivals.get(token(index));
  const accepted = [...acceptedAt.keys()];
  await until('every accepted text has arrived', arrivalTimeoutMs, () =>
    accepted.every((index) => arrival(index)),
  ).catch(
    () => {}, // what is missing is counted below
  );
  await untilQuiet(sink);
  const arrivals = accepted.flatMap((index) => arrival(index) ?? []);
  const firstAfter = Math.min(...arrivals.map(({ at }) => at).filter((at) => at > runsAt));
  const backlog = accepted.filter((index) => (acceptedAt.get(index) ?? 0) <= killedAt);
  const last = Math.max(killedAt, ...backlog.map((index) => arrival(index)?.at ?? Number.POSITIVE_INFINITY));
  await until('the service is ready', 60_000, () => service.isReady());
  return {
    victim,
    lost: accepted.length - arrivals.length,
    refusedForGood,
    duplicates: arrivals.reduce((sum, { count }) => sum + count - 1, 0),
    otherIds: arrivals.filter(({ ids }) => ids.size > 1).length,
    callsInFlight,
    downFor: round((runsAt - killedAt) / 1000),
    resumesAfter: round((firstAfter - runsAt) / 1000),
    backlogAfter: round((last - killedAt) / 1000),
  };
}

/** Calls until the text is accepted. False when the caller's patience is over. */
async function deliverText(service: Service, line: string, token: string): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  const text = { MessageSid: token, From: phoneNumber(2_000_000), To: line, Body: textWith(token) };
  while (performance.now() < deadline) {
    const answer = await service.carrier.post('/carrier/messages', text).catch(() => null);
    if (answer && answer.status < 300) return true;
    await pause(callerPauseMs);
  }
  return false;
}

/** Repeated deliveries come late; this waits until nothing has come for a while. */
async function untilQuiet(sink: Sink): Promise<void> {
  let seen = -1;
  while (seen !== sink.requests()) {
    seen = sink.requests();
    await pause(12_000);
  }
}

function figuresOf(outcome: Outcome): Figure[] {
  const { victim, lost, refusedForGood, duplicates, otherIds, callsInFlight, downFor, resumesAfter } =
    outcome;
  return [
    { name: `${victim} killed: accepted and lost`, value: lost, unit: '', target: { atMost: 0 } },
    { name: `${victim} killed: refused for good`, value: refusedForGood, unit: '', target: { atMost: 0 } },
    {
      name: `${victim} killed: arrived twice`,
      value: duplicates,
      unit: '',
      target: { atMost: callsInFlight },
      note: `${callsInFlight} calls were in flight`,
    },
    { name: `${victim} killed: twice with another id`, value: otherIds, unit: '', target: { atMost: 0 } },
    {
      name: `${victim} killed: resumes after its restart`,
      value: resumesAfter,
      unit: 's',
      target: { atMost: 5 },
      note: `it ran again after ${downFor} s; what was accepted before had arrived after ${outcome.backlogAfter} s`,
    },
  ];
}
