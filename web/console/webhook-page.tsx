/** One webhook: its secret, its switches, its deliveries. */
import type { FC } from 'hono/jsx';
import type { DeliveryRow } from '../../db/reads/deliveries.ts';
import type { PageOf } from '../../db/reads/page.ts';
import type { SubscriptionRow } from '../../db/reads/subscriptions.ts';
import { deliveryStates } from '../../domain/delivery.ts';
import { Field } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { Pager } from '../components/pager.tsx';
import { formatPhone } from '../components/phone.ts';
import { Status } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { ConsolePage, type ConsolePageProps } from './frame.tsx';
import { Confirm } from './order-actions.tsx';

export interface WebhookPageProps extends Pick<ConsolePageProps, 'session' | 'done' | 'refusal'> {
  readonly webhook: SubscriptionRow;
  readonly secret: string;
  readonly page: PageOf<DeliveryRow>;
  /** State the deliveries are filtered by; empty for all. */
  readonly state: string;
  /** Where the account is told when the service switches the webhook off; `null`: nobody is. */
  readonly email: string | null;
}

export const WebhookPage: FC<WebhookPageProps> = (props) => {
  const { session, done, refusal, webhook, page, state } = props;
  const path = `/console/webhooks/${webhook.sid}`;
  return (
    <ConsolePage session={session} section="webhooks" title="Webhook" done={done} refusal={refusal}>
      <p class="crumbs">
        <a href="/console/webhooks">Webhooks</a>
      </p>
      <header class="order-head">
        <div>
          <h1 class="url">{webhook.url}</h1>
          <p class="muted">
            {webhook.friendlyName && <>{webhook.friendlyName} · </>}
            <code class="sid">{webhook.sid}</code>
          </p>
        </div>
        <div class="order-status">
          <Status status={webhook.enabled ? 'enabled' : 'disabled'} />
        </div>
      </header>
      {webhook.disabledReason && (
        <Notice tone="warn" title="It was switched off">
          <p>{webhook.disabledReason}</p>
        </Notice>
      )}
      <div class="columns wide-first">
        <section class="card scroll" id="deliveries">
          <h2>Deliveries</h2>
          <StateFilter path={path} state={state} />
          <DeliveriesTable
            deliveries={page.rows}
            empty={
              state === '' ? 'None yet. Send a test event to try the endpoint.' : `None that is ${state}.`
            }
          />
          <Pager path={path} query={{ state }} page={page} />
        </section>
        <div>
          <Actions webhook={webhook} />
          <Settings {...props} />
        </div>
      </div>
    </ConsolePage>
  );
};

const StateFilter: FC<{ path: string; state: string }> = ({ path, state }) => (
  <nav class="tabs" aria-label="Deliveries by state">
    {['', ...deliveryStates].map((one) => (
      <a
        href={one === '' ? path : `${path}?state=${one}`}
        {...(one === state ? { 'aria-current': 'true' } : {})}
      >
        {one === '' ? 'all' : one}
      </a>
    ))}
  </nav>
);

const Actions: FC<{ webhook: SubscriptionRow }> = ({ webhook: { sid, enabled } }) => {
  const path = `/console/webhooks/${sid}`;
  return (
    <section class="card action-list" aria-label="Actions">
      <div class="actions">
        <form method="post" action={`${path}/test`}>
          <button type="submit">Send a test event</button>
        </form>
        <form method="post" action={`${path}/${enabled ? 'disable' : 'enable'}`}>
          <button type="submit" class="quiet">
            {enabled ? 'Switch off' : 'Switch on'}
          </button>
        </form>
      </div>
      <details class="confirm">
        <summary>Replay what was missed</summary>
        <form method="post" action={`${path}/replay`}>
          <p class="small">Everything that failed for good or was held back is sent again, oldest first.</p>
          <Field name="Hours" label="Of the last hours" type="number" value="72" required />
          <button type="submit">Replay</button>
        </form>
      </details>
      <Confirm
        id="rotate"
        label="Rotate the secret"
        text="A new secret signs from now on; the present one signs as well for a day, so that nothing is missed."
        action={`${path}/rotate`}
      />
      <Confirm
        id="remove"
        label="Remove the webhook"
        text="Nothing more is sent to it, and what is on its way is given up."
        action={`${path}/remove`}
      />
    </section>
  );
};

const Settings: FC<WebhookPageProps> = ({ webhook, secret, email }) => (
  <section class="card">
    <h2>Settings</h2>
    <dl class="facts">
      <dt>Events</dt>
      <dd>
        {webhook.events.map((event) => (
          <div>
            <code>{event}</code>
          </div>
        ))}
      </dd>
      <dt>Line</dt>
      <dd>{webhook.phoneNumber === null ? 'All' : formatPhone(webhook.phoneNumber)}</dd>
      <dt>Method</dt>
      <dd>{webhook.method}</dd>
      {webhook.maxPerSecond !== null && (
        <>
          <dt>Deliveries a second at most</dt>
          <dd>{webhook.maxPerSecond}</dd>
        </>
      )}
      {webhook.failingSince && (
        <>
          <dt>Failing since</dt>
          <dd>
            <When at={webhook.failingSince} />
          </dd>
        </>
      )}
      <dt>Told when it is switched off</dt>
      <dd>{email ?? <NobodyTold accountSid={webhook.accountSid} />}</dd>
      <dt>Signing secret</dt>
      <dd>
        <details>
          <summary>Show</summary>
          <code class="secret">{secret}</code>
        </details>
      </dd>
    </dl>
    <p class="small">
      <a href="/docs/webhooks#signature">How to check the signature</a>
    </p>
  </section>
);

const NobodyTold: FC<{ accountSid: string }> = ({ accountSid }) => (
  <>
    Nobody: the account has no e-mail address. Set one with{' '}
    <code class="sid">POST /2010-04-01/Accounts/{accountSid}.json</code> and <code>Email</code>.
  </>
);
