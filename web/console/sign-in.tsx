/** Signing in and out. */
import { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { Command, shellWord } from '../components/command.tsx';
import { Field } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import type { WebDeps } from '../deps.ts';
import { Page } from '../layout.tsx';
import { readPageForm, textFields } from '../page-form.ts';
import { sendPage } from '../render.ts';
import { publicNav } from '../site-nav.ts';
import { checkCredentials, closeSession, openSession } from './session.ts';

export function createSignIn(deps: WebDeps): Hono {
  const signIn = new Hono();
  const { secretsFile } = deps.config.api;
  signIn.get('/login', (ctx) => {
    const { user = '', next } = ctx.req.query();
    return sendPage(ctx, <SignInPage user={user} next={nextOf(next)} secretsFile={secretsFile} />);
  });
  signIn.post('/login', async (ctx) => {
    const { user = '', password = '', next: page } = textFields(await readPageForm(ctx));
    const next = nextOf(page);
    const session = await checkCredentials(deps, user, password);
    if (!session) {
      const page = <SignInPage user={user} next={next} secretsFile={secretsFile} refused />;
      return sendPage(ctx, page, 401);
    }
    await openSession(deps, ctx, session);
    return ctx.redirect(next, 303);
  });
  signIn.post('/logout', async (ctx) => {
    await closeSession(deps, ctx);
    return ctx.redirect('/console/login', 303);
  });
  return signIn;
}

/** Where to go after signing in: a page of the console, never another site. */
function nextOf(path: string | undefined): string {
  return path !== undefined && /^\/console(\/[\w/-]*)?$/.test(path) ? path : '/console';
}

interface SignInPageProps {
  readonly user: string;
  readonly next: string;
  readonly refused?: boolean;
  /** Empty where the credentials are not this machine's to show. */
  readonly secretsFile: string;
}

const SignInPage: FC<SignInPageProps> = ({ user, next, refused = false, secretsFile }) => (
  <Page title="Sign in" nav={publicNav()} width="narrow">
    <h1>Sign in to the console</h1>
    <p class="lead">
      With your account’s credentials, the same as for the API; or as <code>admin</code> with the
      administrator’s token.
    </p>
    {refused && <Notice tone="bad" title="These credentials do not fit, or the account is not active." />}
    <form class="card" method="post" action="/console/login">
      <input type="hidden" name="next" value={next} />
      <Field
        name="user"
        label="AccountSid"
        value={user}
        required
        autocomplete="username"
        placeholder="AC… or admin"
      />
      <Field name="password" label="AuthToken" type="password" required autocomplete="current-password" />
      <button type="submit">Sign in</button>
    </form>
    {secretsFile !== '' && (
      <>
        <p class="small muted">
          <code>npm start</code> prints both and keeps them on this machine:
        </p>
        <Command>{`cat ${shellWord(secretsFile)}`}</Command>
      </>
    )}
  </Page>
);
