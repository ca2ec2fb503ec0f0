/** The frame of every console page: where one is, who one is, what was just done or refused. */
import type { FC, PropsWithChildren } from 'hono/jsx';
import { Notice } from '../components/notice.tsx';
import { type NavItem, Page } from '../layout.tsx';
import type { ApiAnswer } from './api-client.ts';
import type { Session } from './session.ts';

type Section = 'orders' | 'documents' | 'webhooks' | 'messages' | 'work' | 'accounts';

export type Refusal = Extract<ApiAnswer, { ok: false }>;

export interface ConsolePageProps {
  readonly session: Session;
  /** None where the page is in no section of this session. */
  readonly section?: Section;
  readonly title: string;
  /** What was done by the request before, from `?done=`. */
  readonly done?: string | undefined;
  /** Why the API refused what was asked for. */
  readonly refusal?: Refusal | undefined;
}

const accountSections: readonly { readonly section: Section; readonly label: string }[] = [
  { section: 'orders', label: 'Orders' },
  { section: 'documents', label: 'Letters' },
  { section: 'messages', label: 'Messages' },
  { section: 'webhooks', label: 'Webhooks' },
];
const adminSections: typeof accountSections = [
  { section: 'work', label: 'Work list' },
  { section: 'orders', label: 'Orders' },
  { section: 'accounts', label: 'Accounts' },
];

/** What `?done=` may say. A closed list: nobody can make the console say something else. */
const doneTexts: Readonly<Record<string, string>> = {
  created: 'The order was created.',
  canceled: 'The order was canceled.',
  saved: 'Saved.',
  released: 'The number was released, and retires.',
  mailed: 'The letter is on its way to the signer.',
  reopened: 'The letter was taken back; its link is void.',
  withdrawn: 'The letter was canceled.',
  retried: 'The next attempt is made now.',
  stopped: 'The delivery was canceled.',
  replayed: 'The replay has begun.',
  tested: 'A test event is on its way.',
  subscribed: 'The webhook was created.',
  rotated: 'There is a new secret; the old one still signs as well for a while.',
  removed: 'The webhook was removed.',
  sent: 'The message is on its way.',
  resolved: 'The order goes on.',
  reset: 'The verification attempts were given back.',
  reviewed: 'The review was recorded.',
  decided: 'The registry’s decision was recorded.',
  restored: 'The release was taken back; the number is in service again.',
  hosted: 'The number was taken over.',
};

export const ConsolePage: FC<PropsWithChildren<ConsolePageProps>> = (props) => {
  const { session, section, title, done, refusal, children } = props;
  return (
    <Page
      title={title}
      brandHref="/console"
      nav={navOf(session, section)}
      aside={<SignedIn session={session} />}
      stylesheets={['console.css']}
      scripts={['htmx.js']}
    >
      {done !== undefined && doneTexts[done] && (
        <Notice tone="good">
          <p>{doneTexts[done]}</p>
        </Notice>
      )}
      {refusal && <RefusalNotice refusal={refusal} />}
      {children}
    </Page>
  );
};

const RefusalNotice: FC<{ refusal: Refusal }> = ({ refusal: { code, message } }) => (
  <Notice tone="bad" title={message}>
    <p class="small">
      Error <a href={`/docs/errors#${code}`}>{code}</a>
    </p>
  </Notice>
);

function navOf(session: Session, current: Section | undefined): NavItem[] {
  const sections = session.kind === 'admin' ? adminSections : accountSections;
  return sections.map(({ section, label }) => ({
    href: `/console/${section}`,
    label,
    current: section === current,
  }));
}

const SignedIn: FC<{ session: Session }> = ({ session }) => (
  <>
    <a href="/docs">API reference</a>
    <span class="account-name" title={session.kind === 'admin' ? undefined : session.account.sid}>
      {session.kind === 'admin' ? 'Administrator' : session.account.friendlyName}
    </span>
    <form method="post" action="/console/logout">
      <button type="submit" class="quiet small">
        Sign out
      </button>
    </form>
  </>
);

/** Temporal's own page about the workflow of this id. */
export const WorkflowLink: FC<{ webUi: string | null; workflowId: string }> = ({ webUi, workflowId }) =>
  webUi && (
    <a href={`${webUi}/workflows/${workflowId}`} target="_blank" rel="noopener">
      Workflow in Temporal ↗
    </a>
  );
