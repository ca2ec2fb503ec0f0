/** What a request is answered while a server behind the service hangs. */
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { answerInTime } from '../../api/deadline.ts';
import { errorHeaders, toApiError } from '../../api/errors.ts';

const hanging = new Promise<never>(() => {});
function app(): Hono {
  const app = new Hono();
  app.use(answerInTime(20, 60_000));
  app.get('/hangs', () => hanging);
  app.get('/answers', (ctx) => ctx.text('here'));
  app.post('/file', async (ctx) => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return ctx.text('taken');
  });
  app.onError((error, ctx) => {
    const { code, status } = toApiError(error);
    return ctx.json({ code }, status as 503, errorHeaders(toApiError(error)));
  });
  return app;
}

it('a request that a server holds is answered with 20503 and the time to come again', async () => {
  const answer = await app().request('/hangs');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await answer.json()).toEqual({ code: 20503 });
});

it('a request that is answered in time is left alone, and so is a file that takes its time', async () => {
  expect(await (await app().request('/answers')).text()).toBe('here');
  const body = new FormData();
  body.append('File', new File(['AccountSid,PhoneNumber'], 'lines.csv'));
  expect(await (await app().request('/file', { method: 'POST', body })).text()).toBe('taken');
});
