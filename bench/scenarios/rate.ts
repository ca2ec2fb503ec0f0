/** A steady rate: how long a text takes from the carrier's call to the customer's endpoint. */
import { randomUUID } from 'node:crypto';
import { accepted, type Caller } from '../http.ts';
import { closedLoop, openLoop, until } from '../load.ts';
import { measure, perThousand } from '../measure.ts';
import { phoneNumber } from '../numbers.ts';
import type { Scenario } from '../scenario.ts';
import { hostLine, withService } from '../service.ts';
import { startSink, textWith, type Sink } from '../sink.ts';
import { latencyOf } from '../statistics.ts';

const perSecond = 50;
const defaultSeconds = 30;
const arrivalTimeoutMs = 60_000;

export const rate: Scenario = {
  name: 'rate',
  summary: '50 texts a second for 30 seconds',
  run: ({ seconds = defaultSeconds }) =>
    withService(async (service) => {
      const sink = await startSink();
      try {
        const line = phoneNumber(0);
        await hostLine(service, { phoneNumber: line, endpoint: sink.url });
        const send = createSender(service.carrier, line, sink);
        await closedLoop({ concurrency: 8, count: 400 }, () => send());
        const { result, cpu } = await measure(() => sendAtRate(send, { perSecond, seconds }));
        const { foreignShare } = cpu;
        const arrival = latencyOf(result.arrivals);
        return {
          figures: [
            {
              name: 'call → arrival, p50',
              value: arrival.p50,
              unit: 'ms',
              target: { atMost: 15 },
              foreignShare,
            },
            {
              name: 'call → arrival, p95',
              value: arrival.p95,
              unit: 'ms',
              target: { atMost: 50 },
              foreignShare,
            },
            { name: 'call → arrival, p99', value: arrival.p99, unit: 'ms', foreignShare },
            {
              name: 'CPU of 1,000 deliveries',
              value: (cpu.serverSeconds / (perSecond * seconds)) * 1000,
              unit: 's',
              foreignShare,
              note: 'idle work included',
            },
          ],
          details: {
            perSecond,
            seconds,
            call: latencyOf(result.calls),
            callToArrival: arrival,
            cpuPerThousand: perThousand(cpu, perSecond * seconds),
          },
        };
      } finally {
        await sink.close();
      }
    }),
};

/** When a text arrived; undefined until it is there. */
type ArrivedAt = () => number | undefined;

/** Sends one text after another to a line. */
export function createSender(carrier: Caller, line: string, sink: Sink): () => Promise<ArrivedAt> {
  const run = randomUUID().slice(0, 8);
  let sent = 0;
  return async () => {
    const token = `${run}-${sent}`;
    const from = phoneNumber(1_000_000 + sent++);
    accepted(
      await carrier.post('/carrier/messages', {
        MessageSid: token,
        From: from,
        To: line,
        Body: textWith(token),
      }),
    );
    return () => sink.arrivals.get(token)?.at;
  };
}

export interface RateResult {
  /** From when a call was due until it was answered. Milliseconds. */
  readonly calls: readonly number[];
  /** From when a call was due to arrival. Milliseconds. */
  readonly arrivals: readonly number[];
}

export async function sendAtRate(
  send: () => Promise<ArrivedAt>,
  load: { readonly perSecond: number; readonly seconds: number },
): Promise<RateResult> {
  const sent: { readonly dueAt: number; readonly arrivedAt: ArrivedAt }[] = [];
  const { latencies } = await openLoop(load, async (dueAt) => {
    sent.push({ dueAt, arrivedAt: await send() });
  });
  await until('every text has arrived', arrivalTimeoutMs, () =>
    sent.every(({ arrivedAt }) => arrivedAt() !== undefined),
  );
  return {
    calls: latencies,
    arrivals: sent.map(({ dueAt, arrivedAt }) => (arrivedAt() ?? Number.NaN) - dueAt),
  };
}
