import { execSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closedLoop, until } from './load.ts';
import { measure, perThousand } from './measure.ts';
import { phoneNumber } from './numbers.ts';
import { withService, hostLine } from './service.ts';
import { startSink } from './sink.ts';
import { createSender, sendAtRate, type Sent } from './scenarios/rate.ts';
import { latencyOf } from './statistics.ts';
const count = Number(process.argv[2] ?? 1500);
const perf = process.argv[3] ?? '';
await withService(async (s) => {
  const sink = await startSink();
  const line = phoneNumber(0);
  await hostLine(s, { phoneNumber: line, endpoint: sink.url });
  const send = createSender(s.carrier, line, sink);
  await closedLoop({ concurrency: 16, count: 600 }, send);
  const p = perf ? perf.split(',').map((role) => spawn('perf', ['record', '-F', '499', '-g', '-o', `/tmp/perf-${role}.data`, '-p', String(s.pidOf(role as any))], { stdio: 'ignore' })) : [];
  const pgStat = process.argv[4] === 'sql';
  const { result, cpu } = await measure(async () => {
    const sent: Sent[] = [];
    const t0 = performance.now();
    const r = await closedLoop({ concurrency: 16, count }, async () => { sent.push(await send()); });
    await until('arrived', 60000, () => sent.every((x) => x.arrivedAt() !== undefined));
    return { accept: r.perSecond, secs: (performance.now() - t0) / 1000, call: latencyOf(r.latencies), arr: latencyOf(sent.map((x) => (x.arrivedAt() ?? NaN) - x.calledAt)) };
  });
  for (const c of p) c.kill('SIGINT');
  console.log(JSON.stringify({ deliv: count / result.secs, ...result, per1000: perThousand(cpu, count), server: cpu.serverSeconds / count * 1000, foreign: cpu.foreignShare }, null, 1));
  if (process.argv[5]) { const m = await measure(() => sendAtRate(send, { perSecond: 50, seconds: 10 })); console.log('rate', latencyOf(m.result.arrivals), perThousand(m.cpu, 500), 'foreign', m.cpu.foreignShare); }
  for (const c of p) await new Promise((r) => (c.exitCode === null ? c.once('exit', r) : r(0)));
  if (perf) execSync(`for r in ${perf.replaceAll(',', ' ')}; do perf script -i /tmp/perf-$r.data > /tmp/perf-$r.txt 2>/dev/null; done`, { shell: '/bin/bash' });
  await sink.close();
});
process.exit(0);
