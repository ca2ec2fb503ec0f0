/** The list of webhooks. */
import type { FC } from 'hono/jsx';
import type { PageOf } from '../../db/reads/page.ts';
import type { SubscriptionRow } from '../../db/reads/subscriptions.ts';
import { eventTypes } from '../../domain/events.ts';
import { Empty } from '../components/empty.tsx';
import { Pager } from '../components/pager.tsx';
import { formatPhone } from '../components/phone.ts';
import { Status } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { subscribeCommand } from '../docs/examples.ts';
import { ConsolePage, type ConsolePageProps } from './frame.tsx';

export interface WebhooksPageProps extends Pick<ConsolePageProps, 'session' | 'done'> {
  readonly publicUrl: string;
  readonly page: PageOf<SubscriptionRow>;
}

export const WebhooksPage: FC<WebhooksPageProps> = ({ session, publicUrl, page, done }) => (
  <ConsolePage session={session} section="webhooks" title="Webhooks" done={done}>
    <div class="page-head">
      <h1>Webhooks</h1>
      <a role="button" href="/console/webhooks/new">
        New webhook
      </a>
    </div>
    <section class="card scroll">
      {page.rows.length === 0 ? (
        <Empty title="Nobody listens yet" command={subscribeCommand(publicUrl)}>
          <p>
            A webhook is told of every text and opt-out on your numbers, signed, for up to 72 hours until it
            takes them: <a href="/console/webhooks/new">with the form</a>, or by the API.
          </p>
        </Empty>
      ) : (
        <WebhooksTable webhooks={page.rows} />
      )}
    </section>
    <Pager path="/console/webhooks" query={{}} page={page} />
  </ConsolePage>
);

const WebhooksTable: FC<{ webhooks: readonly SubscriptionRow[] }> = ({ webhooks }) => (
  <table class="cards">
    <thead>
      <tr>
        <th scope="col">URL</th>
        <th scope="col">State</th>
        <th scope="col">Events</th>
        <th scope="col">Line</th>
        <th scope="col">Failing since</th>
      </tr>
    </thead>
    <tbody>
      {webhooks.map((webhook) => (
        <tr>
          <th scope="row" class="url">
            <a href={`/console/webhooks/${webhook.sid}`}>{webhook.url}</a>
            {webhook.friendlyName && <div class="small muted">{webhook.friendlyName}</div>}
          </th>
          <td class="state">
            <Status status={webhook.enabled ? 'enabled' : 'disabled'} />
          </td>
          <td data-label="Events">
            {webhook.events.length === eventTypes.length ? 'all' : webhook.events.join(', ')}
          </td>
          <td class="number" data-label="Line">
            {webhook.phoneNumber === null ? 'all' : formatPhone(webhook.phoneNumber)}
          </td>
          <td data-label="Failing since">
            <When at={webhook.failingSince} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
