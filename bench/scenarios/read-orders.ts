/** Orders fetched and listed, in a small table and in one of 100,000. */
import postgres from 'postgres';
import { startBareRoute } from '../floor/floor.ts';
import { accepted, createCaller } from '../http.ts';
import { closedLoop, type LoadResult } from '../load.ts';
import { measure, type Measured } from '../measure.ts';
import type { Figure } from '../report.ts';
import type { Scenario } from '../scenario.ts';
import { withService, type Service } from '../service.ts';
import { latencyOf, mean } from '../statistics.ts';
import { createOrderCaller, ordersPath } from './create-orders.ts';

const concurrency = 16;
const defaultSeconds = 4;
const smallTable = 100;
const largeTable = 100_000;

export const readOrders: Scenario = {
  name: 'read-orders',
  summary: 'orders fetched and listed, in a table of 100 and of 100,000',
  run: ({ seconds = defaultSeconds }) =>
    withService(async (service) => {
      await closedLoop({ concurrency: 8, count: smallTable }, createOrderCaller(service));
      const figures: Figure[] = [];
      const details: Record<string, unknown> = {};
      for (const rows of [smallTable, largeTable]) {
        if (rows === largeTable) await fillTable(service, rows);
        const { paths, middle } = await pathsOf(service, rows);
        for (const [name, path] of Object.entries(paths)) {
          const { reads, floors } = await compare(service, path, seconds);
          figures.push(figureOf(`${name} of ${rows.toLocaleString('en')}`, reads, floors));
          details[`${name} of ${rows}`] = { middle, latency: latencyOf(reads.result.latencies) };
        }
      }
      return { figures, details };
    }),
};

/** What is read: one order from the middle of the table, the first page, the one behind it, the first of one status. */
async function pathsOf(
  service: Service,
  rows: number,
): Promise<{ readonly paths: Readonly<Record<string, string>>; readonly middle: string }> {
  const sql = postgres(service.databaseUrl, { max: 1 });
  const [row] =
    await sql`select sid, position from hosted_number_orders order by position offset ${rows / 2} limit 1`;
  await sql.end();
  const middle = String(row?.['sid']);
  const firstPage = accepted(await service.customer.get(`${ordersPath}?PageSize=50`)) as {
    readonly meta: { readonly next_page_url: string };
  };
  const next = new URL(firstPage.meta.next_page_url);
  return {
    middle,
    paths: {
      'fetch one': `${ordersPath}/${middle}`,
      'list 50': `${ordersPath}?PageSize=50`,
      'list the next 50': next.pathname + next.search,
      'list 50 by status': `${ordersPath}?PageSize=50&Status=received`,
    },
  };
}

/** The same answer from the service and from a bare route, each as fast as it goes. */
async function compare(
  service: Service,
  path: string,
  seconds: number,
): Promise<{ readonly reads: Measured<LoadResult>; readonly floors: readonly Measured<LoadResult>[] }> {
  const answer = await service.customer.get(path);
  accepted(answer);
  const bare = await startBareRoute(answer.text);
  const bareCaller = createCaller(bare.url, 'nobody', 'nothing');
  const read = async (): Promise<void> => void accepted(await service.customer.get(path));
  const readBare = async (): Promise<void> => void accepted(await bareCaller.get('/'));
  try {
    for (const warmUp of [read, readBare]) await closedLoop({ concurrency, seconds: 1 }, warmUp);
    const before = await measure(() => closedLoop({ concurrency, seconds: seconds / 2 }, readBare));
    const reads = await measure(() => closedLoop({ concurrency, seconds }, read));
    const after = await measure(() => closedLoop({ concurrency, seconds: seconds / 2 }, readBare));
    return { reads, floors: [before, after] };
  } finally {
    await bare.stop();
  }
}

function figureOf(
  name: string,
  reads: Measured<LoadResult>,
  floors: readonly Measured<LoadResult>[],
): Figure {
  const cpuMs = ({ result, cpu }: Measured<LoadResult>): string =>
    ((cpu.serverSeconds / result.count) * 1000).toFixed(2);
  return {
    name,
    value: reads.result.perSecond,
    unit: '/s',
    floor: mean(floors.map(({ result }) => result.perSecond)),
    target: { atLeast: 0.3 },
    foreignShare: Math.max(...[reads, ...floors].map(({ cpu }) => cpu.foreignShare)),
    note: `CPU of the service ${cpuMs(reads)} ms each; floor: a bare route that answers the same`,
  };
}

/** Further orders, as rows only: reading them involves no workflow. */
async function fillTable(service: Service, rows: number): Promise<void> {
  const sql = postgres(service.databaseUrl, { max: 1 });
  await sql`
    insert into hosted_number_orders (sid, account_sid, incoming_phone_number_sid, phone_number, status,
      verification_type, revision, holds_number, date_created, date_updated)
    select 'HR' || md5('order' || n), ${service.accountSid}, 'PN' || md5('number' || n), '+1999' || (1000000 + n),
      case when n % 3 = 0 then 'received' when n % 3 = 1 then 'completed' else 'pending-loa' end,
      'phone-call', 1, true, now(), now()
    from generate_series(1, ${rows - smallTable}::int) as n`;
  await sql`
    insert into incoming_phone_numbers (sid, account_sid, order_sid, phone_number, friendly_name, state, date_created,
      date_updated)
    select 'PN' || md5('number' || n), ${service.accountSid}, 'HR' || md5('order' || n), '+1999' || (1000000 + n),
      '+1999' || (1000000 + n), 'pending', now(), now()
    from generate_series(1, ${rows - smallTable}::int) as n`;
  await sql`analyze`;
  await sql.end();
}
