/** The pages behind a signing link. */
import type { FC } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { DocumentToSign } from '../../db/reads/signing.ts';
import { FileHash } from '../components/file-hash.tsx';
import { Notice, type Tone } from '../components/notice.tsx';
import { formatPhone } from '../components/phone.ts';
import { Verdict } from '../components/verdict.tsx';
import { When } from '../components/when.tsx';
import { Page } from '../layout.tsx';
import type { ClosedReason } from './access.ts';
import { LetterPdf, LetterText } from './letter.tsx';
import { DeclineForm, errorsAnchor, SignForm, type SignFormProps } from './sign-form.tsx';

const stylesheets = ['letter.css'];

export interface SigningPageProps extends SignFormProps {
  readonly letterSha256: string | undefined;
  /** What was typed as the reason for declining. */
  readonly reason?: string | undefined;
  /** Set when the signature could not be taken although nothing was wrong with the form. */
  readonly trouble?: string | undefined;
}

export const SigningPage: FC<SigningPageProps> = ({ letterSha256, reason, trouble, ...form }) => (
  <Page
    title={`${isRefused(form, trouble) ? 'Error: ' : ''}Letter of authorization`}
    brand={form.provider}
    brandHref={form.action}
    stylesheets={stylesheets}
  >
    <h1>Letter of authorization</h1>
    <p class="lead">
      {form.provider} asks you to allow text messages on {numbersInWords(form.document)}. Read the letter,
      then sign or decline it. <LinkEnds document={form.document} />
    </p>
    {trouble && <Notice anchor={errorsAnchor} tone="bad" title={trouble} />}
    <div class="sign-layout">
      {letterSha256 === undefined ? (
        <Notice tone="busy" title="The PDF of the letter is being prepared.">
          <p>Reload this page in a moment to see it.</p>
        </Notice>
      ) : (
        <LetterPdf href={`${form.action}/letter.pdf`} sha256={letterSha256} />
      )}
      <div>
        <LetterText document={form.document} provider={form.provider} />
        {letterSha256 !== undefined && <SignForm {...form} />}
        <DeclineForm action={form.action} reason={reason} />
      </div>
    </div>
  </Page>
);

const isRefused = ({ errors }: SignFormProps, trouble: string | undefined): boolean =>
  trouble !== undefined || Object.keys(errors).length > 0;

const LinkEnds: FC<{ document: DocumentToSign }> = ({ document }) =>
  document.expiresAt && (
    <span>
      The link works until <When at={document.expiresAt} />.
    </span>
  );

function numbersInWords({ phoneNumbers }: DocumentToSign): string {
  const [first, ...others] = phoneNumbers;
  if (first !== undefined && others.length === 0) return `the number ${formatPhone(first)}`;
  return `${phoneNumbers.length} phone numbers`;
}

export interface SignedPageProps {
  readonly action: string;
  readonly document: DocumentToSign;
  readonly provider: string;
  readonly signedSha256: string | undefined;
}

/** After the signature. Until the sealed file is there the page asks again by itself. */
export const SignedPage: FC<SignedPageProps> = ({ action, document, provider, signedSha256 }) => (
  <Page
    title="Signed"
    brand={provider}
    brandHref={action}
    width="narrow"
    stylesheets={stylesheets}
    refreshSeconds={signedSha256 === undefined ? 2 : undefined}
  >
    <Verdict tone="good" title="The letter is signed">
      <p>
        Thank you{document.signerName ? `, ${document.signerName}` : ''}. You signed on{' '}
        <When at={document.signedAt} />. A copy goes to {document.email}. There is nothing else to do.
      </p>
    </Verdict>
    {signedSha256 === undefined ? (
      <Notice tone="busy" title="The signed copy is being sealed; this page shows it in a moment." />
    ) : (
      <section class="card">
        <h2>Your signed copy</h2>
        <p>
          It holds the letter exactly as it was mailed, your signature, and a page that records how it was
          signed.
        </p>
        <p class="actions">
          <a role="button" href={`${action}/signed.pdf?download`} download>
            Download the signed letter (PDF)
          </a>
          <a href={`${action}/signed.pdf`} target="_blank" rel="noopener">
            Open it
          </a>
        </p>
        <p class="small muted">
          SHA-256: <FileHash sha256={signedSha256} />
          <br />
          Anyone who has the file can <a href="/verify">check that it is genuine</a>.
        </p>
      </section>
    )}
  </Page>
);

interface Closing {
  readonly status: ContentfulStatusCode;
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
}

/** Why a link opens nothing, in words for someone who only has the link. */
export const closings: Readonly<Record<ClosedReason, Closing>> = {
  unknown: {
    status: 404,
    tone: 'bad',
    title: 'This link is not valid',
    text: 'Copy the whole link from the e-mail: it may have been cut at the end of a line. If it still does not work, ask the sender for a new letter.',
  },
  expired: {
    status: 410,
    tone: 'warn',
    title: 'This link has expired',
    text: 'Carriers do not accept old letters, so the link ends after a while. Ask the sender for a new letter.',
  },
  replaced: {
    status: 410,
    tone: 'warn',
    title: 'A newer letter has been sent',
    text: 'This link belongs to an earlier letter. Use the link in the latest e-mail.',
  },
  'taken-back': {
    status: 410,
    tone: 'warn',
    title: 'The sender is changing the letter',
    text: 'This link is void. You will get an e-mail with a new link when the letter is ready.',
  },
  declined: {
    status: 410,
    tone: 'idle',
    title: 'The letter was declined',
    text: 'Nothing was signed, and nothing changes on the phone line. If that was a mistake, ask the sender for a new letter.',
  },
  canceled: {
    status: 410,
    tone: 'idle',
    title: 'The letter was withdrawn',
    text: 'The sender does not need the signature any more. There is nothing to do.',
  },
  failed: {
    status: 410,
    tone: 'warn',
    title: 'This letter can no longer be signed',
    text: 'It was not signed in time, or could not be sent. Ask the sender for a new letter.',
  },
};

export const ClosedPage: FC<{ reason: ClosedReason; provider: string }> = ({ reason, provider }) => (
  <Page title={closings[reason].title} brand={provider} width="narrow" stylesheets={stylesheets}>
    <Verdict tone={closings[reason].tone} title={closings[reason].title}>
      <p>{closings[reason].text}</p>
    </Verdict>
  </Page>
);
