/** `/sign/{token}`: the signer reads the letter, then signs or declines it. */
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { errorForLog } from '../../api/error-log.ts';
import { callWorkflow, WorkflowEnded } from '../../api/workflow-calls.ts';
import { findDocumentFile } from '../../db/reads/authorization-documents.ts';
import { type DocumentToSign, readFileHash } from '../../db/reads/signing.ts';
import { ApiError } from '../../domain/errors.ts';
import { declineDocumentUpdate, documentWorkflowId, signDocumentUpdate } from '../../workflows/messages.ts';
import { clientAddress } from '../client-address.ts';
import type { WebDeps } from '../deps.ts';
import { readPageForm } from '../page-form.ts';
import { privatePage, sendPage } from '../render.ts';
import { type Access, type ClosedReason, openLink } from './access.ts';
import { maxReasonLength, readReason, readSigning, type SigningErrors, type SigningValues } from './form.ts';
import { ClosedPage, closings, SignedPage, SigningPage } from './pages.tsx';

/** Most a signer can have to say. Bytes. */
const maxFormBytes = 64 * 1024;
/** How long an answer to the signer waits for the read model to show what the workflow has done. Milliseconds. */
const settleMs = 5000;
const settlePollMs = 50;

type Reply = Response | Promise<Response>;

export function createSigning(deps: WebDeps): Hono {
  const signing = new Hono();
  signing.use(privatePage, bodyLimit({ maxSize: maxFormBytes }));

  signing.get('/:token', async (ctx) => show(deps, ctx, await open(deps, ctx)));
  signing.get('/:token/letter.pdf', (ctx) => sendFile(deps, ctx, 'letter'));
  signing.get('/:token/signed.pdf', (ctx) => sendFile(deps, ctx, 'signed'));
  signing.post('/:token', (ctx) => sign(deps, ctx));
  signing.post('/:token/decline', (ctx) => decline(deps, ctx));
  return signing;
}

const tokenOf = (ctx: Context): string => ctx.req.param('token') ?? '';
const pathOf = (ctx: Context): string => `/sign/${tokenOf(ctx)}`;
const open = (deps: WebDeps, ctx: Context): Promise<Access> => openLink(deps, tokenOf(ctx), new Date());

async function show(deps: WebDeps, ctx: Context, access: Access): Promise<Response> {
  if (access.kind === 'closed') return close(deps, ctx, access.reason);
  if (access.kind === 'open') return showForm(deps, ctx, access.document);
  const { document } = access;
  const signedSha256 = await readFileHash(deps.db, fileOf(document, 'signed'));
  const page = { action: pathOf(ctx), document, provider: deps.config.documents.provider, signedSha256 };
  return sendPage(ctx, <SignedPage {...page} />);
}

interface Entered {
  readonly values: SigningValues;
  readonly errors: SigningErrors;
  /** The reason for declining, as it was typed. */
  readonly reason?: string;
  readonly trouble?: string;
}

async function showForm(
  deps: WebDeps,
  ctx: Context,
  document: DocumentToSign,
  entered: Entered = { values: {}, errors: {} },
): Promise<Response> {
  const { provider } = deps.config.documents;
  const { countries } = deps.config.orders;
  const letterSha256 = await readFileHash(deps.db, fileOf(document, 'letter'));
  const form = { action: pathOf(ctx), document, provider, countries, letterSha256, ...entered };
  const refused = entered.trouble ? 503 : Object.keys(entered.errors).length > 0 ? 400 : 200;
  return sendPage(ctx, <SigningPage {...form} />, refused);
}

function close(deps: WebDeps, ctx: Context, reason: ClosedReason): Reply {
  const page = <ClosedPage reason={reason} provider={deps.config.documents.provider} />;
  return sendPage(ctx, page, closings[reason].status);
}

async function sign(deps: WebDeps, ctx: Context): Promise<Response> {
  const access = await open(deps, ctx);
  if (access.kind !== 'open') return show(deps, ctx, access);
  const { document } = access;
  const input = readSigning(await readPageForm(ctx), document);
  if (!input.ok) return showForm(deps, ctx, document, input);
  const signature = {
    ...input.signature,
    consentedAt: new Date().toISOString(),
    ipAddress: clientAddress(ctx, deps.config.api.trustedProxies),
    userAgent: (ctx.req.header('User-Agent') ?? 'unknown').slice(0, maxReasonLength),
  };
  const told = await tell(deps, () =>
    callWorkflow(deps, {
      workflowId: documentWorkflowId(document.sid),
      update: signDocumentUpdate,
      args: [{ mailing: document.mailing, signature }],
    }),
  );
  if (!told) {
    const trouble = 'The signature could not be taken just now. Please press “Sign the letter” again.';
    return showForm(deps, ctx, document, { values: input.values, errors: {}, trouble });
  }
  return settled(deps, ctx);
}

async function decline(deps: WebDeps, ctx: Context): Promise<Response> {
  const access = await open(deps, ctx);
  if (access.kind !== 'open') return show(deps, ctx, access);
  const { document } = access;
  const { reason, typed } = readReason(await readPageForm(ctx));
  const told = await tell(deps, () =>
    callWorkflow(deps, {
      workflowId: documentWorkflowId(document.sid),
      update: declineDocumentUpdate,
      args: [{ mailing: document.mailing, reason }],
    }),
  );
  if (!told) {
    const trouble = 'Your answer could not be taken just now. Please decline again.';
    return showForm(deps, ctx, document, { values: {}, errors: {}, reason: typed, trouble });
  }
  return settled(deps, ctx);
}

/**
 * Tells the document what its signer did; false when it could not be reached. A refusal is no failure: the document
 * has moved on meanwhile, and the page then shows how it stands.
 */
async function tell(deps: WebDeps, call: () => Promise<null>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (err) {
    if (err instanceof ApiError || err instanceof WorkflowEnded) return true;
    deps.log.warn(errorForLog(err), 'the answer of a signer did not reach the document');
    return false;
  }
}

/** Goes back to the page once it shows what was done, so that reloading it posts nothing again. */
async function settled(deps: WebDeps, ctx: Context): Promise<Response> {
  const deadline = Date.now() + settleMs;
  while ((await open(deps, ctx)).kind === 'open' && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, settlePollMs));
  }
  return ctx.redirect(pathOf(ctx), 303);
}

const fileOf = (document: DocumentToSign, kind: 'letter' | 'signed') => ({
  documentSid: document.sid,
  kind,
  mailing: document.mailing,
});

async function sendFile(deps: WebDeps, ctx: Context, kind: 'letter' | 'signed'): Promise<Response> {
  const access = await open(deps, ctx);
  if (access.kind === 'closed') return close(deps, ctx, access.reason);
  const file = await findDocumentFile(deps.db, access.document.sid, kind, access.document.mailing);
  if (!file) return ctx.notFound();
  const disposition = ctx.req.query('download') === undefined ? 'inline' : 'attachment';
  return ctx.body(new Uint8Array(file.bytes), 200, {
    'Content-Type': 'application/pdf',
    'Content-Disposition': `${disposition}; filename="letter-of-authorization-${kind}.pdf"`,
  });
}
