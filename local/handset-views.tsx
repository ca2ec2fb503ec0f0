/** What the handsets' pages are made of. */
import type { FC, PropsWithChildren } from 'hono/jsx';
import { type Behaviour, behaviours } from './handset-behaviour.ts';
import type { ConversationText, HandsetSummary } from './handsets.ts';

interface ListProps {
  readonly handsets: readonly HandsetSummary[];
  readonly current: string | null;
}

const style = `
  .columns { display: grid; grid-template-columns: minmax(13rem, 1fr) 2fr; gap: 2rem; align-items: start; }
  @media (max-width: 48rem) { .columns { grid-template-columns: 1fr; } }
  .handsets { list-style: none; padding: 0; }
  .handsets li { list-style: none; margin: 0; }
  .handsets a { display: block; padding: .5rem .75rem; border-radius: var(--pico-border-radius); text-decoration: none; }
  .handsets a[aria-current] { background: var(--pico-primary-focus); }
  .handsets small { display: block; color: var(--pico-muted-color); overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
  .texts { display: flex; flex-direction: column; gap: .5rem; padding: 0; margin: 0 0 1.5rem; max-height: 55vh; overflow-y: auto; }
  .texts li { list-style: none; max-width: 80%; padding: .5rem .9rem; border-radius: 1rem; background: var(--pico-card-sectioning-background-color); overflow-wrap: anywhere; white-space: pre-wrap; align-self: flex-start; }
  .texts li.sent { align-self: flex-end; background: var(--pico-primary-focus); }
  .texts small { display: block; color: var(--pico-muted-color); }
`;

export const HandsetsPage: FC<PropsWithChildren<ListProps>> = ({ handsets, current, children }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>Handsets</title>
      <link rel="stylesheet" href="/handsets/assets/pico.css" />
      <script src="/handsets/assets/htmx.js" defer />
      <style>{style}</style>
    </head>
    <body>
      <main class="container">
        <hgroup>
          <h1>Handsets</h1>
          <p>Phones at the other end of the local carrier: read what came, and answer.</p>
        </hgroup>
        <div class="columns">
          <section>
            <HandsetList handsets={handsets} current={current} />
            <NewText />
          </section>
          {children}
        </div>
      </main>
    </body>
  </html>
);

export const HandsetList: FC<ListProps> = ({ handsets, current }) => (
  <ul
    class="handsets"
    hx-get={`/handsets/list?number=${encodeURIComponent(current ?? '')}`}
    hx-trigger="every 2s"
    hx-swap="outerMorph"
  >
    {handsets.length === 0 && <li>No text has come or gone yet.</li>}
    {handsets.map(({ number, lastText }) => (
      <li>
        <a
          href={`/handsets?number=${encodeURIComponent(number)}`}
          {...(number === current ? { 'aria-current': 'true' } : {})}
        >
          {number}
          <small>{lastText}</small>
        </a>
      </li>
    ))}
  </ul>
);

/** The first text from a handset that is not in the list. */
const NewText: FC = () => (
  <details>
    <summary>Text from another handset</summary>
    <form method="post" action="/handsets/texts">
      <label>
        From
        <input name="From" type="tel" required placeholder="+15005550123" />
      </label>
      <label>
        To, a hosted number
        <input name="To" type="tel" required placeholder="+1…" />
      </label>
      <label>
        Text
        <input name="Body" required />
      </label>
      <button type="submit">Send</button>
    </form>
  </details>
);

interface TextsProps {
  readonly number: string;
  readonly texts: readonly ConversationText[];
}

export const Handset: FC<TextsProps & { readonly behaviour: Behaviour }> = ({ number, texts, behaviour }) => (
  <article>
    <header>
      <h2>{number}</h2>
      <form method="post" action={`/handsets/${encodeURIComponent(number)}`} role="group">
        <select name="Behaviour" aria-label="How this handset behaves">
          {behaviours.map((name) => (
            <option value={name} {...(name === behaviour ? { selected: true } : {})}>
              {name}
            </option>
          ))}
        </select>
        <button type="submit" class="secondary">
          Behave so
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

export const Texts: FC<TextsProps> = ({ number, texts }) => (
  <ol
    class="texts"
    aria-live="polite"
    hx-get={`/handsets/texts?number=${encodeURIComponent(number)}`}
    hx-trigger="every 1s"
    hx-swap="outerMorph"
  >
    {texts.length === 0 && <li>Nothing yet.</li>}
    {texts.map(({ sid, direction, other, body, mediaUrls, at, trouble }) => (
      <li id={sid} class={direction}>
        {body}
        {mediaUrls.map((url) => (
          <a href={url} rel="noreferrer">
            {' '}
            {url}
          </a>
        ))}
        <small>
          {direction === 'received' ? `from ${other}` : `to ${other}`} · {at.slice(11, 19)}
          {trouble !== null && ` · not taken: ${trouble}`}
        </small>
      </li>
    ))}
  </ol>
);
