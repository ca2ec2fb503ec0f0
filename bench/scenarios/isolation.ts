/** One account's endpoint hangs with a backlog; another account must not notice. */
import { randomUUID } from 'node:crypto';
import { accepted, type Caller } from '../http.ts';
import { closedLoop, until } from '../load.ts';
import { measure } from '../measure.ts';
import { phoneNumber } from '../numbers.ts';
import type { Scenario } from '../scenario.ts';
import { hostLine, withService, type Service } from '../service.ts';
import { startSink } from '../sink.ts';
import { latencyOf } from '../statistics.ts';
import { createSender, sendAtRate } from './rate.ts';

const perSecond = 20;
const defaultSeconds = 30;
const defaultBacklog = 1000;

export const isolation: Scenario = {
  name: 'isolation',
  summary: 'an account with 1,000 texts for an endpoint that hangs, beside one with 20 texts a second',
  run: ({ seconds = defaultSeconds, count: backlog = defaultBacklog }) =>
    withService(async (service) => {
      const sink = await startSink();
      try {
        const [badLine, goodLine] = [phoneNumber(0), phoneNumber(1)];
        await hostLine(service, { phoneNumber: badLine, endpoint: sink.hangingUrl });
        await hostLine(service, { phoneNumber: goodLine, endpoint: sink.url }, await addAccount(service));
        const sendBad = createSender(service.carrier, badLine, sink);
        const sendGood = createSender(service.carrier, goodLine, sink);
        await closedLoop({ concurrency: 8, count: 400 }, () => sendGood());

        const alone = await measure(() => sendAtRate(sendGood, { perSecond, seconds }));
        await closedLoop({ concurrency: 16, count: backlog }, () => sendBad());
        await until('the endpoint hangs', 10_000, () => sink.hanging() > 0);
        const beside = await measure(() => sendAtRate(sendGood, { perSecond, seconds }));

        const [before, after] = [latencyOf(alone.result.arrivals), latencyOf(beside.result.arrivals)];
        const foreignShare = Math.max(alone.cpu.foreignShare, beside.cpu.foreignShare);
        return {
          figures: [
            {
              name: 'call → arrival of the healthy account, p95',
              value: after.p95,
              unit: 'ms',
              floor: before.p95,
              target: { atMost: 1.5 },
              foreignShare,
              note: 'floor: alone',
            },
            {
              name: 'call → arrival of the healthy account, p50',
              value: after.p50,
              unit: 'ms',
              floor: before.p50,
              foreignShare,
            },
          ],
          details: {
            backlog,
            perSecond,
            seconds,
            alone: before,
            beside: after,
            hangingRequests: sink.hanging(),
            cpuSecondsBeside: beside.cpu.byRole,
          },
        };
      } finally {
        await sink.close();
      }
    }),
};

async function addAccount(service: Service): Promise<{ readonly sid: string; readonly caller: Caller }> {
  const form = { FriendlyName: `bench ${randomUUID()}` };
  const { sid, auth_token: token } = accepted(await service.admin.post('/admin/Accounts', form));
  return { sid: String(sid), caller: service.callerOf(String(sid), String(token)) };
}
