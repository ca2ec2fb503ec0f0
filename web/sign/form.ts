/** What the signer fills in: checked at once, so that a refused form comes back with everything that was typed. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { z } from 'zod';
import type { DocumentToSign } from '../../db/reads/signing.ts';
import type { Signature } from '../../domain/ports.ts';
import { isPlainLine, toPlainLine } from '../../domain/plain-line.ts';
import { isPostalCode, isPostOfficeBox } from '../../domain/service-address.ts';

export type SigningField =
  | 'businessName'
  | 'street'
  | 'streetSecondary'
  | 'city'
  | 'region'
  | 'postalCode'
  | 'isoCountry'
  | 'signerTitle'
  | 'signerPhone'
  | 'consent'
  | 'signerName';

export type SigningValues = Readonly<Partial<Record<SigningField, string>>>;
export type SigningErrors = Readonly<Partial<Record<SigningField, string>>>;

/** The signature as far as the signer gives it; when, from where and with what is added by the route. */
type GivenSignature = Omit<Signature, 'consentedAt' | 'ipAddress' | 'userAgent'>;

/** `values`: everything as it was typed, for the form to come back with. */
export type SigningInput = { readonly values: SigningValues } & (
  | { readonly ok: true; readonly signature: GivenSignature }
  | { readonly ok: false; readonly errors: SigningErrors }
);

/** Longest reason for declining that is kept. Characters. */
export const maxReasonLength = 500;

/** One line of text: outer and repeated spaces go, what else no line of a letter may hold is refused. */
const freeLine = (max = 100, error?: string) =>
  z
    .string(error)
    .transform((value) => value.trim().replaceAll(/\s+/g, ' '))
    .pipe(
      z.string().max(max, `Use at most ${max} characters.`).refine(isPlainLine, 'Use ordinary characters.'),
    );

/** A line that has to be filled in. */
const line = (needed: string, max?: number) => freeLine(max, needed).pipe(z.string().min(1, needed));

const noBox = <T extends z.ZodType<string>>(schema: T): T =>
  schema.refine(
    (value) => !isPostOfficeBox(value),
    'A post office box is no service address: enter the street.',
  );

const address = z.object({
  businessName: line('Enter the name the phone line is billed to.'),
  street: noBox(line('Enter the street and house number.')),
  streetSecondary: noBox(freeLine()).default(''),
  city: line('Enter the city.'),
  region: line('Enter the state or province.', 50),
  postalCode: line('Enter the postal code.', 20),
  isoCountry: z.string({ error: 'Choose the country.' }).regex(/^[A-Z]{2}$/, 'Choose the country.'),
});

const phone = line('Enter a phone number at which you can be reached.', 30).transform((value, context) => {
  const parsed = parsePhoneNumberFromString(value, 'US');
  if (parsed?.isValid()) return parsed.number;
  context.addIssue({ code: 'custom', message: 'This is not a phone number. Example: +1 415 867 5310' });
  return z.NEVER;
});

const signature = z.object({
  consent: z.literal('yes', { error: 'Tick the box, or decline below.' }),
  signerName: line('Type your full name to sign.').pipe(
    z.string().regex(/\p{L}.*\p{L}/u, 'Type your full name to sign.'),
  ),
});

/**
 * Needs two fields at once, so it stands beside the schema: a check of the schema would wait until every field for itself
 * is right, and the signer would be sent back twice.
 */
function postalCodeError(values: SigningValues): SigningErrors {
  const code = address.shape.postalCode.safeParse(values.postalCode);
  const country = address.shape.isoCountry.safeParse(values.isoCountry);
  if (!code.success || !country.success || isPostalCode(country.data, code.data)) return {};
  return { postalCode: 'This is not a postal code of that country.' };
}

/** Reads the posted form. Asked for is only what the document does not say already. */
export function readSigning(form: FormData, document: DocumentToSign): SigningInput {
  const values = typedValues(form);
  const shape: Readonly<Record<string, z.ZodType<string>>> = {
    ...(document.address === null ? address.shape : {}),
    ...(document.contactTitle === null
      ? { signerTitle: line('Enter your title, such as “Owner” or “Office manager”.') }
      : {}),
    ...(document.contactPhoneNumber === null ? { signerPhone: phone } : {}),
    ...signature.shape,
  };
  const parsed = z.object(shape).safeParse(values);
  const wrong: Readonly<Record<string, string>> = {
    ...(document.address === null ? postalCodeError(values) : {}),
    ...(parsed.success ? {} : firstErrors(parsed.error)),
  };
  // They are listed in the order of the form.
  const errors = Object.fromEntries(Object.entries(wrong).toSorted(byPlaceIn(Object.keys(shape))));
  if (!parsed.success || Object.keys(errors).length > 0) return { ok: false, values, errors };
  const given = parsed.data;
  return {
    ok: true,
    values,
    signature: {
      signerName: given['signerName'] ?? '',
      signerTitle: document.contactTitle ?? given['signerTitle'] ?? '',
      signerPhone: document.contactPhoneNumber ?? given['signerPhone'] ?? '',
      address: document.address ?? givenAddress(given),
    },
  };
}

/** The reason for declining: as it is kept, on one line, empty when none was given; and as it was typed. */
export function readReason(form: FormData): { readonly reason: string; readonly typed: string } {
  const typed = typedValues(form)['reason'] ?? '';
  return { reason: toPlainLine(typed).slice(0, maxReasonLength), typed };
}

function typedValues(form: FormData): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, value] of form) if (typeof value === 'string') values[name] = value.slice(0, 1000);
  return values;
}

function givenAddress(given: Readonly<Record<string, string>>): Signature['address'] {
  return {
    customerName: given['businessName'] ?? '',
    street: given['street'] ?? '',
    streetSecondary: given['streetSecondary'] || null,
    city: given['city'] ?? '',
    region: given['region'] ?? '',
    postalCode: given['postalCode'] ?? '',
    isoCountry: given['isoCountry'] ?? '',
  };
}

const byPlaceIn =
  (names: readonly string[]) =>
  ([left]: readonly [string, string], [right]: readonly [string, string]): number =>
    names.indexOf(left) - names.indexOf(right);

/** The first thing that is wrong with each field. */
function firstErrors(error: z.ZodError): SigningErrors {
  const errors: Record<string, string> = {};
  for (const { path, message } of error.issues) errors[String(path[0])] ??= message;
  return errors;
}
