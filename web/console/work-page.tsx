/** What waits for an administrator: which order, why, since when, and how long is left. */
import type { FC } from 'hono/jsx';
import type { OrderRow } from '../../db/reads/hosted-number-orders.ts';
import type { PageOf } from '../../db/reads/page.ts';
import { Empty } from '../components/empty.tsx';
import { link, Pager } from '../components/pager.tsx';
import { formatPhone } from '../components/phone.ts';
import { Status } from '../components/status.tsx';
import { formatDuration, formatTimeLeft, When } from '../components/when.tsx';
import { ConsolePage, type ConsolePageProps } from './frame.tsx';
import type { Session } from './session.ts';

export interface WorkListProps {
  readonly session: Session;
  readonly page: PageOf<OrderRow>;
  /** When each order came into its status, by sid. */
  readonly since: ReadonlyMap<string, Date>;
  readonly now: Date;
  /** Time in action-required before an order fails. Milliseconds. */
  readonly actionRequiredMs: number;
  readonly query: Readonly<Record<'after' | 'before', string>>;
}

const cliQuery = `temporal workflow list --query 'OrderStatus="action-required" AND ExecutionStatus="Running"'`;

export const WorkPage: FC<WorkListProps & Pick<ConsolePageProps, 'done'>> = ({ done, ...list }) => (
  <ConsolePage session={list.session} section="work" title="Work list" done={done}>
    <h1>Work list</h1>
    <p class="lead">
      Orders that cannot go on by themselves, and phone bills to review. An order in action-required fails
      after {formatDuration(list.actionRequiredMs)}.
    </p>
    <WorkList {...list} />
  </ConsolePage>
);

/** The part that asks for itself again every few seconds. */
export const WorkList: FC<WorkListProps> = (props) => (
  <div id="work" hx-get={link('/console/work/list', props.query)} hx-trigger="every 5s" hx-swap="outerMorph">
    <section class="card scroll" aria-label="Orders that wait">
      {props.page.rows.length === 0 ? (
        <Empty title="Nothing waits for you" command={cliQuery}>
          <p>
            What cannot go on by itself appears here. From the command line, without the phone bills to
            review:
          </p>
        </Empty>
      ) : (
        <WorkTable {...props} />
      )}
    </section>
    <Pager path="/console/work" query={{}} page={props.page} />
  </div>
);

const WorkTable: FC<WorkListProps> = (props) => (
  <table class="cards">
    <thead>
      <tr>
        <th scope="col">Number</th>
        <th scope="col">Status</th>
        <th scope="col">Why</th>
        <th scope="col">Waiting since</th>
        <th scope="col">Time left</th>
      </tr>
    </thead>
    <tbody>
      {props.page.rows.map((order) => (
        <WorkRow {...props} order={order} />
      ))}
    </tbody>
  </table>
);

const WorkRow: FC<WorkListProps & { order: OrderRow }> = ({ order, since, now, actionRequiredMs }) => {
  const waitsSince = since.get(order.sid) ?? order.dateUpdated;
  const fails = order.status === 'action-required';
  const leftMs = waitsSince.getTime() + actionRequiredMs - now.getTime();
  return (
    <tr id={order.sid}>
      <th scope="row" class="number">
        <a href={`/console/orders/${order.sid}`}>{formatPhone(order.phoneNumber)}</a>
        <div class="small muted">{order.friendlyName}</div>
      </th>
      <td class="state">
        <Status status={order.status} />
      </td>
      <td>{fails ? (order.failureReason ?? 'No reason was recorded') : 'A phone bill is to be reviewed'}</td>
      <td data-label="Since">
        <When at={waitsSince} />
      </td>
      <td class="tabular" data-label="Time left">
        {fails ? formatTimeLeft(leftMs) : '–'}
      </td>
    </tr>
  );
};
