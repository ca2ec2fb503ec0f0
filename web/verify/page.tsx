/** The page on which a signed letter is checked. */
import type { FC } from 'hono/jsx';
import type { KnownFile } from '../../db/reads/signing.ts';
import { FileHash } from '../components/file-hash.tsx';
import { Verdict as VerdictCard } from '../components/verdict.tsx';
import { When } from '../components/when.tsx';
import { Page } from '../layout.tsx';
import { publicNav } from '../site-nav.ts';
import type { Verdict } from './files.ts';

export interface VerifyPageProps {
  /** The form came without a file. */
  readonly missing?: boolean;
  readonly result?: { readonly fileName: string; readonly sha256: string; readonly verdict: Verdict };
}

export const VerifyPage: FC<VerifyPageProps> = ({ missing = false, result }) => (
  <Page title="Verify a letter" nav={publicNav('/verify')} width="narrow" stylesheets={['letter.css']}>
    {result ? <Result {...result} /> : <h1>Verify a signed letter</h1>}
    <form class="card" method="post" action="/verify" enctype="multipart/form-data">
      <label for="file">{result ? 'Check another file' : 'Letter of authorization (PDF)'}</label>
      <input
        id="file"
        name="file"
        type="file"
        accept="application/pdf"
        required
        {...(missing ? { 'aria-invalid': 'true', 'aria-describedby': 'file-error' } : {})}
      />
      {missing && (
        <span class="field-error" id="file-error">
          Choose a file first.
        </span>
      )}
      <button type="submit">Check the file</button>
    </form>
    <p class="small muted">
      A signed letter is known by its SHA-256: one changed byte gives another. It begins with the very bytes
      that were mailed to the signer, so the letter inside can be checked as well. The file is not kept. To
      check one without this page: <code>npm run verify-document</code> and the{' '}
      <a href="/.well-known/hosted-sms-signing-key.pem">public key</a>.
    </p>
  </Page>
);

const Result: FC<NonNullable<VerifyPageProps['result']>> = ({ fileName, sha256, verdict }) => (
  <>
    <VerdictOf verdict={verdict} />
    <section class="card">
      <dl class="facts">
        <dt>File</dt>
        <dd>{fileName}</dd>
        <dt>SHA-256 of the file</dt>
        <dd>
          <FileHash sha256={sha256} />
        </dd>
        {verdict.kind !== 'unknown' && verdict.kind !== 'sealed' && (
          <Origin file={verdict.kind === 'altered' ? verdict.letter : verdict.file} />
        )}
        {verdict.kind === 'signed' && verdict.letter && (
          <>
            <dt>SHA-256 of the mailed letter, with which the file begins</dt>
            <dd>
              <FileHash sha256={verdict.letter.sha256} /> ({verdict.letter.byteLength} bytes, mailed{' '}
              <When at={verdict.letter.dateCreated} />)
            </dd>
          </>
        )}
      </dl>
    </section>
  </>
);

const Origin: FC<{ file: KnownFile }> = ({ file }) => (
  <>
    <dt>Authorization document</dt>
    <dd>
      <code class="sid">{file.documentSid}</code>, mailing {file.mailing}
    </dd>
    {file.kind === 'signed' && (
      <>
        <dt>Signed</dt>
        <dd>
          <When at={file.signedAt} />
        </dd>
      </>
    )}
  </>
);

const VerdictOf: FC<{ verdict: Verdict }> = ({ verdict }) => {
  switch (verdict.kind) {
    case 'signed':
      return (
        <VerdictCard tone="good" title="Genuine and signed">
          <p>This is the signed letter as this service sealed it. Not a byte was changed since.</p>
        </VerdictCard>
      );
    case 'sealed':
      return (
        <VerdictCard tone="good" title="Genuine and signed">
          <p>
            The file bears the valid signature of this service: not a byte was changed since it was sealed.
            The record of it is not kept here any more.
          </p>
        </VerdictCard>
      );
    case 'letter':
      return (
        <VerdictCard tone="warn" title="Genuine, but not signed">
          <p>This is a letter as this service mailed it to the signer. It bears no signature.</p>
        </VerdictCard>
      );
    case 'altered':
      return (
        <VerdictCard tone="bad" title="Altered">
          <p>
            The file begins with a letter of this service, but what follows was not sealed here. Do not rely
            on it.
          </p>
        </VerdictCard>
      );
    case 'unknown':
      return (
        <VerdictCard tone="bad" title="Not a letter of this service">
          <p>
            This file is not known here. It may have been changed, printed and scanned, or saved anew by a PDF
            program: ask for the file as it was mailed.
          </p>
        </VerdictCard>
      );
  }
};
