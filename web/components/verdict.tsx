/** How something came out: a mark, a heading, a few words. The mark repeats what the heading says. */
import type { FC, PropsWithChildren } from 'hono/jsx';
import type { Tone } from './notice.tsx';

const marks: Readonly<Record<Tone, string>> = { good: '✓', warn: '!', bad: '✕', busy: '…', idle: '–' };

export const Verdict: FC<PropsWithChildren<{ tone: Tone; title: string }>> = ({ tone, title, children }) => (
  <section class="card verdict" aria-live="polite">
    <span class="verdict-mark" data-tone={tone} aria-hidden="true">
      {marks[tone]}
    </span>
    <div>
      <h1>{title}</h1>
      {children}
    </div>
  </section>
);
