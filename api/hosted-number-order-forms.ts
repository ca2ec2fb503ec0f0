/** The forms and filters of orders: what may be sent, and what it means to a command. Source: domain.md §1.2. */
import { z } from 'zod';
import type { OrderFilter, OrderRow } from '../db/reads/hosted-number-orders.ts';
import { ApiError } from '../domain/errors.ts';
import { orderStatuses, verificationTypes } from '../domain/hosted-number-order.ts';
import type { OrderChanges } from '../workflows/messages.ts';
import * as field from './fields.ts';
import type { NewOrder } from './order-commands.ts';

/** Fields of create and update alike. */
const labelFields = {
  FriendlyName: field.optional(field.text({ max: 64, code: 22116 })),
  UniqueName: field.optional(field.text({ max: 128, code: 22115 })),
  Email: field.optional(field.email()),
  CcEmails: field.list(field.email(), 50).optional(),
};
const verificationFields = {
  VerificationType: field.optional(field.choice(verificationTypes, 22120)),
  VerificationDocumentSid: field.optional(field.sid('verificationDocument', 22118)),
};

/** Query fields that narrow a list of orders. */
export const orderFilterFields = {
  Status: field.optional(field.choice(orderStatuses, 22111)),
  PhoneNumber: field.optional(field.phoneNumber()),
  IncomingPhoneNumberSid: field.optional(field.text({ max: 64 })),
  FriendlyName: field.optional(field.text({ max: 128 })),
  UniqueName: field.optional(field.text({ max: 128 })),
};

export const createOrderForm = z.object({
  PhoneNumber: field.phoneNumber(),
  SmsCapability: field.flag().optional().meta({ const: true, description: 'Has to be true' }),
  AccountSid: field.optional(field.sid('account', 21470)),
  ...labelFields,
  ...verificationFields,
  AddressSid: field.optional(field.sid('address', 22109)),
  SmsUrl: field.optional(field.httpUrl()),
  SmsMethod: field.optional(field.httpMethod()),
  SmsFallbackUrl: field.optional(field.httpUrl()),
  SmsFallbackMethod: field.optional(field.httpMethod()),
  SmsApplicationSid: field.optional(field.sid('application', 22108)),
  StatusCallbackUrl: field.optional(field.httpUrl()),
  StatusCallbackMethod: field.optional(field.httpMethod()),
});

export const updateOrderForm = z.object({
  ...labelFields,
  ...verificationFields,
  Status: field.optional(field.choice(orderStatuses, 22111)),
  VerificationCode: field.optional(field.text({ max: 64 })),
  Extension: field.optional(field.coded(z.string().regex(/^[0-9*#w]{1,64}$/), 22117)),
  CallDelay: field.optional(field.integer({ min: 0, max: 60, code: 21454 })),
});

export function orderFilterOf(
  query: {
    [Name in keyof typeof orderFilterFields]?: z.output<(typeof orderFilterFields)[Name]>;
  },
): OrderFilter {
  return {
    status: query.Status,
    phoneNumber: query.PhoneNumber,
    incomingPhoneNumberSid: query.IncomingPhoneNumberSid,
    friendlyName: query.FriendlyName,
    uniqueName: query.UniqueName,
  };
}

const billOnly = 'VerificationDocumentSid goes with VerificationType=phone-bill only';

export type CreateOrderForm = z.output<typeof createOrderForm>;

export function labelsOf(
  form: CreateOrderForm,
): Pick<NewOrder, 'friendlyName' | 'uniqueName' | 'email' | 'ccEmails'> {
  return {
    friendlyName: form.FriendlyName ?? null,
    uniqueName: form.UniqueName ?? null,
    email: form.Email ?? null,
    ccEmails: form.CcEmails ?? [],
  };
}

export function verificationOf(
  form: CreateOrderForm,
): Pick<NewOrder, 'verificationType' | 'verificationDocumentSid'> {
  const verificationType = form.VerificationType ?? 'phone-call';
  const verificationDocumentSid = form.VerificationDocumentSid ?? null;
  if (verificationDocumentSid !== null && verificationType !== 'phone-bill')
    throw new ApiError(22118, billOnly);
  return { verificationType, verificationDocumentSid };
}

/** With an application the four SMS fields are ignored. Source: domain.md §1.2. */
export function callbacksOf(
  form: CreateOrderForm,
): Pick<
  NewOrder,
  | 'statusCallbackUrl'
  | 'statusCallbackMethod'
  | 'smsUrl'
  | 'smsMethod'
  | 'smsFallbackUrl'
  | 'smsFallbackMethod'
  | 'smsApplicationSid'
> {
  const smsApplicationSid = form.SmsApplicationSid ?? null;
  const own = smsApplicationSid === null;
  return {
    statusCallbackUrl: form.StatusCallbackUrl ?? null,
    statusCallbackMethod: form.StatusCallbackMethod ?? 'POST',
    smsUrl: (own && form.SmsUrl) || null,
    smsMethod: (own && form.SmsMethod) || 'POST',
    smsFallbackUrl: (own && form.SmsFallbackUrl) || null,
    smsFallbackMethod: (own && form.SmsFallbackMethod) || 'POST',
    smsApplicationSid,
  };
}

/** Only what was sent: an absent field stays as it is, an empty one is taken away. */
export function changesOf(form: z.output<typeof updateOrderForm>): OrderChanges {
  return {
    ...(form.FriendlyName === undefined ? {} : { friendlyName: form.FriendlyName }),
    ...(form.UniqueName === undefined ? {} : { uniqueName: form.UniqueName }),
    ...(form.Email === undefined ? {} : { email: form.Email }),
    ...(form.CcEmails === undefined ? {} : { ccEmails: form.CcEmails }),
    ...(form.VerificationType ? { verificationType: form.VerificationType } : {}),
    ...(form.VerificationDocumentSid === undefined
      ? {}
      : { verificationDocumentSid: form.VerificationDocumentSid }),
    ...(form.Extension === undefined ? {} : { extension: form.Extension }),
    ...(typeof form.CallDelay === 'number' ? { callDelay: form.CallDelay } : {}),
  };
}

/** A proof goes with the phone-bill type only. Throws 22118. */
export function requireBillType(order: OrderRow, changes: OrderChanges): void {
  const type = changes.verificationType ?? order.verificationType;
  if (changes.verificationDocumentSid && type !== 'phone-bill') throw new ApiError(22118, billOnly);
}
