/** `npm start` where everything has been prepared by an earlier start. */
import { measure } from '../measure.ts';
import type { Scenario } from '../scenario.ts';
import { newHome, startService } from '../service.ts';
import { median } from '../statistics.ts';

const warmStarts = 3;

export const start: Scenario = {
  name: 'start',
  summary: 'time until npm start is ready',
  run: async () => {
    const home = newHome();
    try {
      const cold = await startAndStop(home);
      const warm: number[] = [];
      const { cpu } = await measure(async () => {
        for (let round = 0; round < warmStarts; round++) warm.push(await startAndStop(home));
      });
      return {
        figures: [
          {
            name: 'ready, warm',
            value: median(warm),
            unit: 's',
            target: { atMost: 6 },
            foreignShare: cpu.foreignShare,
            note: `median of ${warmStarts}; the first start in a new folder took ${cold.toFixed(1)} s`,
          },
        ],
        details: { cold, warm },
      };
    } finally {
      await home.remove();
    }
  },
};

async function startAndStop(home: ReturnType<typeof newHome>): Promise<number> {
  const service = await startService(home);
  await service.stop();
  return service.readyAfter;
}
