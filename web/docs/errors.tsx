/** The error table, as the API uses it. An answer's `more_info` points at a row of it. */
import type { FC } from 'hono/jsx';
import { apiErrors } from '../../domain/errors.ts';
import { Page } from '../layout.tsx';
import { publicNav } from '../site-nav.ts';

interface ErrorRow {
  readonly code: number;
  readonly status: number;
  readonly message: string;
}

const groups: readonly { readonly title: string; readonly from: number; readonly to: number }[] = [
  { title: 'General', from: 20_000, to: 20_999 },
  { title: 'Numbers, addresses and messages', from: 21_000, to: 21_999 },
  { title: 'Hosted number orders and authorization documents', from: 22_000, to: 22_999 },
];

const example = `{
  "code": 22102,
  "message": "PhoneNumber is not a valid phone number in E.164 format",
  "more_info": "https://sms.example.com/docs/errors#22102",
  "status": 400
}`;

export const ErrorsPage: FC = () => (
  <Page title="Errors" nav={publicNav('/docs/errors')} stylesheets={['reference.css']}>
    <h1>Errors</h1>
    <p class="lead">
      Every refused request is answered with a code, a message and a link to its row here. The code stays the
      same; the message may name the field that was wrong.
    </p>
    <pre>
      <code>{example}</code>
    </pre>
    <p>
      429 and 503 carry <code>Retry-After</code> in seconds. A request that was not answered may be sent again
      with the same <code>Idempotency-Key</code>: it has its effect once.
    </p>
    {groups.map((group) => (
      <ErrorTable title={group.title} rows={rowsBetween(group.from, group.to)} />
    ))}
  </Page>
);

const ErrorTable: FC<{ title: string; rows: readonly ErrorRow[] }> = ({ title, rows }) => (
  <section class="card scroll">
    <h2>{title}</h2>
    <table class="errors">
      <thead>
        <tr>
          <th scope="col">Code</th>
          <th scope="col">HTTP</th>
          <th scope="col">Message</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ code, status, message }) => (
          <tr id={String(code)}>
            <th scope="row" class="tabular">
              <a href={`#${code}`}>{code}</a>
            </th>
            <td class="tabular">{status}</td>
            <td>{message}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

function rowsBetween(from: number, to: number): ErrorRow[] {
  return Object.entries(apiErrors)
    .map(([code, { status, message }]) => ({ code: Number(code), status, message }))
    .filter(({ code }) => code >= from && code <= to);
}
