/** The letter on the screen: the PDF that was mailed, and what it says in words that any screen can show. */
import type { FC } from 'hono/jsx';
import type { DocumentToSign } from '../../db/reads/signing.ts';
import { authorizationStatement, entitlementStatement } from '../../domain/letter.ts';
import type { LetterAddress } from '../../domain/ports.ts';
import { FileHash } from '../components/file-hash.tsx';
import { formatPhone } from '../components/phone.ts';

export const LetterPdf: FC<{ href: string; sha256: string }> = ({ href, sha256 }) => (
  <section class="letter-pdf" aria-label="The letter as it was mailed (PDF)">
    <iframe src={`${href}#navpanes=0&view=FitH`} title="Letter of authorization, PDF" loading="lazy" />
    <p class="small">
      <a href={href} target="_blank" rel="noopener">
        Open the letter as PDF
      </a>{' '}
      ·{' '}
      <a href={`${href}?download`} download>
        Download it
      </a>
    </p>
    <p class="small muted">
      SHA-256 of the letter: <FileHash sha256={sha256} />
    </p>
  </section>
);

export const LetterText: FC<{ document: DocumentToSign; provider: string }> = ({ document, provider }) => (
  <section class="card letter-text" aria-labelledby="letter-title">
    <h2 id="letter-title">What the letter says</h2>
    <p>{authorizationStatement(provider, document.phoneNumbers.length)}</p>
    <ul class="phone-numbers">
      {document.phoneNumbers.map((phoneNumber) => (
        <li class="number">{formatPhone(phoneNumber)}</li>
      ))}
    </ul>
    <KnownData document={document} />
    <p>{entitlementStatement(document.phoneNumbers.length)}</p>
  </section>
);

/** What the letter states already. What is missing the form asks for. */
const KnownData: FC<{ document: DocumentToSign }> = ({ document }) => (
  <dl class="facts">
    {document.address && (
      <>
        <dt>Name and service address</dt>
        <dd>
          {addressLines(document.address).map((line) => (
            <>
              {line}
              <br />
            </>
          ))}
        </dd>
      </>
    )}
    {document.contactTitle && (
      <>
        <dt>Signer’s title</dt>
        <dd>{document.contactTitle}</dd>
      </>
    )}
    {document.contactPhoneNumber && (
      <>
        <dt>Signer’s phone number</dt>
        <dd>{formatPhone(document.contactPhoneNumber)}</dd>
      </>
    )}
    <dt>Signer’s e-mail address</dt>
    <dd>{document.email}</dd>
  </dl>
);

function addressLines(address: LetterAddress): string[] {
  return [
    address.customerName,
    address.street,
    address.streetSecondary ?? '',
    `${address.city}, ${address.region} ${address.postalCode}`,
    address.isoCountry,
  ].filter((line) => line !== '');
}
