/** What a bulk request for orders may hold, and the orders it stands for. */
import { z } from 'zod';
import type { BulkOrderDetails, NewBulkItem } from '../db/writes/configuration.ts';
import { ApiError } from '../domain/errors.ts';
import { derivedSid } from '../security/derived-sid.ts';
import type { Account } from './auth.ts';
import { numbersField } from './bulk-eligibility.ts';
import type { ApiDeps } from './deps.ts';
import * as field from './fields.ts';
import { valuesParser } from './form.ts';
import { hostsAmong } from './hosting-accounts.ts';
import { jsonObject, valuesOf } from './json-body.ts';
import { requireHostable } from './number-rules.ts';

/** Fields a number may have of its own; beside the numbers they hold for all that have none. */
const orderFields = {
  account_sid: field.optional(field.sid('account', 21470)),
  address_sid: field.optional(field.sid('address', 22109)),
  email: field.optional(field.email()),
  cc_emails: field.list(field.email(), 50).optional(),
  contact_title: field.optional(field.text({ max: 128 })),
  contact_phone_number: field.optional(field.telephone()),
};
const itemForm = z.object({
  phone_number: field.phoneNumber(),
  friendly_name: field.optional(field.text({ max: 128, code: 22116 })),
  ...orderFields,
});
const parseItem = valuesParser(itemForm);

export const bulkForm = z.object({
  friendly_name: field.optional(field.text({ max: 128, code: 22116 })),
  notification_email: field.optional(field.email()),
  phone_numbers: numbersField(z.toJSONSchema(itemForm, { io: 'input', unrepresentable: 'any' })),
  ...orderFields,
  sms_url: field.optional(field.httpUrl()),
  sms_method: field.optional(field.httpMethod()),
  sms_fallback_url: field.optional(field.httpUrl()),
  sms_fallback_method: field.optional(field.httpMethod()),
  sms_application_sid: field.optional(field.sid('application', 22108)),
  status_callback_url: field.optional(field.httpUrl()),
  status_callback_method: field.optional(field.httpMethod()),
});
type BulkForm = z.output<typeof bulkForm>;
type ItemForm = z.output<typeof itemForm>;

/** The request's numbers. What cannot be ordered for a reason of its own is refused here and now. */
export async function bulkItems(
  deps: ApiDeps,
  caller: Account,
  form: BulkForm,
  requestSid: string,
): Promise<NewBulkItem[]> {
  const read = form.phone_numbers.map((text) => readItem(deps, text));
  const accountOf = (item: ItemForm): string => item.account_sid ?? form.account_sid ?? caller.sid;
  const wanted = read.flatMap(({ item }) => (item ? [accountOf(item)] : []));
  const hosts = await hostsAmong(deps, caller.sid, wanted);
  const refused = (phoneNumber: string, { code, message }: ApiError): NewBulkItem => ({
    accountSid: caller.sid,
    phoneNumber,
    outcome: { kind: 'refused', code, message },
  });
  return read.map(({ sent, item, refusal }, index): NewBulkItem => {
    if (item === null) return refused(sent, refusal);
    if (!hosts.has(accountOf(item))) return refused(sent, new ApiError(21470));
    return {
      accountSid: accountOf(item),
      phoneNumber: item.phone_number,
      orderSid: derivedSid('hostedNumberOrder', requestSid, String(index + 1)),
      details: detailsOf(form, item),
    };
  });
}

/** A number as it was sent, and what it says or what is wrong with it. */
type ReadItem = { readonly sent: string } & (
  | { readonly item: ItemForm; readonly refusal: null }
  | { readonly item: null; readonly refusal: ApiError }
);

function readItem({ config }: ApiDeps, text: string): ReadItem {
  const object = jsonObject(text);
  const number = object ? object['phone_number'] : text;
  const sent = typeof number === 'string' ? number : '';
  try {
    const item = parseItem(valuesOf(object ?? { phone_number: text }, itemForm));
    requireHostable(item.phone_number, config.orders.countries);
    return { sent, item, refusal: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { sent, item: null, refusal: error };
  }
}

/** With an application the four SMS fields are ignored, as for a single order. */
function detailsOf(form: BulkForm, item: ItemForm): BulkOrderDetails {
  const smsApplicationSid = form.sms_application_sid ?? null;
  const own = smsApplicationSid === null;
  return {
    friendlyName: item.friendly_name ?? null,
    uniqueName: null,
    email: item.email ?? form.email ?? null,
    ccEmails: item.cc_emails ?? form.cc_emails ?? [],
    addressSid: item.address_sid ?? form.address_sid ?? null,
    verificationType: 'phone-call',
    verificationDocumentSid: null,
    statusCallbackUrl: form.status_callback_url ?? null,
    statusCallbackMethod: form.status_callback_method ?? 'POST',
    smsUrl: (own && form.sms_url) || null,
    smsMethod: (own && form.sms_method) || 'POST',
    smsFallbackUrl: (own && form.sms_fallback_url) || null,
    smsFallbackMethod: (own && form.sms_fallback_method) || 'POST',
    smsApplicationSid,
    contactTitle: item.contact_title ?? form.contact_title ?? null,
    contactPhoneNumber: item.contact_phone_number ?? form.contact_phone_number ?? null,
  };
}
