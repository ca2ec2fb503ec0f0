/** What the handsets' page is made of. Lists fetch the page again and take their own part of it. */
import type { FC } from 'hono/jsx';
import { type Behaviour, behaviours } from './handset-behaviour.ts';
import type { ConversationText, HandsetSummary } from './handsets.ts';
import { LocalPage, When } from './pages/layout.tsx';

interface HandsetView {
  readonly number: string;
  readonly behaviour: Behaviour;
  /** Oldest first. */
  readonly texts: readonly ConversationText[];
}

export interface HandsetsPageProps {
  readonly handsets: readonly HandsetSummary[];
  readonly current: HandsetView | null;
}

const pathOf = (number: string): string => `/handsets?number=${encodeURIComponent(number)}`;

export const HandsetsPage: FC<HandsetsPageProps> = ({ handsets, current }) => (
  <LocalPage title="Handsets" place="/handsets">
    <link rel="stylesheet" href="/handsets/handsets.css" />
    <h1>Handsets</h1>
    <p class="lead">The phones at the other end of the carrier: read what came, and answer.</p>
    <div class="handsets">
      <section>
        <HandsetList handsets={handsets} current={current} />
        <NewText open={handsets.length === 0} />
      </section>
      {current && <Handset {...current} />}
    </div>
  </LocalPage>
);

const HandsetList: FC<HandsetsPageProps> = ({ handsets, current }) => (
  <ul
    id="handset-list"
    class="handset-list"
    hx-get={current ? pathOf(current.number) : '/handsets'}
    hx-select="#handset-list"
    hx-trigger="every 2s"
    hx-swap="outerMorph"
  >
    {handsets.length === 0 && <li class="quiet">No text has come or gone yet.</li>}
    {handsets.map(({ number, lastText }) => (
      <li>
        <a href={pathOf(number)} {...(number === current?.number ? { 'aria-current': 'true' } : {})}>
          <span class="number">{number}</span>
          <small>{lastText}</small>
        </a>
      </li>
    ))}
  </ul>
);

/** The first text from a handset that is not in the list. */
const NewText: FC<{ open: boolean }> = ({ open }) => (
  <details open={open}>
    <summary>Text from another handset</summary>
    <form method="post" action="/handsets/texts">
      <label>
        From
        <input name="From" type="tel" required placeholder="+12025550123" />
      </label>
      <label>
        To, a hosted number
        <input name="To" type="tel" required placeholder="+1…" />
      </label>
      <label>
        Text
        <input name="Body" required autocomplete="off" />
      </label>
      <button type="submit">Send</button>
    </form>
  </details>
);

const Handset: FC<HandsetView> = ({ number, texts, behaviour }) => (
  <article class="handset">
    <header>
      <h2 class="number">{number}</h2>
      <form method="post" action={`/handsets/${encodeURIComponent(number)}`} role="group">
        <select name="Behaviour" aria-label="How this handset behaves">
          {behaviours.map((name) => (
            <option value={name} selected={name === behaviour}>
              {name}
            </option>
          ))}
        </select>
        <button type="submit" class="secondary">
          Set
        </button>
      </form>
    </header>
    <Texts number={number} texts={texts} />
    <form method="post" action="/handsets/texts">
      <input type="hidden" name="From" value={number} />
      <label>
        To
        <input name="To" type="tel" required value={texts.at(-1)?.other ?? ''} placeholder="+1…" />
      </label>
      <fieldset role="group">
        <input name="Body" aria-label="Text" required autocomplete="off" autofocus />
        <button type="submit">Send</button>
      </fieldset>
    </form>
  </article>
);

/** Latest first in the document: the style turns it round, and the latest stays in view. */
const Texts: FC<Pick<HandsetView, 'number' | 'texts'>> = ({ number, texts }) => (
  <ol
    id="texts"
    class="texts"
    aria-live="polite"
    hx-get={pathOf(number)}
    hx-select="#texts"
    hx-trigger="every 1s"
    hx-swap="outerMorph"
  >
    {texts.length === 0 && <li>Nothing yet.</li>}
    {[...texts].reverse().map((text) => (
      <Text {...text} />
    ))}
  </ol>
);

const Text: FC<ConversationText> = ({ sid, direction, other, body, mediaUrls, at, trouble }) => (
  <li id={sid} class={direction}>
    {body}
    {mediaUrls.map((url) => (
      <a href={url} rel="noreferrer">
        {` ${url}`}
      </a>
    ))}
    <small>
      {direction === 'received' ? `from ${other}` : `to ${other}`} · <When at={at} />
      {trouble !== null && ` · not taken: ${trouble}`}
    </small>
  </li>
);
