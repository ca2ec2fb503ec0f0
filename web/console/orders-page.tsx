/** The list of orders: search, filter, next step. Keeps itself up to date. */
import type { FC } from 'hono/jsx';
import type { FoundOrder } from '../../db/reads/console.ts';
import type { PageOf } from '../../db/reads/page.ts';
import { orderStatuses } from '../../domain/hosted-number-order.ts';
import { factsOf } from '../../domain/order-facts.ts';
import { nextStep } from '../../domain/order-next-step.ts';
import { curl } from '../components/command.tsx';
import { Empty } from '../components/empty.tsx';
import { link, Pager } from '../components/pager.tsx';
import { formatPhone } from '../components/phone.ts';
import { Status } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { ConsolePage, type ConsolePageProps } from './frame.tsx';
import type { Session } from './session.ts';

export interface OrdersListProps {
  readonly session: Session;
  readonly publicUrl: string;
  readonly page: PageOf<FoundOrder>;
  /** What was asked for: `status`, `number`, and the place in the list. Empty where not. */
  readonly query: Readonly<Record<'status' | 'number' | 'after' | 'before', string>>;
}

export const OrdersPage: FC<OrdersListProps & Pick<ConsolePageProps, 'done'>> = ({ done, ...list }) => (
  <ConsolePage session={list.session} section="orders" title="Orders" done={done}>
    <div class="page-head">
      <h1>Orders</h1>
      {list.session.kind === 'account' && (
        <a role="button" href="/console/orders/new">
          New order
        </a>
      )}
    </div>
    <OrderFilter query={list.query} />
    <OrdersList {...list} />
  </ConsolePage>
);

const OrderFilter: FC<Pick<OrdersListProps, 'query'>> = ({ query }) => (
  <form method="get" action="/console/orders" class="filter">
    <div>
      <label for="number">Number</label>
      <input
        id="number"
        name="number"
        type="search"
        inputmode="tel"
        value={query.number}
        placeholder="Any part of it"
      />
    </div>
    <div>
      <label for="status">Status</label>
      <select id="status" name="status">
        <option value="">All</option>
        {orderStatuses.map((status) => (
          <option value={status} selected={status === query.status}>
            {status}
          </option>
        ))}
      </select>
    </div>
    <button type="submit" class="quiet">
      Show
    </button>
  </form>
);

/** The part that asks for itself again every few seconds. */
export const OrdersList: FC<OrdersListProps> = (props) => {
  const { page, query } = props;
  const filters = { status: query.status, number: query.number };
  return (
    <div id="orders" hx-get={link('/console/orders/list', query)} hx-trigger="every 5s" hx-swap="outerMorph">
      <section class="card scroll" aria-label="Orders">
        {page.rows.length === 0 ? <NoOrders {...props} /> : <OrdersTable {...props} />}
      </section>
      <Pager path="/console/orders" query={filters} page={page} />
    </div>
  );
};

const OrdersTable: FC<OrdersListProps> = ({ page, session }) => (
  <table class="cards">
    <thead>
      <tr>
        <th scope="col">Number</th>
        <th scope="col">{session.kind === 'admin' ? 'Account' : 'Name'}</th>
        <th scope="col">Status</th>
        <th scope="col">Next step</th>
        <th scope="col">Last change</th>
      </tr>
    </thead>
    <tbody>
      {page.rows.map((order) => (
        <tr id={order.sid}>
          <th scope="row" class="number">
            <a href={`/console/orders/${order.sid}`}>{formatPhone(order.phoneNumber)}</a>
          </th>
          <td>
            {session.kind === 'admin' ? (
              <code class="sid">{order.accountSid}</code>
            ) : (
              (order.friendlyName ?? '')
            )}
          </td>
          <td class="state">
            <Status status={statusOf(order)} />
          </td>
          <td class="next-step">{order.failureReason || nextStep(factsOf(order))}</td>
          <td>
            <When at={order.dateUpdated} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** A released number says more about a completed order than `completed` does. */
function statusOf({ status, numberState }: FoundOrder): string {
  return numberState === 'retiring' || numberState === 'retired' ? numberState : status;
}

const NoOrders: FC<OrdersListProps> = ({ publicUrl, query, session }) => {
  if (query.status !== '' || query.number !== '') {
    return (
      <Empty title="No order fits">
        <p>
          <a href="/console/orders">Show all orders</a>
        </p>
      </Empty>
    );
  }
  if (session.kind === 'admin') return <Empty title="There are no orders yet" />;
  const command = curl({
    publicUrl,
    path: '/HostedNumbers/HostedNumberOrders',
    form: { PhoneNumber: '+14158675310', SmsCapability: 'true', FriendlyName: 'Front desk' },
  });
  return (
    <Empty title="There are no orders yet" command={command}>
      <p>
        Order hosting of a landline or toll-free number that you own:{' '}
        <a href="/console/orders/new">with the form</a>, or by the API.
      </p>
    </Empty>
  );
};
