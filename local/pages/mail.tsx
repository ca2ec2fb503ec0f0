/** The mailbox: a list, and a mail with its text, its links and the letter it carries. */
import type { FC } from 'hono/jsx';
import type { StoredMail } from '../mailbox.ts';
import { LocalPage, When } from './layout.tsx';

/** Of this origin, so that its height can be seen from outside; nothing in it runs. */
export const mailSandbox = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

export const MailListPage: FC<{ mails: readonly StoredMail[] }> = ({ mails }) => (
  <LocalPage title="Mail" place="/mail">
    <h1>Mail</h1>
    <p class="lead">
      Every mail that the service sends ends here, whoever it is for. Mail to <code>@refused.example</code> is
      refused for good (550), mail to <code>@busy.example</code> for now (451).
    </p>
    <div id="mails" hx-get="/mail" hx-select="#mails" hx-trigger="every 2s" hx-swap="outerMorph">
      {mails.length === 0 ? <article class="card quiet">No mail yet.</article> : <MailTable mails={mails} />}
    </div>
  </LocalPage>
);

const MailTable: FC<{ mails: readonly StoredMail[] }> = ({ mails }) => (
  <div class="scroll">
    <table class="mails">
      <thead>
        <tr>
          {['Time', 'To', 'Subject', ''].map((title) => (
            <th>{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {mails.map((mail) => (
          <tr>
            <td>
              <When at={mail.receivedAt} />
            </td>
            <td>{mail.to.join(', ')}</td>
            <td>
              <a href={`/mail/${mail.id}`}>{mail.subject || '(no subject)'}</a>
            </td>
            <td class="quiet">{mail.attachments.map(({ filename }) => filename).join(', ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

export const MailPage: FC<{ mail: StoredMail }> = ({ mail }) => (
  <LocalPage title={mail.subject} place="/mail">
    <h1>{mail.subject || '(no subject)'}</h1>
    <dl class="head">
      <dt>From</dt>
      <dd>{mail.from}</dd>
      <dt>To</dt>
      <dd>{mail.to.join(', ')}</dd>
      {mail.cc.length > 0 && <dt>Copies</dt>}
      {mail.cc.length > 0 && <dd>{mail.cc.join(', ')}</dd>}
      <dt>Received</dt>
      <dd>
        <When at={mail.receivedAt} />
      </dd>
    </dl>
    {mail.hasHtml && (
      <iframe class="mail" src={`/mail/${mail.id}/html`} title="The mail" sandbox={mailSandbox} />
    )}
    {mail.links.length > 0 && (
      <>
        <h2>Links</h2>
        <ul>
          {mail.links.map((link) => (
            <li>
              <a href={link} target="_blank" rel="noreferrer">
                {link}
              </a>
            </li>
          ))}
        </ul>
      </>
    )}
    {mail.attachments.length > 0 && <Attachments mail={mail} />}
    {mail.text !== '' && (
      <details open={!mail.hasHtml}>
        <summary>As plain text</summary>
        <pre class="letter">{mail.text}</pre>
      </details>
    )}
  </LocalPage>
);

const Attachments: FC<{ mail: StoredMail }> = ({ mail }) => (
  <>
    <h2>Attachments</h2>
    <ul>
      {mail.attachments.map(({ filename, url, size, sha256 }) => (
        <li>
          <a href={url} target="_blank">
            {filename}
          </a>{' '}
          <span class="quiet">{Math.ceil(size / 1024)} kB</span> <a href={`${url}?download`}>Download</a>
          <br />
          <small class="quiet">
            SHA-256 <code>{sha256}</code>
          </small>
        </li>
      ))}
    </ul>
  </>
);
