/** `npm run bench [-- scenario…] [--long] [-n COUNT] [-s SECONDS]`: figures beside their floor, as a table and as JSON. */
import { parseArgs } from 'node:util';
import { printReport, writeReports, type ScenarioReport } from './report.ts';
import type { Scenario } from './scenario.ts';
import { burst } from './scenarios/burst.ts';
import { crash } from './scenarios/crash.ts';
import { createOrders } from './scenarios/create-orders.ts';
import { isolation } from './scenarios/isolation.ts';
import { openOrders } from './scenarios/open-orders.ts';
import { rate } from './scenarios/rate.ts';
import { readOrders } from './scenarios/read-orders.ts';
import { start } from './scenarios/start.ts';

const scenarios: readonly Scenario[] = [
  start,
  createOrders,
  readOrders,
  openOrders,
  burst,
  rate,
  isolation,
  crash,
];

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      long: { type: 'boolean' },
      count: { type: 'string', short: 'n' },
      seconds: { type: 'string', short: 's' },
    },
  });
  if (values.help) return usage();
  if (process.platform !== 'linux') throw new Error('the bench reads /proc: it runs on Linux');
  const unknown = positionals.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0)
    throw new Error(`no such scenario: ${unknown.join(', ')}; see npm run bench -- --help`);
  const chosen = scenarios.filter(({ name, long = false }) =>
    positionals.length > 0 ? positionals.includes(name) : !long || values.long === true,
  );
  const options = { count: numberOf(values.count), seconds: numberOf(values.seconds) };
  const reports: ScenarioReport[] = [];
  let failed = 0;
  for (const scenario of chosen) {
    console.log(`\n${scenario.name}: ${scenario.summary} …`);
    try {
      const report = { scenario: scenario.name, ...(await scenario.run(options)) };
      reports.push(report);
      printReport(report);
    } catch (err) {
      failed += 1;
      console.error(`  ${scenario.name} broke off: ${err instanceof Error ? err.message : String(err)}`);
    }
  }
  if (reports.length > 0) console.log(`\n${writeReports(reports)}`);
  process.exit(failed === 0 ? 0 : 1);
}

function usage(): void {
  console.log('npm run bench [-- scenario…] [--long] [-n COUNT] [-s SECONDS]\n');
  for (const { name, summary, long } of scenarios)
    console.log(`  ${name.padEnd(14)} ${summary}${long ? ' (by name or with --long)' : ''}`);
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${text} is not a whole number above 0`);
  return value;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await main();
