import { sql, eq, and, isNull } from 'drizzle-orm';
import postgres from 'postgres';
import { readFileSync } from 'node:fs';
const { call, show, AC, app, deps } = (globalThis as any).__;
const { findOrder, listOrders } = await import('./db/reads/hosted-number-orders.ts');
const { hostedNumberOrders, verificationAttempts } = await import('./db/tables.ts');
const at = JSON.parse(readFileSync('/tmp/api-smoke/env.json', 'utf8'));
const raw = postgres(at.pg, { max: 10 });
const c = await call('POST', '/HostedNumbers/HostedNumberOrders', { PhoneNumber: '+14158675310', SmsCapability: 'True' });
const sid = c.body.sid;
async function m(name: string, f: () => Promise<any>, n = 4000, k = 30) {
  for (let i = 0; i < 300; i++) await f();
  const cpu = process.cpuUsage(), t = performance.now(); let i = 0;
  await Promise.all(Array.from({ length: k }, async () => { while (i++ < n) await f(); }));
  const u = process.cpuUsage(cpu); console.log(name.padEnd(34), Math.round(n / (performance.now() - t) * 1000), '/s', Math.round((u.user + u.system) / n), 'cpu us');
}
const h = { Authorization: 'Basic ' + Buffer.from(`${AC}:tok`).toString('base64') };
await m('app live', async () => (await app.request('/health/live')).text());
await m('app 404 order (auth, no row)', async () => (await app.request('/HostedNumbers/HostedNumberOrders/zz', { headers: h })).text());
await m('app fetch', async () => (await app.request('/HostedNumbers/HostedNumberOrders/' + sid, { headers: h })).text());
await m('findOrder', () => findOrder(deps.db, AC, sid));
await m('raw select 1', async () => raw`select 1`);
await m('raw select *', async () => raw`select * from hosted_number_orders where sid = ${sid} and account_sid = ${AC}`);
const prep = deps.db.select({ order: hostedNumberOrders, code: verificationAttempts.code }).from(hostedNumberOrders).leftJoin(verificationAttempts, and(eq(verificationAttempts.orderSid, hostedNumberOrders.sid), sql`code is not null`)).where(and(eq(hostedNumberOrders.sid, sql.placeholder('sid')), isNull(hostedNumberOrders.canceledAt))).prepare('x');
await m('drizzle prepared', () => prep.execute({ sid }));
const prep2 = deps.db.select({ o: sql`to_json(${hostedNumberOrders})` }).from(hostedNumberOrders).where(eq(hostedNumberOrders.sid, sql.placeholder('sid'))).prepare('x2');
await m('drizzle prepared to_json', () => prep2.execute({ sid }));
await m('raw to_json any', async () => raw`select to_json(o) from hosted_number_orders o where sid = any(${[sid]})`);
await raw.end();
