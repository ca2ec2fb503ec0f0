/** Orders placed over HTTP, each with its workflow, its rows and the registry's answer. */
import { measureFloor } from '../floor/floor.ts';
import { accepted } from '../http.ts';
import { closedLoop, type LoadResult } from '../load.ts';
import { measure, perThousand, type Measured } from '../measure.ts';
import { phoneNumber } from '../numbers.ts';
import type { Figure } from '../report.ts';
import type { Scenario } from '../scenario.ts';
import { withService, type Service } from '../service.ts';
import { latencyOf, mean } from '../statistics.ts';

const concurrencies = [1, 10, 50] as const;
const defaultSeconds = 6;
export const ordersPath = '/HostedNumbers/HostedNumberOrders';

export const createOrders: Scenario = {
  name: 'create-orders',
  summary: 'orders placed by 1, 10 and 50 callers',
  run: ({ seconds = defaultSeconds }) =>
    withService(async (service) => {
      const place = createOrderCaller(service);
      await closedLoop({ concurrency: 16, count: 200 }, place);
      const figures: Figure[] = [];
      const details: Record<string, unknown> = {};
      for (const concurrency of concurrencies) {
        const floor = () =>
          measureFloor(service.temporalAddress, 'update-with-start', { concurrency, seconds });
        const before = await floor();
        const orders = await measure(() => closedLoop({ concurrency, seconds }, place));
        const floors = [before, await floor()];
        figures.push(figureOf(concurrency, orders, floors));
        details[`concurrency ${concurrency}`] = { orders: summaryOf(orders), floors: floors.map(summaryOf) };
      }
      return { figures, details };
    }),
};

/** Places one order after another, each for a number of its own. */
export function createOrderCaller(service: Service, firstNumber = 10): () => Promise<void> {
  let next = firstNumber;
  return async () => {
    accepted(
      await service.customer.post(ordersPath, { PhoneNumber: phoneNumber(next++), SmsCapability: 'true' }),
    );
  };
}

function figureOf(
  concurrency: number,
  orders: Measured<LoadResult>,
  floors: readonly Measured<LoadResult>[],
): Figure {
  const cpuMs = ({ result, cpu }: Measured<LoadResult>): number =>
    ((cpu.serverSeconds + (cpu.byRole.bench ?? 0)) / result.count) * 1000;
  return {
    name: `orders placed, ${concurrency} callers`,
    value: orders.result.perSecond,
    unit: '/s',
    floor: mean(floors.map(({ result }) => result.perSecond)),
    target: { atLeast: 0.8 },
    foreignShare: Math.max(...[orders, ...floors].map(({ cpu }) => cpu.foreignShare)),
    note: `CPU ${cpuMs(orders).toFixed(1)} ms each, floor ${mean(floors.map(cpuMs)).toFixed(1)} ms`,
  };
}

function summaryOf({ result, cpu }: Measured<LoadResult>): Record<string, unknown> {
  return {
    count: result.count,
    perSecond: result.perSecond,
    latency: latencyOf(result.latencies),
    cpuPerThousand: perThousand(cpu, result.count),
    foreignShare: cpu.foreignShare,
  };
}
