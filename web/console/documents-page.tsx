/** The list of letters. */
import type { FC } from 'hono/jsx';
import type { DocumentRow } from '../../db/reads/authorization-documents.ts';
import type { PageOf } from '../../db/reads/page.ts';
import { Empty } from '../components/empty.tsx';
import { Pager } from '../components/pager.tsx';
import { Status } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { ConsolePage, type ConsolePageProps } from './frame.tsx';

export interface DocumentsPageProps extends Pick<ConsolePageProps, 'session' | 'done'> {
  readonly page: PageOf<DocumentRow>;
}

export const DocumentsPage: FC<DocumentsPageProps> = ({ session, page, done }) => (
  <ConsolePage session={session} section="documents" title="Letters" done={done}>
    <div class="page-head">
      <h1>Letters of authorization</h1>
      <a role="button" href="/console/documents/new">
        New letter
      </a>
    </div>
    <section class="card scroll">
      {page.rows.length === 0 ? (
        <Empty title="There are no letters yet">
          <p>
            Carriers ask for a letter signed by the owner of the number. It can be mailed as soon as there is{' '}
            <a href="/console/orders">an order</a>; one letter may hold several numbers.
          </p>
        </Empty>
      ) : (
        <DocumentsTable documents={page.rows} />
      )}
    </section>
    <Pager path="/console/documents" query={{}} page={page} />
  </ConsolePage>
);

const DocumentsTable: FC<{ documents: readonly DocumentRow[] }> = ({ documents }) => (
  <table class="cards">
    <thead>
      <tr>
        <th scope="col">Signer</th>
        <th scope="col">Status</th>
        <th scope="col">Mailing</th>
        <th scope="col">Created</th>
      </tr>
    </thead>
    <tbody>
      {documents.map((document) => (
        <tr>
          <th scope="row">
            <a href={`/console/documents/${document.sid}`}>{document.email}</a>
          </th>
          <td class="state">
            <Status status={document.status} />{' '}
            {document.failureReason && <span>{document.failureReason}</span>}
          </td>
          <td class="tabular" data-label="Mailing">
            {document.mailing}
          </td>
          <td>
            <When at={document.dateCreated} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
