/** What the page has to tell first: done, careful, refused. Read out by screen readers when it appears. */
import type { FC, PropsWithChildren } from 'hono/jsx';

export type Tone = 'idle' | 'busy' | 'good' | 'warn' | 'bad';

export interface NoticeProps {
  readonly tone: Tone;
  readonly title?: string;
  /** Set where the page should open at the notice: its id, which also takes the focus. */
  readonly anchor?: string;
}

export const Notice: FC<PropsWithChildren<NoticeProps>> = ({ tone, title, anchor, children }) => (
  <div
    class="notice"
    data-tone={tone}
    role={tone === 'bad' ? 'alert' : 'status'}
    {...(anchor === undefined ? {} : { id: anchor, tabindex: -1, autofocus: true })}
  >
    {title && (
      <p>
        <strong>{title}</strong>
      </p>
    )}
    {children}
  </div>
);
