/** Texts in and out, newest first, and a form to send one. */
import type { FC } from 'hono/jsx';
import type { MessageRow } from '../../db/reads/messages.ts';
import type { PageOf } from '../../db/reads/page.ts';
import { curl } from '../components/command.tsx';
import { Empty } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { Pager } from '../components/pager.tsx';
import { formatPhone } from '../components/phone.ts';
import { Status } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { ConsolePage, type ConsolePageProps } from './frame.tsx';
import { userOf } from './session.ts';

export interface MessagesPageProps extends Pick<ConsolePageProps, 'session' | 'done' | 'refusal'> {
  readonly publicUrl: string;
  readonly page: PageOf<MessageRow>;
  /** Numbers in service, E.164: what can be sent from. */
  readonly lines: readonly string[];
  readonly values: Readonly<Record<string, string>>;
}

export const MessagesPage: FC<MessagesPageProps> = (props) => {
  const { session, page, done, refusal } = props;
  return (
    <ConsolePage session={session} section="messages" title="Messages" done={done} refusal={refusal}>
      <h1>Messages</h1>
      <SendForm {...props} />
      <section class="card scroll">
        {page.rows.length === 0 ? <NoMessages {...props} /> : <MessagesTable messages={page.rows} />}
      </section>
      <Pager path="/console/messages" query={{}} page={page} />
    </ConsolePage>
  );
};

const SendForm: FC<MessagesPageProps> = ({ lines, values, refusal }) =>
  lines.length === 0 ? null : (
    <details class="card" open={refusal !== undefined}>
      <summary>Send a text</summary>
      <form method="post" action="/console/messages">
        <div class="fields">
          <div>
            <label for="From">From</label>
            <select id="From" name="From" required>
              {lines.map((line) => (
                <option value={line} selected={values['From'] === line}>
                  {formatPhone(line)}
                </option>
              ))}
            </select>
          </div>
          <Field name="To" label="To" type="tel" required value={values['To']} placeholder="+12025550143" />
        </div>
        <label for="Body">Text</label>
        <textarea id="Body" name="Body" rows={3} required maxlength={1600}>
          {values['Body'] ?? ''}
        </textarea>
        <button type="submit">Send</button>
      </form>
    </details>
  );

const NoMessages: FC<MessagesPageProps> = ({ publicUrl, lines, session }) => {
  const path = `/2010-04-01/Accounts/${userOf(session)}/Messages.json`;
  const form = { From: lines[0] ?? '+14158675310', To: '+12025550143', Body: 'Hello' };
  return (
    <Empty title="There are no messages yet" command={curl({ publicUrl, path, form })}>
      <p>
        {lines.length === 0
          ? 'Texts can be sent and received once an order is completed.'
          : 'Send one with the form above, or by the API.'}
      </p>
    </Empty>
  );
};

const MessagesTable: FC<{ messages: readonly MessageRow[] }> = ({ messages }) => (
  <table class="cards">
    <thead>
      <tr>
        <th scope="col">Other party</th>
        <th scope="col">Line</th>
        <th scope="col">Text</th>
        <th scope="col">Status</th>
        <th scope="col">When</th>
      </tr>
    </thead>
    <tbody>
      {messages.map((message) => (
        <tr>
          <th scope="row" class="number">
            <span class="direction">{message.direction === 'inbound' ? 'from' : 'to'}</span>{' '}
            {formatPhone(message.contact)}
          </th>
          <td class="number" data-label="Line">
            {formatPhone(message.line)}
          </td>
          <td class="message-body">{message.body || <span class="muted">(no text)</span>}</td>
          <td class="state">
            <Status status={message.status} />
            {message.errorCode !== null && <div class="small">Error {message.errorCode}</div>}
          </td>
          <td class="when">
            <When at={message.dateCreated} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
