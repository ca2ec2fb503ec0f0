/** The form that subscribes an endpoint to events. */
import type { FC } from 'hono/jsx';
import { eventTypes } from '../../domain/events.ts';
import { Command } from '../components/command.tsx';
import { Field } from '../components/field.tsx';
import { subscribeCommand } from '../docs/examples.ts';
import { ConsolePage, type ConsolePageProps } from './frame.tsx';

export interface NewWebhookPageProps extends Pick<ConsolePageProps, 'session' | 'refusal'> {
  readonly publicUrl: string;
  readonly values: Readonly<Record<string, string>>;
  /** Those that are ticked; `null` before the form was sent: all. */
  readonly events: readonly string[] | null;
}

export const NewWebhookPage: FC<NewWebhookPageProps> = ({ session, publicUrl, values, events, refusal }) => (
  <ConsolePage session={session} section="webhooks" title="New webhook" refusal={refusal}>
    <h1>New webhook</h1>
    <form class="card" method="post" action="/console/webhooks">
      <Field
        name="Url"
        label="URL"
        type="url"
        required
        value={values['Url']}
        placeholder="https://example.com/hooks"
        hint="Each event has a path of its own under it, such as /message/receive."
      />
      <fieldset class="checks">
        <legend>Events</legend>
        {eventTypes.map((event) => (
          <label>
            <input
              type="checkbox"
              name="Events"
              value={event}
              checked={events === null || events.includes(event)}
            />
            <code>{event}</code>
          </label>
        ))}
      </fieldset>
      <div class="fields">
        <Field name="FriendlyName" label="Name" value={values['FriendlyName']} maxlength={64} />
        <Field
          name="PhoneNumber"
          label="Only this line"
          type="tel"
          value={values['PhoneNumber']}
          placeholder="+14158675310"
        />
      </div>
      <button type="submit">Create the webhook</button>
    </form>
    <details>
      <summary>The same by the API</summary>
      <Command>{subscribeCommand(publicUrl)}</Command>
    </details>
  </ConsolePage>
);
