/** What the page has to tell first: done, careful, refused. Read out by screen readers when it appears. */
import type { FC, PropsWithChildren } from 'hono/jsx';

export type Tone = 'idle' | 'busy' | 'good' | 'warn' | 'bad';

export const Notice: FC<PropsWithChildren<{ tone: Tone; title?: string }>> = ({ tone, title, children }) => (
  <div class="notice" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
    {title && (
      <p>
        <strong>{title}</strong>
      </p>
    )}
    {children}
  </div>
);
