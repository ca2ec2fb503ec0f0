/** The frame of every page: head, bar, content, foot. */
import type { Child, FC, PropsWithChildren } from 'hono/jsx';

export interface NavItem {
  readonly href: string;
  readonly label: string;
  readonly current: boolean;
}

export interface PageProps {
  readonly title: string;
  /** Links of the bar; none on the signing page, whose reader has nothing else to do here. */
  readonly nav?: readonly NavItem[];
  /** Right end of the bar. */
  readonly aside?: Child;
  readonly brandHref?: string;
  readonly brand?: string;
  readonly stylesheets?: readonly string[];
  readonly scripts?: readonly string[];
  /** Seconds after which the browser asks again, where a page waits for something and has no script. */
  readonly refreshSeconds?: number | undefined;
  readonly width?: 'narrow' | 'wide';
}

const productName = 'Hosted SMS';

// Parts that poll keep what they show while the service cannot answer.
const htmxConfig = JSON.stringify({ includeIndicatorCSS: false, noSwap: [204, 304, '4xx', '5xx'] });

export const Page: FC<PropsWithChildren<PageProps>> = (props) => (
  <html lang="en">
    <Head {...props} />
    <body>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <div class="bar-inner">
          <a class="brand" href={props.brandHref ?? '/'}>
            <img src="/assets/icon.svg" alt="" width="26" height="26" />
            <span>{props.brand ?? productName}</span>
          </a>
          {props.nav && <Nav items={props.nav} />}
          <div class="bar-aside">{props.aside}</div>
        </div>
      </header>
      <main id="main" class={props.width === 'narrow' ? 'page narrow' : 'page'}>
        {props.children}
      </main>
    </body>
  </html>
);

const Head: FC<PageProps> = ({ title, stylesheets = [], scripts = [], refreshSeconds }) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    {/* Without a referrer browsers send forms with `Origin: null`; see pageHeaders. */}
    <meta name="referrer" content="same-origin" />
    <meta name="color-scheme" content="light dark" />
    {refreshSeconds !== undefined && <meta http-equiv="refresh" content={String(refreshSeconds)} />}
    <title>{`${title} · ${productName}`}</title>
    <link rel="icon" href="/assets/icon.svg" />
    {['pico.css', 'site.css', ...stylesheets].map((name) => (
      <link rel="stylesheet" href={`/assets/${name}`} />
    ))}
    {scripts.includes('htmx.js') && <meta name="htmx-config" content={htmxConfig} />}
    {scripts.map((name) => (
      <script src={`/assets/${name}`} defer />
    ))}
  </head>
);

const Nav: FC<{ items: readonly NavItem[] }> = ({ items }) => (
  <nav class="bar-nav" aria-label="Main">
    {items.map(({ href, label, current }) => (
      <a href={href} {...(current ? { 'aria-current': 'page' } : {})}>
        {label}
      </a>
    ))}
  </nav>
);
