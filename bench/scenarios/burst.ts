/** Texts come in as fast as the carrier can bring them, each with one delivery. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { measureFloor } from '../floor/floor.ts';
import { accepted } from '../http.ts';
import { closedLoop, until, type LoadResult } from '../load.ts';
import { measure, perThousand, type Measured } from '../measure.ts';
import { phoneNumber } from '../numbers.ts';
import { memoryOf, type Role } from '../processes.ts';
import type { Figure } from '../report.ts';
import type { Scenario } from '../scenario.ts';
import { hostLine, withService, type Service } from '../service.ts';
import { startSink, textWith, type Sink } from '../sink.ts';
import { latencyOf, mean } from '../statistics.ts';

const concurrency = 16;
const defaultCount = 5000;
const warmUpCount = 400;
const floorCount = 1000;
/** Time the last of a burst may take after the last call was answered. Milliseconds. */
const arrivalTimeoutMs = 120_000;
const line = phoneNumber(0);

interface Burst {
  readonly calls: LoadResult;
  /** From the first call to the last arrival. Seconds. */
  readonly seconds: number;
  /** From call to arrival. Milliseconds. */
  readonly arrivals: readonly number[];
}

export const burst: Scenario = {
  name: 'burst',
  summary: '5,000 texts by 16 callers, one endpoint, attempts recorded',
  run: ({ count = defaultCount }) =>
    withService(async (service) => {
      const sink = await startSink();
      try {
        await hostLine(service, { phoneNumber: line, endpoint: sink.url });
        await sendBurst(service, sink, warmUpCount);
        const before = await measureFloor(service.temporalAddress, 'one-activity', {
          concurrency,
          count: floorCount,
        });
        const first = await measure(() => sendBurst(service, sink, count));
        const memoryBetween = await quietMemory(service);
        const second = await measure(() => sendBurst(service, sink, count));
        const memoryAfter = await quietMemory(service);
        const after = await measureFloor(service.temporalAddress, 'one-activity', {
          concurrency,
          count: floorCount,
        });
        const floors = [before, after];
        return {
          figures: figuresOf([first, second], floors, count, [memoryBetween, memoryAfter]),
          details: {
            count,
            concurrency,
            bursts: [first, second].map(({ result, cpu }) => ({
              acceptsPerSecond: result.calls.perSecond,
              deliveriesPerSecond: count / result.seconds,
              call: latencyOf(result.calls.latencies),
              callToArrival: latencyOf(result.arrivals),
              cpuPerThousand: perThousand(cpu, count),
              foreignShare: cpu.foreignShare,
            })),
            floors: floors.map(({ result, cpu }) => ({
              perSecond: result.perSecond,
              latency: latencyOf(result.latencies),
              cpuPerThousand: perThousand(cpu, result.count),
              foreignShare: cpu.foreignShare,
            })),
            memoryMb: { afterFirst: memoryBetween, afterSecond: memoryAfter },
          },
        };
      } finally {
        await sink.close();
      }
    }),
};

async function sendBurst(service: Service, sink: Sink, count: number): Promise<Burst> {
  const run = randomUUID().slice(0, 8);
  const token = (index: number): string => `${run}-${index}`;
  const calledAt: number[] = [];
  const startedAt = performance.now();
  const calls = await closedLoop({ concurrency, count }, async (index) => {
    calledAt[index] = performance.now();
    const text = {
      MessageSid: token(index),
      From: phoneNumber(1_000_000 + index),
      To: line,
      Body: textWith(token(index)),
    };
    accepted(await service.carrier.post('/carrier/messages', text));
  });
  const arrivedAt = (index: number): number | undefined => sink.arrivals.get(token(index))?.at;
  const indexes = Array.from({ length: count }, (_, index) => index);
  await until('every text has arrived', arrivalTimeoutMs, () =>
    indexes.every((index) => arrivedAt(index) !== undefined),
  );
  const times = indexes.map((index) => arrivedAt(index) ?? Number.NaN);
  return {
    calls,
    seconds: (times.reduce((latest, at) => Math.max(latest, at), 0) - startedAt) / 1000,
    arrivals: times.map((at, index) => at - (calledAt[index] ?? Number.NaN)),
  };
}

/** Memory after a while without work, when caches have let go of what they let go of. */
async function quietMemory(service: Service): Promise<Partial<Record<Role, number>>> {
  await pause(3000);
  return memoryOf(service.processes());
}

function figuresOf(
  bursts: readonly Measured<Burst>[],
  floors: readonly Measured<LoadResult>[],
  count: number,
  memory: readonly Partial<Record<Role, number>>[],
): Figure[] {
  const foreignShare = Math.max(...[...bursts, ...floors].map(({ cpu }) => cpu.foreignShare));
  const floorRate = mean(floors.map(({ result }) => result.perSecond));
  const arrivals = latencyOf(bursts.flatMap(({ result }) => result.arrivals));
  const [between = {}, after = {}] = memory;
  const sum = (parts: Partial<Record<Role, number>>): number =>
    Object.values(parts).reduce((total, part) => total + part, 0);
  return [
    {
      name: 'deliveries',
      value: mean(bursts.map(({ result }) => count / result.seconds)),
      unit: '/s',
      floor: floorRate,
      target: { atLeast: 1.5 },
      foreignShare,
      note: 'floor: a bare workflow with one activity',
    },
    {
      name: 'CPU of 1,000 deliveries',
      value: mean(bursts.map(({ cpu }) => (cpu.serverSeconds / count) * 1000)),
      unit: 's',
      target: { atMost: 20 },
      foreignShare,
      note: `floor, client and worker included: ${mean(floors.map(floorCpu)).toFixed(1)} s`,
    },
    { name: 'call → arrival, p50', value: arrivals.p50, unit: 'ms', foreignShare },
    { name: 'call → arrival, p95', value: arrivals.p95, unit: 'ms', foreignShare },
    {
      name: 'memory after a second burst, by that after the first',
      value: sum(after) / sum(between),
      unit: '×',
      target: { atMost: 1.1 },
      note: `${Math.round(sum(after))} MB in all (PSS)`,
    },
  ];
}

const floorCpu = ({ result, cpu }: Measured<LoadResult>): number =>
  (((cpu.byRole.bench ?? 0) + cpu.serverSeconds) / result.count) * 1000;
