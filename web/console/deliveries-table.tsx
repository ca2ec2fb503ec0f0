/** Deliveries in a table: of a webhook, or the callbacks of an order. */
import type { FC } from 'hono/jsx';
import type { DeliveryRow } from '../../db/reads/deliveries.ts';
import { outcomeInWords } from '../../domain/delivery-words.ts';
import { Status } from '../components/status.tsx';
import { When } from '../components/when.tsx';

export interface DeliveriesTableProps {
  readonly deliveries: readonly DeliveryRow[];
  /** Whether whoever looks may open a delivery. Default: yes. */
  readonly linked?: boolean;
  /** What to say when there is none. */
  readonly empty: string;
}

export const DeliveriesTable: FC<DeliveriesTableProps> = ({ deliveries, empty, linked = true }) =>
  deliveries.length === 0 ? (
    <p class="muted">{empty}</p>
  ) : (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">State</th>
          <th scope="col">Attempts</th>
          <th scope="col">Last answer</th>
          <th scope="col">Created</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <tr id={delivery.sid}>
            <th scope="row">
              {linked ? <a href={`/console/deliveries/${delivery.sid}`}>{delivery.kind}</a> : delivery.kind}
            </th>
            <td class="state">
              <Status status={delivery.state} />
            </td>
            <td class="tabular" data-label="Attempts">
              {delivery.attemptCount}
            </td>
            <td>{answerOf(delivery)}</td>
            <td>
              <When at={delivery.dateCreated} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );

function answerOf({ lastHttpStatus, lastError, attemptCount }: DeliveryRow): string {
  if (attemptCount === 0) return 'Not tried yet';
  return outcomeInWords({ httpStatus: lastHttpStatus, error: lastError });
}
