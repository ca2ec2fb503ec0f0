import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { Pool } from 'undici';
import { sql } from 'drizzle-orm';
const { call, show, AC, app, deps } = (globalThis as any).__;
deps.config.api.rateLimitPerSecond; 
const bare = new Hono(); bare.get('/hello', (c) => c.json({ hello: 'world' }));
const s1 = serve({ fetch: app.fetch, port: 38123 }), s2 = serve({ fetch: bare.fetch, port: 38124 });
const base = '/HostedNumbers/HostedNumberOrders';
const c = await call('POST', base, { PhoneNumber: '+14158675310', SmsCapability: 'True' });
await deps.db.execute(sql.raw(`insert into hosted_number_orders (sid, account_sid, incoming_phone_number_sid, phone_number, status, verification_type, revision, holds_number, date_created, date_updated) select 'HR' || md5(i::text), '${AC}', 'PN' || md5(i::text), '+1415' || i, 'received', 'phone-call', 1, true, now(), now() from generate_series(1,100000) i`));
await deps.db.execute(sql.raw('analyze'));
const auth = 'Basic ' + Buffer.from(`${AC}:tok`).toString('base64');
async function load(port: number, path: string, secs = 3, conns = 30) {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: conns });
  let n = 0, bad = 0; const end = Date.now() + secs * 1000;
  const cpu = process.cpuUsage();
  await Promise.all(Array.from({ length: conns }, async () => { while (Date.now() < end) { const r = await pool.request({ path, method: 'GET', headers: { authorization: auth } }); await r.body.arrayBuffer(); n++; if (r.statusCode !== 200) bad++; } }));
  const u = process.cpuUsage(cpu);
  console.log(path, Math.round(n / secs), '/s bad', bad, 'cpu us/req', Math.round((u.user + u.system) / n)); await pool.close();
}
for (let i = 0; i < 2; i++) {
await load(38124, '/hello'); await load(38123, '/health/live'); await load(38123, base + '/' + c.body.sid); await load(38123, base + '?PageSize=1'); await load(38123, base + '?PageSize=50');
}
s1.close(); s2.close();
