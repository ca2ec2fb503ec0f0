import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRegistryRoutes } from '../../local/registry-routes.tsx';
import { createRegistry, pendingMs, type Registry } from '../../local/registry.ts';

const ordinary = '+14155550123';
let dataDir: string;
let now: number;
let registry: Registry;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'registry-'));
  now = Date.parse('2026-01-01T00:00:00Z');
  registry = createRegistry(dataDir, () => now);
});
afterEach(() => rm(dataDir, { recursive: true }));

function ask(method: string, path: string, body?: object): Promise<Response> {
  const headers = {
    authorization: 'Bearer token',
    'idempotency-key': 'HR1',
    'content-type': 'application/json',
  };
  const app = createRegistryRoutes(registry, 'token');
  return Promise.resolve(app.request(path, { method, headers, body: body ? JSON.stringify(body) : null }));
}

const set = (number: string, form: Record<string, string>): Promise<Response> =>
  Promise.resolve(
    createRegistryRoutes(registry, 'token').request(`/registry/numbers/${number}`, {
      method: 'POST',
      body: new URLSearchParams(form),
    }),
  );

describe('the local registry says of a number what its last four digits mean', () => {
  it.each([
    [ordinary, true, 'landline', null],
    ['+18005550123', true, 'toll-free', null],
    ['+14155550190', false, 'landline', 'Another Text Company'],
    ['+14155550191', false, 'voip', null],
    ['+14155550192', false, 'mobile', null],
  ])('%s: eligible %s, %s, held by %s', async (number, eligible, lineType, holder) => {
    const answer = await ask('GET', `/registry/eligibility/${number}`);
    expect(await answer.json()).toMatchObject({
      eligible,
      lineType,
      holder,
      reason: eligible ? null : expect.any(String),
    });
  });

  it.each([
    ['+14155550194', [503, 503, 503]],
    ['+14155550195', [503, 503, 200]],
    ['+14155550196', [404, 404, 404]],
  ])('%s is answered with %s', async (number, statuses) => {
    const seen = [];
    for (const _ of statuses) seen.push((await ask('GET', `/registry/eligibility/${number}`)).status);
    expect(seen).toEqual(statuses);
  });

  it('takes no request without the token', async () => {
    const app = createRegistryRoutes(registry, 'another token');
    const answer = await app.request(`/registry/eligibility/${ordinary}`, {
      headers: { authorization: 'Bearer token' },
    });
    expect(answer.status).toBe(401);
  });
});

describe('registrations at the local registry', () => {
  it('are accepted, found, and gone once removed', async () => {
    const path = `/registry/registrations/${ordinary}`;
    const registered = await ask('PUT', path, { documentSid: 'PX1' });
    expect([registered.status, await registered.json()]).toEqual([200, { state: 'accepted', reason: null }]);
    expect((await ask('GET', path)).status).toBe(200);
    expect((await ask('DELETE', path)).status).toBe(204);
    expect((await ask('DELETE', path)).status).toBe(404);
    expect((await ask('GET', path)).status).toBe(404);
  });

  it('of a pending number are accepted after their time', async () => {
    const path = '/registry/registrations/+14155550197';
    expect((await ask('PUT', path)).status).toBe(202);
    now += pendingMs - 1;
    expect(await (await ask('GET', path)).json()).toMatchObject({ state: 'pending' });
    now += 1;
    expect(await (await ask('GET', path)).json()).toMatchObject({ state: 'accepted' });
  });

  it('that were rejected are looked at anew once the cause is gone', async () => {
    const path = '/registry/registrations/+14155550198';
    expect(await (await ask('PUT', path)).json()).toMatchObject({ state: 'rejected' });
    await set('+14155550198', { Behaviour: 'normal' });
    expect(await (await ask('PUT', path)).json()).toMatchObject({ state: 'accepted' });
  });

  it('the same key registers once', async () => {
    const first = await registry.register(ordinary, 'HR1', 'PX1');
    now += 60_000;
    expect(await registry.register(ordinary, 'HR1', 'PX1')).toEqual(first);
  });
});

describe('what a script sets at the local registry', () => {
  it('wins over the rules, and outlives a restart', async () => {
    await set(ordinary, { Holder: 'Rival', LineType: 'voip' });
    expect(createRegistry(dataDir).facts(ordinary)).toMatchObject({ holder: 'Rival', lineType: 'voip' });
    await set(ordinary, { Reset: 'true' });
    expect(registry.facts(ordinary)).toEqual({ holder: null, lineType: 'landline', behaviour: 'normal' });
  });

  it.each([
    ['a line type', { LineType: 'satellite' }],
    ['a behaviour', { Behaviour: 'friendly' }],
  ])('is refused when %s is not one it knows', async (_what, form) => {
    expect((await set(ordinary, form)).status).toBe(400);
  });
});
