/** The form that orders hosting of a number. */
import type { FC } from 'hono/jsx';
import { Command, curl } from '../components/command.tsx';
import { Field } from '../components/field.tsx';
import { ConsolePage, type Refusal } from './frame.tsx';
import type { Session } from './session.ts';

export interface NewOrderPageProps {
  readonly session: Session;
  readonly publicUrl: string;
  readonly values: Readonly<Record<string, string>>;
  readonly refusal?: Refusal | undefined;
}

/** Parameters the form has, as the API names them. */
export const newOrderFields = [
  'PhoneNumber',
  'FriendlyName',
  'UniqueName',
  'Email',
  'SmsUrl',
  'StatusCallbackUrl',
] as const;

const exampleNumber = '+14158675310';

export const NewOrderPage: FC<NewOrderPageProps> = ({ session, publicUrl, values, refusal }) => (
  <ConsolePage session={session} section="orders" title="New order" refusal={refusal}>
    <h1>New order</h1>
    <p class="lead">
      The number keeps its voice service where it is; only its texts come here. Whether it can be hosted is
      checked at once.
    </p>
    <form class="card" method="post" action="/console/orders">
      <Field
        name="PhoneNumber"
        label="Phone number"
        value={values['PhoneNumber']}
        required
        type="tel"
        autocomplete="off"
        placeholder={exampleNumber}
        hint="A landline or toll-free number that you own, with country code."
      />
      <div class="fields">
        <Field
          name="FriendlyName"
          label="Name"
          value={values['FriendlyName']}
          maxlength={64}
          hint="For your eyes."
        />
        <Field
          name="UniqueName"
          label="Unique name"
          value={values['UniqueName']}
          maxlength={128}
          hint="The order can be fetched by it."
        />
      </div>
      <Field
        name="Email"
        label="Owner’s e-mail address"
        type="email"
        value={values['Email']}
        autocomplete="off"
      />
      <Field
        name="SmsUrl"
        label="URL for incoming texts"
        type="url"
        value={values['SmsUrl']}
        hint="Can be set later, also before the order completes."
      />
      <Field
        name="StatusCallbackUrl"
        label="URL for status changes"
        type="url"
        value={values['StatusCallbackUrl']}
      />
      <button type="submit">Order hosting</button>
    </form>
    <details>
      <summary>The same by the API</summary>
      <Command>
        {curl({
          publicUrl,
          path: '/HostedNumbers/HostedNumberOrders',
          form: { PhoneNumber: values['PhoneNumber'] || exampleNumber, SmsCapability: 'true' },
        })}
      </Command>
    </details>
  </ConsolePage>
);
