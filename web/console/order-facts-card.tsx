/** The data of an order, beside its story. */
import type { FC } from 'hono/jsx';
import type { DocumentRow } from '../../db/reads/authorization-documents.ts';
import { Status } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import type { OrderViewProps } from './order-page.tsx';

export const OrderFactsCard: FC<OrderViewProps> = ({ session, data: { order, document } }) => (
  <section class="card">
    <h2>Order</h2>
    <dl class="facts">
      {session.kind === 'admin' && (
        <>
          <dt>Account</dt>
          <dd>
            <code class="sid">{order.accountSid}</code>
          </dd>
        </>
      )}
      {order.uniqueName && (
        <>
          <dt>Unique name</dt>
          <dd>{order.uniqueName}</dd>
        </>
      )}
      <dt>Ownership</dt>
      <dd>{order.ownershipVerified ? 'Verified' : 'Not verified yet'}</dd>
      <dt>Letter of authorization</dt>
      <dd>
        {document ? <DocumentLine document={document} linked={session.kind === 'account'} /> : 'None yet'}
      </dd>
      {order.verificationDocumentSid && (
        <>
          <dt>Phone bill</dt>
          <dd>
            <a href={`/console/orders/${order.sid}/bill`} target="_blank" rel="noopener">
              Open the bill
            </a>
          </dd>
        </>
      )}
      <dt>Created</dt>
      <dd>
        <When at={order.dateCreated} />
      </dd>
      <dt>Last change</dt>
      <dd>
        <When at={order.dateUpdated} />
      </dd>
    </dl>
  </section>
);

const DocumentLine: FC<{ document: DocumentRow; linked: boolean }> = ({ document, linked }) => (
  <>
    <Status status={document.status} />{' '}
    {linked ? <a href={`/console/documents/${document.sid}`}>{document.email}</a> : document.email}
  </>
);
