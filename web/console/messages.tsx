/** `/console/messages`: the texts of an account, and a form to send one. */
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { listNumbers } from '../../db/reads/incoming-phone-numbers.ts';
import { listMessages } from '../../db/reads/messages.ts';
import { pageFromQuery } from '../components/pager.tsx';
import { sendPage } from '../render.ts';
import { accountOf, apiOf, type ConsoleContext, type Desk, given, readFields } from './desk.ts';
import type { Refusal } from './frame.tsx';
import { MessagesPage } from './messages-page.tsx';
import type { ConsoleEnv } from './session.ts';

/** Numbers offered as sender. */
const offered = { size: 200, page: 0, cursor: null } as const;

export function createMessages(desk: Desk): Hono<ConsoleEnv> {
  const messages = new Hono<ConsoleEnv>();
  messages.get('/', (ctx) => showMessages(desk, ctx, {}));
  messages.post('/', async (ctx) => {
    const values = await readFields(ctx);
    const path = `/2010-04-01/Accounts/${accountOf(ctx).sid}/Messages.json`;
    const answer = await apiOf(desk, ctx).post(path, given(values, ['From', 'To', 'Body']));
    return answer.ok
      ? ctx.redirect('/console/messages?done=sent', 303)
      : showMessages(desk, ctx, values, answer);
  });
  return messages;
}

async function showMessages(
  { deps }: Desk,
  ctx: ConsoleContext,
  values: Readonly<Record<string, string>>,
  refusal?: Refusal,
): Promise<Response> {
  const { sid } = accountOf(ctx);
  const query = ctx.req.query();
  const [page, numbers] = await Promise.all([
    listMessages(deps.db, sid, {}, pageFromQuery(query)),
    listNumbers(deps.db, sid, {}, offered),
  ]);
  const lines = numbers.rows
    .filter((number) => number.state === 'in-use')
    .map((number) => number.phoneNumber);
  const { publicUrl } = deps.config.env;
  const props = { session: ctx.get('session'), publicUrl, page, lines, values, done: query['done'], refusal };
  return sendPage(ctx, <MessagesPage {...props} />, (refusal?.status ?? 200) as ContentfulStatusCode);
}
