/** Many open orders: what placing a further one takes beside them, and what they take of memory. */
import { closedLoop } from '../load.ts';
import { measure } from '../measure.ts';
import { memoryOf, type Role } from '../processes.ts';
import type { Scenario } from '../scenario.ts';
import { withService, type Service } from '../service.ts';
import { latencyOf, round } from '../statistics.ts';
import { createOrderCaller } from './create-orders.ts';

const defaultOrders = 20_000;
const concurrency = 16;
const measuredSeconds = 20;

export const openOrders: Scenario = {
  name: 'open-orders',
  summary: '20,000 open orders: the rate of placing more, and memory (5 minutes)',
  long: true,
  run: ({ count: orders = defaultOrders }) =>
    withService(async (service) => {
      const place = createOrderCaller(service);
      await closedLoop({ concurrency, count: 300 }, place);
      const memoryBefore = memoryMb(service);
      const first = await measure(() => closedLoop({ concurrency, seconds: measuredSeconds }, place));
      await closedLoop({ concurrency, count: Math.max(0, orders - 300 - first.result.count) }, place);
      const last = await measure(() => closedLoop({ concurrency, seconds: measuredSeconds }, place));
      const memoryAfter = memoryMb(service);
      return {
        figures: [
          {
            name: `orders placed beside ${orders.toLocaleString('en')} open ones`,
            value: last.result.perSecond,
            unit: '/s',
            floor: first.result.perSecond,
            target: { atLeast: 0.9 },
            foreignShare: Math.max(first.cpu.foreignShare, last.cpu.foreignShare),
            note: 'floor: beside none',
          },
          ...Object.entries(memoryAfter).map(([role, value]) => ({
            name: `memory of ${role} (PSS)`,
            value,
            unit: 'MB',
            note: `${memoryBefore[role] ?? 0} MB at the start`,
          })),
        ],
        details: {
          orders,
          concurrency,
          latency: { first: latencyOf(first.result.latencies), last: latencyOf(last.result.latencies) },
          cpuMsPerOrder: [first, last].map(({ cpu, result }) =>
            round((cpu.serverSeconds / result.count) * 1000),
          ),
        },
      };
    }),
};

function memoryMb(service: Service): Record<string, number> {
  const memory: Partial<Record<Role, number>> = memoryOf(service.processes());
  return Object.fromEntries(Object.entries(memory).map(([role, value]) => [role, Math.round(value)]));
}
