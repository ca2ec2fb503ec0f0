/** A list with nothing in it yet: says what to do next, here and by the API. */
import type { FC, PropsWithChildren } from 'hono/jsx';
import { Command } from './command.tsx';

export const Empty: FC<PropsWithChildren<{ title: string; command?: string }>> = ({
  title,
  command,
  children,
}) => (
  <div class="empty">
    <p>
      <strong>{title}</strong>
    </p>
    {children}
    {command && <Command>{command}</Command>}
  </div>
);
