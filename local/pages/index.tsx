/** The start page: what stands in for the outside world, and where. */
import type { FC } from 'hono/jsx';
import { LocalPage } from './layout.tsx';

export interface IndexProps {
  readonly liveCalls: number;
  readonly mails: number;
  readonly publicUrl: string;
  readonly smtpPort: number;
  readonly smppPort: number;
}

export const IndexPage: FC<IndexProps> = ({ liveCalls, mails, publicUrl, smtpPort, smppPort }) => (
  <LocalPage title="Outside world">
    <h1>The outside world, on this machine</h1>
    <p class="lead">
      What the service meets in production stands in here, each part over its real protocol. The service
      itself is at <a href={`${publicUrl}/console`}>{publicUrl}</a>.
    </p>
    <div class="cards">
      <Card href="/phone" name="Phone" text={liveCalls === 0 ? 'no phone rings' : `${liveCalls} live`} />
      <Card href="/mail" name="Mail" text={`${mails} received`} />
      <Card href="/handsets" name="Handsets" text="texts, sent and received" />
      <Card href="/registry" name="Registry" text="who routes whose texts" />
    </div>
    <h2>For scripts</h2>
    <div class="scroll">
      <table class="facts">
        <tbody>
          {calls.map(([call, meaning]) => (
            <tr>
              <td>
                <code>{call}</code>
              </td>
              <td>{meaning}</td>
            </tr>
          ))}
          <tr>
            <td>
              <code>smtp://127.0.0.1:{smtpPort}</code>
            </td>
            <td>mail</td>
          </tr>
          <tr>
            <td>
              <code>127.0.0.1:{smppPort}</code>
            </td>
            <td>SMPP 3.4</td>
          </tr>
        </tbody>
      </table>
    </div>
  </LocalPage>
);

const Card: FC<{ href: string; name: string; text: string }> = ({ href, name, text }) => (
  <a class="card" href={href}>
    <strong>{name}</strong>
    <span class="quiet">{text}</span>
  </a>
);

const calls = [
  ['GET /calls', 'ringing and live calls; ?state=all for those before'],
  ['POST /calls/{sid}/answer', 'also digits (form Digits), hangup, reject'],
  ['POST /phone/numbers/{number}', 'form Behaviour: what a number does by itself'],
  ['POST /messages', 'a text from the network: form From, To, Body'],
  ['GET /messages?to=', 'what handsets received'],
  ['GET /mail, GET /mail/{id}', 'mails with their links and attachments'],
  ['GET, POST /registry/numbers/{number}', 'form Holder, LineType, Behaviour'],
] as const;
