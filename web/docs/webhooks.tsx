/** What is pushed to a customer's endpoint, how it is signed, and what happens when it is not taken. */
import type { FC } from 'hono/jsx';
import type { Config } from '../../config.ts';
import { callbackHeaders, eventHeaders, type DeliveryHeader } from '../../domain/delivery-headers.ts';
import { Page } from '../layout.tsx';
import { publicNav } from '../site-nav.ts';
import {
  exampleMessage,
  exampleOptOut,
  exampleRequest,
  nodeRecipe,
  pythonRecipe,
  subscribeCommand,
  twilioRecipe,
} from './examples.ts';
import { formatDuration } from '../components/when.tsx';

const events = [
  ['message/receive', 'A text arrived on a hosted number', 'message'],
  ['message/send', 'A text is sent from a hosted number', 'message'],
  ['message/progress', 'An outgoing text changed its status; statusCode carries the new one', 'message'],
  ['message/read', 'An incoming text was marked as read', 'message'],
  ['message/delete', 'A text was removed', 'message'],
  ['optout/change', 'A text held a keyword such as STOP or UNSTOP', 'opt-out'],
] as const;

const statusCodes = [
  [0, 'Sent; the carrier gives no acknowledgment', 'success', true],
  [1, 'In process', 'transient', false],
  [2, 'Queued', 'transient', false],
  [4, 'Delivered to the carrier', 'success', true],
  [5, 'Not delivered to the carrier', 'failure', true],
  [6, 'Delivered to the handset (toll-free numbers only)', 'success', true],
  [7, 'Not delivered to the handset (toll-free numbers only)', 'failure', true],
] as const;

export const WebhooksPage: FC<{ config: Config }> = ({ config }) => (
  <Page title="Webhooks" nav={publicNav('/docs/webhooks')} stylesheets={['reference.css']}>
    <h1>Webhooks</h1>
    <p class="lead">
      Events are POSTed to your endpoint as they happen, signed, and kept for up to{' '}
      {hours(config.deliveries.retry.window)} until you take them.
    </p>
    <Subscribing publicUrl={config.env.publicUrl} />
    <Payloads config={config} />
    <Verifying />
    <Rules config={config} />
    <Callbacks />
  </Page>
);

/** The window of the retries is known as 72 hours, not as 3 days. */
const hours = (milliseconds: number): string => `${milliseconds / 3_600_000} hours`;

const Code: FC<{ children: string }> = ({ children }) => (
  <pre>
    <code>{children}</code>
  </pre>
);

const Subscribing: FC<{ publicUrl: string }> = ({ publicUrl }) => (
  <section class="card" id="subscribe">
    <h2>Subscribe</h2>
    <p>
      The answer holds the <code>secret</code> that deliveries are signed with. Every event type has a path of
      its own under your URL.
    </p>
    <Code>{subscribeCommand(publicUrl)}</Code>
    <div class="scroll">
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Fires when</th>
            <th scope="col">Payload</th>
            <th scope="col">Goes to</th>
          </tr>
        </thead>
        <tbody>
          {events.map(([event, meaning, payload]) => (
            <tr>
              <th scope="row">
                <code>{event}</code>
              </th>
              <td>{meaning}</td>
              <td data-label="Payload">{payload}</td>
              <td>
                <code>{`{Url}/${event}`}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
);

const Payloads: FC<{ config: Config }> = ({ config }) => (
  <section class="card" id="payloads">
    <h2>Payloads</h2>
    <p>
      A message event carries the message as it stands after the event. A body over{' '}
      {config.messages.bodyLimitBytes} bytes is cut; <code>hasAttachment</code> is then true and the whole
      text is the .txt attachment of the message, which replaces <code>body</code>. Once a message was
      redacted or removed, its webhooks go out with an empty <code>body</code>, replays included.
    </p>
    <Code>{exampleMessage(config.messages)}</Code>
    <h3>Status codes</h3>
    <div class="scroll">
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">statusCode</th>
            <th scope="col">Meaning</th>
            <th scope="col">State</th>
            <th scope="col">Final</th>
          </tr>
        </thead>
        <tbody>
          {statusCodes.map(([code, meaning, state, final]) => (
            <tr>
              <th scope="row">{code}</th>
              <td>{meaning}</td>
              <td>{state}</td>
              <td>{final ? 'yes' : 'no'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <h3>Opt-out</h3>
    <Code>{exampleOptOut()}</Code>
  </section>
);

const Headers: FC<{ headers: Readonly<Record<string, DeliveryHeader>> }> = ({ headers }) => (
  <div class="scroll">
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Header</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(headers).map(([name, { meaning }]) => (
          <tr>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Verifying: FC = () => (
  <section class="card" id="signature">
    <h2>Check the signature</h2>
    <p>
      Deliveries follow <strong>Standard Webhooks</strong>. The signature is HMAC-SHA256 over{' '}
      <code>{'{webhook-id}.{webhook-timestamp}.{body}'}</code>, keyed with the bytes behind{' '}
      <code>whsec_</code>. While a secret is being rotated the header holds two signatures, separated by a
      space.
    </p>
    <Code>{exampleRequest()}</Code>
    <ol>
      <li>Take the raw body, before any parsing.</li>
      <li>
        Compare with each <code>v1,…</code> value in constant time; one match is enough.
      </li>
      <li>Refuse a timestamp that is more than five minutes off.</li>
      <li>
        Remember the <code>webhook-id</code>: a delivery may arrive twice, always with the same id.
      </li>
    </ol>
    <h3>Headers</h3>
    <p>Beside your own, set with the subscription, every event carries:</p>
    <Headers headers={eventHeaders} />
    <h3>Node</h3>
    <Code>{nodeRecipe}</Code>
    <h3>Python</h3>
    <Code>{pythonRecipe}</Code>
  </section>
);

const Rules: FC<{ config: Config }> = ({ config: { deliveries, env } }) => (
  <section class="card" id="delivery">
    <h2>Delivery</h2>
    <ul>
      <li>
        Answer with a status of the 200 range within {formatDuration(deliveries.timeout)}. Anything else is a
        failure; redirects are not followed.
      </li>
      <li>
        A failed delivery is tried again after {formatDuration(deliveries.retry.initialInterval)}, then after
        ever longer waits of at most {formatDuration(deliveries.retry.maximumInterval)}, until{' '}
        {hours(deliveries.retry.window)} have passed. <code>Retry-After</code> is honoured.
      </li>
      <li>Events of one message arrive in their order. 410 switches the subscription off at once.</li>
      <li>
        An endpoint that only fails for {formatDuration(deliveries.disableAfter)} is switched off and the
        account is told by mail, if it has given an address (<code>Email</code> of the account). What was
        missed can be replayed.
      </li>
      <li>
        Deliveries come from {deliveries.sources.join(', ')} (
        <a href={`${env.publicUrl}/webhook-sources`}>as JSON</a>).
      </li>
    </ul>
  </section>
);

const Callbacks: FC = () => (
  <section class="card" id="callbacks">
    <h2>Callbacks in Twilio’s form</h2>
    <p>
      The <code>StatusCallbackUrl</code> of an order, the <code>StatusCallback</code> of a message and the{' '}
      <code>SmsUrl</code> of a number are called with a form and signed with your AuthToken in{' '}
      <code>X-Twilio-Signature</code>; the official clients check it. Status callbacks are delivered in order
      and tried again like webhooks; those of an order carry a <code>Sequence</code> and a{' '}
      <code>Timestamp</code>.
    </p>
    <Headers headers={callbackHeaders} />
    <Code>{twilioRecipe}</Code>
  </section>
);
