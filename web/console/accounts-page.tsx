/** Every account, and the form that takes over a number which is hosted already. */
import type { FC } from 'hono/jsx';
import type { AccountOverview } from '../../db/reads/console.ts';
import type { PageOf } from '../../db/reads/page.ts';
import { Empty } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { Pager } from '../components/pager.tsx';
import { When } from '../components/when.tsx';
import { ConsolePage, type ConsolePageProps } from './frame.tsx';

export interface AccountsPageProps extends Pick<ConsolePageProps, 'session' | 'refusal'> {
  readonly page: PageOf<AccountOverview>;
}

export const AccountsPage: FC<AccountsPageProps> = ({ session, page, refusal }) => (
  <ConsolePage session={session} section="accounts" title="Accounts" refusal={refusal}>
    <h1>Accounts</h1>
    <section class="card scroll">
      {page.rows.length === 0 ? (
        <Empty title="There are no accounts yet" />
      ) : (
        <AccountsTable accounts={page.rows} />
      )}
    </section>
    <Pager path="/console/accounts" query={{}} page={page} />
    <details class="card" open={refusal !== undefined}>
      <summary>Take over a number that is hosted already</summary>
      <form method="post" action="/console/accounts/numbers">
        <p class="small muted">
          It becomes a completed order of the account. The registry is not asked and nobody is called: you
          vouch for it.
        </p>
        <div class="fields">
          <Field name="AccountSid" label="AccountSid" required placeholder="AC…" autocomplete="off" />
          <Field name="PhoneNumber" label="Phone number" type="tel" required placeholder="+14158675310" />
          <Field name="FriendlyName" label="Name" maxlength={64} />
        </div>
        <button type="submit">Take the number over</button>
      </form>
    </details>
  </ConsolePage>
);

const AccountsTable: FC<{ accounts: readonly AccountOverview[] }> = ({ accounts }) => (
  <table class="cards">
    <thead>
      <tr>
        <th scope="col">Account</th>
        <th scope="col">Status</th>
        <th scope="col">Orders</th>
        <th scope="col">E-mail</th>
        <th scope="col">Created</th>
      </tr>
    </thead>
    <tbody>
      {accounts.map((account) => (
        <tr>
          <th scope="row">
            {account.friendlyName}
            <br />
            <code class="sid">{account.sid}</code>
          </th>
          <td class="state">{account.status}</td>
          <td class="tabular" data-label="Orders">
            {account.orderCount}
          </td>
          <td data-label="E-mail">{account.email ?? '–'}</td>
          <td>
            <When at={account.dateCreated} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
