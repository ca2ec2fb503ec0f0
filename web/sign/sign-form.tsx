/** The part of the page that the signer fills in. Works without a script. */
import type { FC } from 'hono/jsx';
import type { DocumentToSign } from '../../db/reads/signing.ts';
import { signingConsent } from '../../domain/letter.ts';
import { Field, type FieldProps } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { maxReasonLength, type SigningErrors, type SigningField, type SigningValues } from './form.ts';

export interface SignFormProps {
  readonly action: string;
  readonly document: DocumentToSign;
  readonly provider: string;
  /** Countries whose numbers can be hosted, ISO 3166. */
  readonly countries: readonly string[];
  readonly values: SigningValues;
  readonly errors: SigningErrors;
}

/** Where a refused form opens: on a phone what is wrong with it stands far below the fold. */
export const errorsAnchor = 'errors';

export const SignForm: FC<SignFormProps> = (props) => {
  const { action, document, errors } = props;
  const wrong = Object.keys(errors).length;
  return (
    <form
      method="post"
      action={`${action}#${errorsAnchor}`}
      class="card sign-form"
      novalidate
      aria-labelledby="sign-title"
    >
      <h2 id="sign-title">Sign the letter</h2>
      {wrong > 0 && (
        <Notice
          anchor={errorsAnchor}
          tone="bad"
          title={wrong === 1 ? 'One entry needs your attention.' : `${wrong} entries need your attention.`}
        >
          <ul>
            {Object.entries(errors).map(([field, error]) => (
              <li>
                <a href={`#${field}`}>{error}</a>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {document.address === null && <AddressFields {...props} />}
      <ContactFields {...props} />
      <Consent {...props} />
      <div class="signature">
        <SignField
          {...props}
          name="signerName"
          label="Your signature: type your full name"
          autocomplete="name"
          hint="Your typed name has the same effect as a signature on paper."
        />
      </div>
      <div class="actions">
        <button type="submit">Sign the letter</button>
      </div>
    </form>
  );
};

/** Opens with a reason that was typed already and has to be sent again. */
export const DeclineForm: FC<{ action: string; reason?: string | undefined }> = ({ action, reason }) => (
  <details class="card decline" open={reason !== undefined}>
    <summary>I do not want to sign</summary>
    <form method="post" action={`${action}/decline`}>
      <label for="reason">
        Reason <span class="optional">(optional; the sender of the letter sees it)</span>
      </label>
      <textarea
        id="reason"
        name="reason"
        rows={3}
        maxlength={maxReasonLength}
        placeholder="Such as: the address is wrong, I am not the right person, …"
      >
        {reason ?? ''}
      </textarea>
      <button type="submit" class="danger">
        Decline to sign
      </button>
    </form>
  </details>
);

/** A field that keeps what was typed and shows what is wrong with it. All are needed unless `required` says no. */
const SignField: FC<SignFormProps & Omit<FieldProps, 'name'> & { name: SigningField }> = ({
  values,
  errors,
  name,
  label,
  hint,
  autocomplete,
  type,
  required = true,
}) => (
  <Field
    name={name}
    label={label}
    value={values[name]}
    error={errors[name]}
    required={required}
    {...(hint === undefined ? {} : { hint })}
    {...(autocomplete === undefined ? {} : { autocomplete })}
    {...(type === undefined ? {} : { type })}
  />
);

const AddressFields: FC<SignFormProps> = (props) => (
  <fieldset>
    <legend>Where the phone line is</legend>
    <p class="small muted">As on the phone bill: carriers refuse a letter whose name or address differs.</p>
    <SignField {...props} name="businessName" label="Business name" autocomplete="organization" />
    <SignField {...props} name="street" label="Street and number" autocomplete="address-line1" />
    <SignField
      {...props}
      name="streetSecondary"
      label="Suite, floor, unit"
      autocomplete="address-line2"
      required={false}
    />
    <div class="fields">
      <SignField {...props} name="city" label="City" autocomplete="address-level2" />
      <SignField {...props} name="region" label="State or province" autocomplete="address-level1" />
      <SignField {...props} name="postalCode" label="Postal code" autocomplete="postal-code" />
      <CountryField {...props} />
    </div>
  </fieldset>
);

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

const CountryField: FC<SignFormProps> = ({ countries, values, errors }) => (
  <div>
    <label for="isoCountry">Country</label>
    <select
      id="isoCountry"
      name="isoCountry"
      autocomplete="country"
      required
      {...(errors.isoCountry ? { 'aria-invalid': 'true', 'aria-describedby': 'isoCountry-error' } : {})}
    >
      {countries.map((country) => (
        <option value={country} selected={values.isoCountry === country}>
          {countryNames.of(country)}
        </option>
      ))}
    </select>
    {errors.isoCountry && (
      <span class="field-error" id="isoCountry-error">
        {errors.isoCountry}
      </span>
    )}
  </div>
);

const ContactFields: FC<SignFormProps> = (props) => {
  const { contactTitle, contactPhoneNumber } = props.document;
  if (contactTitle !== null && contactPhoneNumber !== null) return null;
  return (
    <fieldset>
      <legend>About you</legend>
      <div class="fields">
        {contactTitle === null && (
          <SignField {...props} name="signerTitle" label="Your title" autocomplete="organization-title" />
        )}
        {contactPhoneNumber === null && (
          <SignField {...props} name="signerPhone" label="Your phone number" autocomplete="tel" type="tel" />
        )}
      </div>
    </fieldset>
  );
};

/** The disclosures of the ESIGN Act, 15 U.S.C. 7001(c), in plain words. */
const Consent: FC<SignFormProps> = ({ provider, errors, values }) => (
  <fieldset class="consent">
    <legend>Electronic records and signatures</legend>
    <label for="consent">
      <input
        type="checkbox"
        id="consent"
        name="consent"
        value="yes"
        checked={values.consent === 'yes'}
        required
        aria-describedby={errors.consent ? 'consent-error consent-text' : 'consent-text'}
        {...(errors.consent ? { 'aria-invalid': 'true' } : {})}
      />
      {signingConsent}
    </label>
    {errors.consent && (
      <span class="field-error" id="consent-error">
        {errors.consent}
      </span>
    )}
    <div id="consent-text" class="small muted">
      <p>
        The consent is for this letter only. You need a web browser, a program that shows PDF files and an
        e-mail address; that you read this page shows that you have them. The signed letter is mailed to you
        and can be downloaded here.
      </p>
      <p>
        You may decline, or ask {provider} for the letter on paper, and you may take your consent back until
        you sign. With the signature we keep the time, your IP address and the name of your browser.
      </p>
    </div>
  </fieldset>
);
