/** What one sees on a page of the other kind of session: an administrator on an account's, or the other way round. */
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import { Notice } from '../components/notice.tsx';
import { sendPage } from '../render.ts';
import { ConsolePage } from './frame.tsx';
import type { Session } from './session.ts';

/** Thrown where the session that asks has no business; answered with `otherDeskPage`. */
export class OtherDeskError extends Error {
  override readonly name = 'OtherDeskError';
  readonly session: Session;

  constructor(session: Session) {
    super('the page is for another kind of session');
    this.session = session;
  }
}

export function otherDeskPage(ctx: Context, { session }: OtherDeskError): Response | Promise<Response> {
  return sendPage(ctx, <OtherDeskPage session={session} />, 403);
}

const OtherDeskPage: FC<{ session: Session }> = ({ session }) => {
  const isAdmin = session.kind === 'admin';
  const title = isAdmin ? 'This page is for accounts' : 'This page is for the administrator';
  return (
    <ConsolePage session={session} title={title}>
      <Notice tone="warn" title={title}>
        {isAdmin ? (
          <p>
            You are signed in as the administrator, who has no letters, messages or webhooks. Go to the{' '}
            <a href="/console/work">work list</a>, or sign out and sign in with an AccountSid.
          </p>
        ) : (
          <p>
            You are signed in with an account. Go to <a href="/console/orders">your orders</a>, or sign out
            and sign in as <code>admin</code>.
          </p>
        )}
      </Notice>
    </ConsolePage>
  );
};
