/** What every page does with requests no page of ours sends, and the headers all of them carry (design.md §6). */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { apiHeaders } from '../../api/headers.ts';
import { readConfig } from '../../config.ts';
import type { WebDeps } from '../../web/deps.ts';
import { createWeb } from '../../web/pages.ts';
import { brokenBodies } from '../api/broken-bodies.ts';

const logged = vi.fn();
beforeEach(() => logged.mockClear());

/** No request of these tests reaches database or Temporal. */
const deps = { config: readConfig({}), log: { error: logged } } as unknown as WebDeps;
const unused = (): never => {
  throw new Error('these pages do not call the API');
};
const web = createWeb(deps, { fetch: unused, count: unused });
const origin = 'http://localhost';

describe.each(['/verify', '/console/login'])('a form posted to %s', (path) => {
  it.each(brokenBodies)('that is $what is refused in words, and is no error of the service', async (body) => {
    const { type, text } = body;
    const headers = { Origin: origin, 'Content-Type': type };
    const response = await web.request(path, { method: 'POST', headers, body: text });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(body.told);
    expect(logged).not.toHaveBeenCalled();
  });
});

describe('an address with a NUL', () => {
  it.each([
    '/console/documents/%00',
    '/console/documents/%00/letter.pdf',
    '/console/webhooks/%00',
    '/console/deliveries/%00',
    '/console/deliveries/DL1%00/live',
    '/console/webhooks/%zz%00',
    '/sign/%00',
    '/docs/%00',
  ])('%s is that of no page', async (path) => {
    const response = await web.request(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('There is no such page');
  });
});

describe('every answer', () => {
  it.each([
    ['/', 302],
    ['/docs', 200],
    ['/verify', 200],
    ['/console/login', 200],
    ['/docs/nothing', 404],
    ['/assets/site.css', 200],
  ])('%s is to be asked for by HTTPS and taken for what it says it is', async (path, status) => {
    const response = await web.request(path);
    expect(response.status).toBe(status);
    for (const name of ['Strict-Transport-Security', 'X-Content-Type-Options'] as const)
      expect(response.headers.get(name), name).toBe(apiHeaders[name]);
  });

  it('is so too where the browser has the file already, and where the request is refused', async () => {
    const etag = (await web.request('/assets/icon.svg')).headers.get('etag') ?? '';
    const unchanged = await web.request('/assets/icon.svg', { headers: { 'If-None-Match': etag } });
    const refused = await web.request('/verify', { method: 'POST', body: '{}' });
    for (const [response, status] of [
      [unchanged, 304],
      [refused, 400],
    ] as const) {
      expect(response.status).toBe(status);
      expect(response.headers.get('strict-transport-security')).not.toBeNull();
    }
  });
});
