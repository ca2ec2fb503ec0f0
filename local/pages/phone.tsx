/** The phone: it rings, is answered, shows what the caller says, and takes keys. */
import type { FC } from 'hono/jsx';
import { durationOf, isLive, type CallRecord, type CallState } from '../call-record.ts';
import { behaviours } from '../call.ts';
import type { PhoneNetwork } from '../phone-network.ts';
import { LocalPage, When } from './layout.tsx';

const shownCalls = 15;
const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

export const PhonePage: FC<{ network: PhoneNetwork }> = ({ network }) => (
  <LocalPage title="Phone" place="/phone">
    <h1>Phone</h1>
    <p class="lead">
      Every telephone number rings here. Answer, listen, and key the digits with the keypad or your keyboard.
      This page renews itself.
    </p>
    <LivePart network={network} />
    <Behaviours network={network} />
  </LocalPage>
);

/** Asks once a second for its successor; the server answers only when something has changed. */
export const LivePart: FC<{ network: PhoneNetwork }> = ({ network }) => {
  const calls = network.calls();
  const live = calls.filter(isLive);
  const over = calls.filter((call) => !isLive(call)).slice(0, shownCalls);
  return (
    <section
      id="live"
      hx-get={`/phone/live?version=${network.version()}`}
      hx-trigger="every 700ms"
      hx-swap="outerMorph"
      aria-live="polite"
    >
      {live.length === 0 && (
        <article class="card quiet">No phone rings. A call appears here by itself.</article>
      )}
      {live.map((call) => (
        <LiveCall call={call} />
      ))}
      {over.length > 0 && <History calls={over} />}
    </section>
  );
};

const LiveCall: FC<{ call: CallRecord }> = ({ call }) => (
  <article class={call.state === 'ringing' ? 'card ringing' : 'card'} id={call.sid}>
    <div class="call">
      <div>
        <h3 class="number">{call.to}</h3>
        <p>
          <State state={call.state} /> call from <span class="number">{call.from}</span>
        </p>
        <Transcript call={call} />
      </div>
      <div>
        {call.state === 'in-progress' && <Keypad sid={call.sid} />}
        <div class="actions">
          {call.state === 'ringing' && <Action sid={call.sid} path="answer" label="Answer" look="answer" />}
          {call.state === 'ringing' && <Action sid={call.sid} path="reject" label="Decline" look="hang-up" />}
          {call.state === 'in-progress' && (
            <Action sid={call.sid} path="hangup" label="Hang up" look="hang-up" />
          )}
        </div>
      </div>
    </div>
  </article>
);

const swap = { 'hx-target': '#live', 'hx-swap': 'outerMorph' };

const Action: FC<{ sid: string; path: string; label: string; look: string }> = ({
  sid,
  path,
  label,
  look,
}) => (
  <form method="post" action={`/calls/${sid}/${path}`} hx-post={`/calls/${sid}/${path}`} {...swap}>
    <button type="submit" class={look}>
      {label}
    </button>
  </form>
);

const Keypad: FC<{ sid: string }> = ({ sid }) => (
  <form
    class="keypad"
    method="post"
    action={`/calls/${sid}/digits`}
    hx-post={`/calls/${sid}/digits`}
    {...swap}
  >
    {keys.map((key) => (
      <button type="submit" class="key" name="Digits" value={key}>
        {key}
      </button>
    ))}
  </form>
);

const Transcript: FC<{ call: CallRecord }> = ({ call }) => (
  <ul class="heard">
    {call.heard.map(({ at, who, text }) => (
      <li class={who}>
        <When at={at} /> {who === 'callee' ? `you key ${text}` : who === 'caller' ? `“${text}”` : text}
      </li>
    ))}
  </ul>
);

const History: FC<{ calls: readonly CallRecord[] }> = ({ calls }) => (
  <>
    <h2>Calls before</h2>
    {calls.map((call) => (
      <details>
        <summary>
          <When at={call.createdAt} /> <span class="number">{call.to}</span> <State state={call.state} />{' '}
          {call.answeredAt !== null && <span class="quiet">{durationOf(call)} s</span>}
        </summary>
        <Transcript call={call} />
      </details>
    ))}
  </>
);

const State: FC<{ state: CallState }> = ({ state }) => {
  const live = state === 'ringing' || state === 'in-progress' || state === 'completed';
  return <span class={`state ${live ? 'good' : 'bad'}`}>{state}</span>;
};

const Behaviours: FC<{ network: PhoneNetwork }> = ({ network }) => (
  <>
    <h2>Numbers that behave by themselves</h2>
    <p class="quiet">
      A number rings until somebody answers, unless it is told otherwise. <code>answer</code> picks up and
      stays silent, <code>busy</code> and <code>no-answer</code> end the call after a second,{' '}
      <code>failed</code> cannot be reached. By script: <code>POST /phone/numbers/{'{number}'}</code>, form{' '}
      <code>Behaviour</code>.
    </p>
    <form class="row" method="post" action="/phone/numbers">
      <input name="Number" placeholder="+14155550123" aria-label="Phone number" required />
      <select name="Behaviour" aria-label="Behaviour">
        {behaviours.map((name) => (
          <option value={name}>{name}</option>
        ))}
      </select>
      <button type="submit">Set</button>
    </form>
    <ul>
      {Object.entries(network.behaviours()).map(([number, behaviour]) => (
        <li>
          <span class="number">{number}</span> {behaviour}
        </li>
      ))}
    </ul>
  </>
);
