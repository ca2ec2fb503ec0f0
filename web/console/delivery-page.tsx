/** One delivery: its payload, every attempt, when the next one is due. */
import type { FC } from 'hono/jsx';
import type { DeliveryAttemptRow, DeliveryDetails } from '../../db/reads/deliveries.ts';
import { durationInWords, outcomeInWords } from '../../domain/delivery-words.ts';
import { Status } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { ConsolePage, type ConsolePageProps, WorkflowLink } from './frame.tsx';
import { Confirm } from './order-actions.tsx';

export interface DeliveryViewProps {
  readonly details: DeliveryDetails;
  readonly webUi: string | null;
}

export const DeliveryPage: FC<DeliveryViewProps & Pick<ConsolePageProps, 'session' | 'done' | 'refusal'>> = (
  props,
) => {
  const { session, done, refusal, details, webUi } = props;
  const { subscriptionSid, kind } = details.delivery;
  return (
    <ConsolePage session={session} section="webhooks" title={kind} done={done} refusal={refusal}>
      <p class="crumbs">
        <a href={subscriptionSid === null ? '/console/orders' : `/console/webhooks/${subscriptionSid}`}>
          {subscriptionSid === null ? 'Orders' : 'Webhook'}
        </a>
      </p>
      <DeliveryView details={details} webUi={webUi} />
    </ConsolePage>
  );
};

/** The part that asks for itself again while the delivery is under way. */
export const DeliveryView: FC<DeliveryViewProps> = ({ details, webUi }) => {
  const { delivery, payload, attempts, replay } = details;
  const live =
    delivery.state === 'pending'
      ? { 'hx-get': `/console/deliveries/${delivery.sid}/live`, 'hx-trigger': 'every 3s' }
      : {};
  return (
    <div id="delivery" hx-swap="outerMorph" {...live}>
      <header class="order-head">
        <div>
          <h1>{delivery.kind}</h1>
          <p class="muted">
            <code class="sid">{delivery.sid}</code>
          </p>
        </div>
        <div class="order-status">
          <Status status={delivery.state} />
          <p class="small muted">
            <WorkflowLink webUi={webUi} workflowId={delivery.sid} />
          </p>
        </div>
      </header>
      <DeliveryActions delivery={delivery} />
      {replay && (
        <p>
          Sent again as <a href={`/console/deliveries/${replay.sid}`}>{replay.sid}</a>{' '}
          <Status status={replay.state} />
        </p>
      )}
      <section class="card scroll">
        <h2>Attempts</h2>
        {delivery.nextAttemptAt && delivery.state === 'pending' && (
          <p>
            The next one is due <When at={delivery.nextAttemptAt} />.
          </p>
        )}
        <AttemptsTable attempts={attempts} />
      </section>
      <section class="card">
        <h2>Payload</h2>
        <pre>
          <code>{indented(payload)}</code>
        </pre>
      </section>
    </div>
  );
};

const DeliveryActions: FC<{ delivery: DeliveryDetails['delivery'] }> = ({ delivery: { sid, state } }) => (
  <section class="card action-list" aria-label="Actions">
    <form method="post" action={`/console/deliveries/${sid}/retry`}>
      <button type="submit">{state === 'pending' ? 'Try now' : 'Send it again'}</button>
    </form>
    {state === 'pending' && (
      <Confirm
        id="cancel"
        label="Cancel the delivery"
        text="The event is not sent to this endpoint any more."
        action={`/console/deliveries/${sid}/cancel`}
      />
    )}
  </section>
);

const AttemptsTable: FC<{ attempts: readonly DeliveryAttemptRow[] }> = ({ attempts }) =>
  attempts.length === 0 ? (
    <p class="muted">None yet.</p>
  ) : (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Attempt</th>
          <th scope="col">When</th>
          <th scope="col">Took</th>
          <th scope="col">Outcome</th>
          <th scope="col">Answer</th>
        </tr>
      </thead>
      <tbody>
        {attempts.toReversed().map((attempt) => (
          <tr>
            <th scope="row">{`No. ${attempt.number}`}</th>
            <td>
              <When at={attempt.at} />
            </td>
            <td class="tabular">{durationInWords(attempt.durationMs)}</td>
            <td>{outcomeInWords(attempt)}</td>
            <td>{attempt.responseHead && <code class="answer">{attempt.responseHead}</code>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );

/** JSON on several lines. A callback's form, one parameter a line. */
function indented(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return (
      [...new URLSearchParams(payload)].map(([name, value]) => `${name}: ${value}`).join('\n') || payload
    );
  }
}
