/** `/console/documents`: letters of authorization. */
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { listAddresses } from '../../db/reads/addresses.ts';
import {
  findDocument,
  findDocumentFile,
  listDocumentOrders,
  listDocuments,
} from '../../db/reads/authorization-documents.ts';
import { searchOrders } from '../../db/reads/console.ts';
import { readTimeline } from '../../db/reads/timeline.ts';
import { pageFromQuery } from '../components/pager.tsx';
import { notFoundPage } from '../error-pages.tsx';
import { readPageForm, textFields } from '../page-form.ts';
import { sendPage } from '../render.ts';
import type { ApiAnswer, ApiClient } from './api-client.ts';
import { accountOf, apiOf, type ConsoleContext, type Desk, given, listOf, webUiOf } from './desk.ts';
import { DocumentPage } from './document-page.tsx';
import { DocumentsPage } from './documents-page.tsx';
import type { Refusal } from './frame.tsx';
import { NewDocumentPage, type NewDocumentPageProps, newDocumentFields } from './new-document-page.tsx';
import type { ConsoleEnv } from './session.ts';

const documentsPath = '/HostedNumbers/AuthorizationDocuments';
/** Orders and addresses offered by the form. Whoever has more of them uses the API. */
const offered = { size: 200, page: 0, cursor: null } as const;

export function createDocuments(desk: Desk): Hono<ConsoleEnv> {
  const documents = new Hono<ConsoleEnv>();
  const { db } = desk.deps;

  documents.get('/', async (ctx) => {
    const query = ctx.req.query();
    const page = await listDocuments(db, accountOf(ctx).sid, {}, pageFromQuery(query));
    return sendPage(ctx, <DocumentsPage session={ctx.get('session')} page={page} done={query['done']} />);
  });
  documents.get('/new', async (ctx) => {
    const page = await newProps(desk, ctx, ctx.req.queries('order') ?? [], {});
    return sendPage(ctx, <NewDocumentPage {...page} />);
  });
  documents.post('/', (ctx) => create(desk, ctx));
  documents.get('/:sid', (ctx) => showDocument(desk, ctx));
  documents.get('/:sid/letter.pdf', (ctx) => sendFile(desk, ctx, 'letter'));
  documents.get('/:sid/signed.pdf', (ctx) => sendFile(desk, ctx, 'signed'));
  addActions(desk, documents);
  return documents;
}

function addActions(desk: Desk, documents: Hono<ConsoleEnv>): void {
  const act = (
    name: string,
    done: string,
    call: (api: ApiClient, path: string) => Promise<ApiAnswer>,
  ): void => {
    documents.post(`/:sid/${name}`, async (ctx) => {
      const sid = ctx.req.param('sid');
      const answer = await call(apiOf(desk, ctx), `${documentsPath}/${sid}`);
      if (!answer.ok) return showDocument(desk, ctx, answer);
      return ctx.redirect(`/console/documents/${sid}?done=${done}`, 303);
    });
  };
  act('reopen', 'reopened', (api, path) => api.post(path, { Status: 'opened' }));
  act('send', 'mailed', (api, path) => api.post(path, { Status: 'signing' }));
  act('cancel', 'withdrawn', (api, path) => api.delete(path));
}

async function create(desk: Desk, ctx: ConsoleContext): Promise<Response> {
  const form = await readPageForm(ctx);
  const values = textFields(form);
  const orderSids = form.getAll('HostedNumberOrderSids').filter((sid) => typeof sid === 'string');
  const answer = await apiOf(desk, ctx).post(documentsPath, {
    ...given(values, newDocumentFields),
    HostedNumberOrderSids: orderSids,
    CcEmails: listOf(values['CcEmails']),
  });
  if (answer.ok) return ctx.redirect(`/console/documents/${String(answer.body['sid'])}?done=mailed`, 303);
  const page = await newProps(desk, ctx, orderSids, values);
  return sendPage(ctx, <NewDocumentPage {...page} refusal={answer} />, answer.status as ContentfulStatusCode);
}

async function newProps(
  { deps }: Desk,
  ctx: ConsoleContext,
  chosen: readonly string[],
  values: Readonly<Record<string, string>>,
): Promise<NewDocumentPageProps> {
  const { sid } = accountOf(ctx);
  const [orders, addresses] = await Promise.all([
    searchOrders(deps.db, { accountSid: sid, status: null, digits: '' }, offered),
    listAddresses(deps.db, sid, {}, offered),
  ]);
  return {
    session: ctx.get('session'),
    publicUrl: deps.config.env.publicUrl,
    orders: orders.rows,
    addresses: addresses.rows,
    chosen,
    values,
  };
}

async function showDocument(desk: Desk, ctx: ConsoleContext, refusal?: Refusal): Promise<Response> {
  const { db } = desk.deps;
  const document = await findDocument(db, accountOf(ctx).sid, ctx.req.param('sid') ?? '');
  if (!document) return notFoundPage(ctx);
  const [orders, timeline, letter, signed] = await Promise.all([
    listDocumentOrders(db, document.sid),
    readTimeline(db, document.sid),
    findDocumentFile(db, document.sid, 'letter', document.mailing),
    findDocumentFile(db, document.sid, 'signed'),
  ]);
  const session = ctx.get('session');
  const page = { session, document, orders, timeline, letter, signed, webUi: webUiOf(desk.deps) };
  return sendPage(
    ctx,
    <DocumentPage {...page} done={ctx.req.query('done')} refusal={refusal} />,
    (refusal?.status ?? 200) as ContentfulStatusCode,
  );
}

async function sendFile({ deps }: Desk, ctx: ConsoleContext, kind: 'letter' | 'signed'): Promise<Response> {
  const document = await findDocument(deps.db, accountOf(ctx).sid, ctx.req.param('sid') ?? '');
  const file = document && (await findDocumentFile(deps.db, document.sid, kind));
  if (!file) return notFoundPage(ctx);
  return ctx.body(new Uint8Array(file.bytes), 200, {
    'Content-Type': 'application/pdf',
    'Content-Disposition': `inline; filename="${file.documentSid}-${kind}.pdf"`,
  });
}
