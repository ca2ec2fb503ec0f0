/** One letter: where it stands, its files, its story. */
import type { FC } from 'hono/jsx';
import type { DocumentFileRow, DocumentRow } from '../../db/reads/authorization-documents.ts';
import type { TimelineRow } from '../../db/reads/timeline.ts';
import { decideDocument } from '../../domain/authorization-document.ts';
import { FileHash } from '../components/file-hash.tsx';
import { formatPhone } from '../components/phone.ts';
import { Status } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { ConsolePage, type ConsolePageProps, WorkflowLink } from './frame.tsx';
import { Confirm } from './order-actions.tsx';
import { StoryCard } from './order-story.tsx';

export interface DocumentPageProps extends Pick<ConsolePageProps, 'session' | 'done' | 'refusal'> {
  readonly document: DocumentRow;
  readonly orders: readonly { readonly sid: string; readonly phoneNumber: string }[];
  readonly timeline: readonly TimelineRow[];
  readonly letter: DocumentFileRow | undefined;
  readonly signed: DocumentFileRow | undefined;
  readonly webUi: string | null;
}

export const DocumentPage: FC<DocumentPageProps> = (props) => {
  const { session, done, refusal, document, timeline, webUi } = props;
  return (
    <ConsolePage session={session} section="documents" title="Letter" done={done} refusal={refusal}>
      <p class="crumbs">
        <a href="/console/documents">Letters</a>
      </p>
      <header class="order-head">
        <div>
          <h1>Letter to {document.email}</h1>
          <p class="muted">
            <code class="sid">{document.sid}</code>
          </p>
        </div>
        <div class="order-status">
          <Status status={document.status} />
          <p class="small muted">
            <WorkflowLink webUi={webUi} workflowId={document.sid} />
          </p>
        </div>
      </header>
      <div class="columns">
        <div>
          <Actions document={document} />
          <StoryCard timeline={timeline} />
        </div>
        <DocumentFacts {...props} />
      </div>
    </ConsolePage>
  );
};

const DocumentFacts: FC<DocumentPageProps> = ({ document, orders, letter, signed }) => (
  <section class="card">
    <h2>Letter</h2>
    <dl class="facts">
      <dt>Numbers</dt>
      <dd>
        {orders.map((order) => (
          <div class="number">
            <a href={`/console/orders/${order.sid}`}>{formatPhone(order.phoneNumber)}</a>
          </div>
        ))}
        {orders.length === 0 && 'None any more'}
      </dd>
      {document.failureReason && (
        <>
          <dt>Why it ended</dt>
          <dd>{document.failureReason}</dd>
        </>
      )}
      {document.ccEmails.length > 0 && (
        <>
          <dt>Copies to</dt>
          <dd>{document.ccEmails.join(', ')}</dd>
        </>
      )}
      {document.status === 'signing' && (
        <>
          <dt>The link works until</dt>
          <dd>
            <When at={document.expiresAt} />
          </dd>
        </>
      )}
      {document.signedAt && (
        <>
          <dt>Signed</dt>
          <dd>
            {document.signerName}, <When at={document.signedAt} />
          </dd>
        </>
      )}
      {letter && (
        <FileEntry title="As mailed" href={`/console/documents/${document.sid}/letter.pdf`} file={letter} />
      )}
      {signed && (
        <FileEntry title="As signed" href={`/console/documents/${document.sid}/signed.pdf`} file={signed} />
      )}
    </dl>
  </section>
);

const FileEntry: FC<{ title: string; href: string; file: DocumentFileRow }> = ({ title, href, file }) => (
  <>
    <dt>{title}</dt>
    <dd>
      <a href={href} target="_blank" rel="noopener">
        PDF
      </a>{' '}
      <span class="small muted">
        SHA-256 <FileHash sha256={file.sha256} />
      </span>
    </dd>
  </>
);

const Actions: FC<{ document: DocumentRow }> = ({ document: { sid, status } }) => {
  const may = {
    send: decideDocument(status, 'send').allowed,
    reopen: decideDocument(status, 'reopen').allowed,
    cancel: decideDocument(status, 'cancel').allowed,
  };
  if (!Object.values(may).includes(true)) return null;
  return (
    <section class="card action-list" aria-label="Actions">
      {may.send && (
        <form method="post" action={`/console/documents/${sid}/send`}>
          <button type="submit">Mail it to the signer</button>
        </form>
      )}
      {may.reopen && (
        <Confirm
          id="reopen"
          label="Take it back"
          text="The link that was mailed becomes void. The data can then be changed and the letter mailed anew."
          action={`/console/documents/${sid}/reopen`}
        />
      )}
      {may.cancel && (
        <Confirm
          id="cancel"
          label="Cancel the letter"
          text="Its orders go back to where they were before the letter."
          action={`/console/documents/${sid}/cancel`}
        />
      )}
    </section>
  );
};
