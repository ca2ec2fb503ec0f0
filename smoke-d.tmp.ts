import { sql } from 'drizzle-orm';
import { readFileSync } from 'node:fs';
import postgres from 'postgres';
const { call, show, AC, app, deps } = (globalThis as any).__;
const { listOrders } = await import('./db/reads/hosted-number-orders.ts');
const { orderJson } = await import('./api/representations.ts');
const at = JSON.parse(readFileSync('/tmp/api-smoke/env.json', 'utf8'));
const raw = postgres(at.pg, { max: 10 });
await deps.db.execute(sql.raw(`insert into hosted_number_orders (sid, account_sid, incoming_phone_number_sid, phone_number, status, verification_type, revision, holds_number, date_created, date_updated) select 'HR' || md5(i::text), '${AC}', 'PN' || md5(i::text), '+1415' || i, 'received', 'phone-call', 1, true, now(), now() from generate_series(1,100000) i`));
await deps.db.execute(sql.raw('analyze'));
async function m(name: string, f: () => any, n = 1500, k = 30) {
  for (let i = 0; i < 200; i++) await f();
  const cpu = process.cpuUsage(), t = performance.now(); let i = 0;
  await Promise.all(Array.from({ length: k }, async () => { while (i++ < n) await f(); }));
  const u = process.cpuUsage(cpu); console.log(name.padEnd(34), Math.round(n / (performance.now() - t) * 1000), '/s', Math.round((u.user + u.system) / n), 'cpu us');
}
const h = { Authorization: 'Basic ' + Buffer.from(`${AC}:tok`).toString('base64') };
const req = { size: 50, page: 0, cursor: null };
const page = await listOrders(deps.db, AC, {}, req);
await m('app list 50', async () => (await app.request('/HostedNumbers/HostedNumberOrders', { headers: h })).text());



const j = page.rows.map((r: any) => orderJson(r, 'http://x'));


await raw.end();
