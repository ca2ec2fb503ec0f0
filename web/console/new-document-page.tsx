/** The form that makes a letter and mails it. */
import type { FC } from 'hono/jsx';
import type { AddressRow } from '../../db/reads/addresses.ts';
import type { FoundOrder } from '../../db/reads/console.ts';
import { decideOrder } from '../../domain/hosted-number-order.ts';
import { factsOf } from '../../domain/order-facts.ts';
import { Command, curl } from '../components/command.tsx';
import { Field } from '../components/field.tsx';
import { formatPhone } from '../components/phone.ts';
import { Status } from '../components/status.tsx';
import { ConsolePage, type ConsolePageProps } from './frame.tsx';

/** Fields sent as they are; orders and copies are lists. */
export const newDocumentFields = ['Email', 'AddressSid', 'ContactTitle', 'ContactPhoneNumber'] as const;

export interface NewDocumentPageProps extends Pick<ConsolePageProps, 'session' | 'refusal'> {
  readonly publicUrl: string;
  readonly orders: readonly FoundOrder[];
  readonly addresses: readonly AddressRow[];
  /** Sids of the orders that are ticked. */
  readonly chosen: readonly string[];
  readonly values: Readonly<Record<string, string>>;
}

export const NewDocumentPage: FC<NewDocumentPageProps> = (props) => {
  const { session, refusal, values, publicUrl, chosen } = props;
  const form = { HostedNumberOrderSids: chosen[0] ?? 'HR…', Email: values['Email'] || 'owner@example.com' };
  return (
    <ConsolePage session={session} section="documents" title="New letter" refusal={refusal}>
      <h1>New letter of authorization</h1>
      <p class="lead">
        It is mailed at once. Whatever you leave out here, the signer is asked for on the signing page.
      </p>
      <form class="card" method="post" action="/console/documents">
        <OrderChoice {...props} />
        <Field
          name="Email"
          label="Signer’s e-mail address"
          type="email"
          required
          value={values['Email']}
          autocomplete="off"
        />
        <Field
          name="CcEmails"
          label="Copies to"
          value={values['CcEmails']}
          hint="Addresses, separated by commas."
        />
        <AddressChoice {...props} />
        <div class="fields">
          <Field name="ContactTitle" label="Signer’s title" value={values['ContactTitle']} />
          <Field
            name="ContactPhoneNumber"
            label="Signer’s phone number"
            type="tel"
            value={values['ContactPhoneNumber']}
          />
        </div>
        <button type="submit">Mail the letter</button>
      </form>
      <details>
        <summary>The same by the API</summary>
        <Command>{curl({ publicUrl, path: '/HostedNumbers/AuthorizationDocuments', form })}</Command>
      </details>
    </ConsolePage>
  );
};

const OrderChoice: FC<NewDocumentPageProps> = ({ orders, chosen }) => {
  const ready = orders.filter((order) => chosen.includes(order.sid) || awaitsLetter(order));
  return (
    <fieldset>
      <legend>Numbers</legend>
      {ready.length === 0 && (
        <p class="muted">
          No order waits for a letter. <a href="/console/orders/new">Order a number first.</a>
        </p>
      )}
      {ready.map((order) => (
        <label>
          <input
            type="checkbox"
            name="HostedNumberOrderSids"
            value={order.sid}
            checked={chosen.includes(order.sid)}
          />
          <span class="number">{formatPhone(order.phoneNumber)}</span> <Status status={order.status} />{' '}
          <span class="muted">{order.friendlyName}</span>
        </label>
      ))}
    </fieldset>
  );
};

const AddressChoice: FC<NewDocumentPageProps> = ({ addresses, values }) =>
  addresses.length === 0 ? null : (
    <div>
      <label for="AddressSid">
        Service address <span class="optional">(optional)</span>
      </label>
      <select id="AddressSid" name="AddressSid">
        <option value="">As the order says, or as the signer tells</option>
        {addresses.map((address) => (
          <option value={address.sid} selected={values['AddressSid'] === address.sid}>
            {`${address.customerName}, ${address.street}, ${address.city}`}
          </option>
        ))}
      </select>
    </div>
  );

function awaitsLetter(order: FoundOrder): boolean {
  return decideOrder(factsOf(order), 'document-created').allowed;
}
