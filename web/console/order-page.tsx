/** One order as a story: where it stands, what comes next, what happened, what can be done. */
import type { FC } from 'hono/jsx';
import { nextStep } from '../../domain/order-next-step.ts';
import { formatPhone } from '../components/phone.ts';
import { Status } from '../components/status.tsx';
import { formatDuration } from '../components/when.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { ConsolePage, type ConsolePageProps, WorkflowLink } from './frame.tsx';
import { OperatorActions } from './operator-actions.tsx';
import { OrderActions } from './order-actions.tsx';
import type { OrderData } from './order-data.ts';
import { OrderFactsCard } from './order-facts-card.tsx';
import { NumberSettings } from './order-number.tsx';
import { CallsCard, StoryCard } from './order-story.tsx';
import type { Session } from './session.ts';

export interface OrderViewProps {
  readonly session: Session;
  readonly data: OrderData;
  readonly now: Date;
  /** Address of the namespace in Temporal's Web UI; `null` where none is configured. */
  readonly webUi: string | null;
  readonly publicUrl: string;
}

export const OrderPage: FC<OrderViewProps & Pick<ConsolePageProps, 'done' | 'refusal'>> = (props) => {
  const { done, refusal, ...view } = props;
  const title = formatPhone(view.data.order.phoneNumber);
  return (
    <ConsolePage session={view.session} section="orders" title={title} done={done} refusal={refusal}>
      <p class="crumbs">
        <a href="/console/orders">Orders</a>
      </p>
      <OrderView {...view} />
    </ConsolePage>
  );
};

/** The part that asks for itself again every few seconds. Forms are left alone while it does: `hx-morph-skip`. */
export const OrderView: FC<OrderViewProps> = (props) => {
  const { data, session } = props;
  const live = isOver(data)
    ? {}
    : { 'hx-get': `/console/orders/${data.order.sid}/live`, 'hx-trigger': 'every 3s' };
  return (
    <div id="order" hx-swap="outerMorph" {...live}>
      <OrderHead {...props} />
      <div class="columns">
        <div>
          <NextStep {...props} />
          {session.kind === 'admin' ? <OperatorActions {...props} /> : <OrderActions {...props} />}
          <StoryCard timeline={data.timeline} />
          <CallsCard attempts={data.attempts} />
        </div>
        <div>
          <OrderFactsCard {...props} />
          {data.number && <NumberSettings number={data.number} editable={session.kind === 'account'} />}
          <section class="card scroll">
            <h2>Status callbacks</h2>
            <DeliveriesTable
              deliveries={data.callbacks}
              linked={session.kind === 'account'}
              empty={
                data.order.statusCallbackUrl === null
                  ? 'None: the order was made without a StatusCallbackUrl.'
                  : 'None yet: one is sent on each change of the status.'
              }
            />
          </section>
        </div>
      </div>
    </div>
  );
};

const OrderHead: FC<OrderViewProps> = ({ data: { order, facts, since }, now, webUi }) => (
  <header class="order-head">
    <div>
      <h1 class="number">{formatPhone(order.phoneNumber)}</h1>
      <p class="muted">
        {order.friendlyName && <>{order.friendlyName} · </>}
        <code class="sid">{order.sid}</code>
      </p>
    </div>
    <div class="order-status">
      <Status status={facts.canceled ? 'canceled' : releasedOr(facts)} />
      <p class="small muted">
        for {formatDuration(now.getTime() - since.getTime())}
        {webUi && ' · '}
        <WorkflowLink webUi={webUi} workflowId={order.sid} />
      </p>
    </div>
  </header>
);

const NextStep: FC<OrderViewProps> = ({ data: { order, facts } }) => (
  <section class="card next" aria-live="polite" aria-labelledby="next-title">
    <h2 id="next-title">Next step</h2>
    <p class="next-text">{nextStep(facts)}</p>
    {order.failureReason && (
      <p>
        <strong>Why:</strong> {order.failureReason}
      </p>
    )}
    {order.verificationCode && (
      <div class="code">
        <p class="small muted">The person who answers the call enters this code on the phone:</p>
        <output class="code-digits">{order.verificationCode}</output>
      </div>
    )}
  </section>
);

function releasedOr({ status, numberState }: OrderData['facts']): string {
  return numberState === 'retiring' || numberState === 'retired' ? numberState : status;
}

/** Nothing will change any more without a new request. */
function isOver({ facts }: OrderData): boolean {
  return facts.canceled || facts.status === 'failed' || facts.numberState === 'retired';
}
