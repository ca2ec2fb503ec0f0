/** Rows on the wire: the hosted-number resources. Fields and formats: domain.md §1.3, §1.4. */
import { z } from 'zod';
import type { DocumentRow } from '../db/reads/authorization-documents.ts';
import type { OrderRow } from '../db/reads/hosted-number-orders.ts';
import type { TimelineRow } from '../db/reads/timeline.ts';
import { documentStatuses } from '../domain/authorization-document.ts';
import { orderStatuses, verificationTypes } from '../domain/hosted-number-order.ts';
import { actors } from '../domain/timeline.ts';
import { isoDate } from './dates.ts';

const date = z.string().meta({ format: 'date-time', examples: ['2026-03-01T09:30:00Z'] });

/** A dependent order has the same fields but `url`. */
export const dependentOrderSchema = z
  .object({
    sid: z.string().meta({ examples: ['HR0123456789abcdef0123456789abcdef'] }),
    account_sid: z.string(),
    incoming_phone_number_sid: z.string(),
    address_sid: z.string().nullable(),
    signing_document_sid: z.string().nullable(),
    phone_number: z.string().meta({ description: 'E.164' }),
    capabilities: z.object({ sms: z.boolean(), voice: z.boolean() }),
    friendly_name: z.string().nullable(),
    unique_name: z.string().nullable(),
    status: z.enum(orderStatuses),
    failure_reason: z.string().nullable(),
    date_created: date,
    date_updated: date,
    verification_attempts: z.int(),
    email: z.string().nullable(),
    cc_emails: z.array(z.string()),
    verification_type: z.enum(verificationTypes),
    verification_document_sid: z.string().nullable(),
    extension: z.string().nullable(),
    call_delay: z.int().meta({ description: 'Seconds' }),
    verification_code: z.string().nullable().meta({ description: 'Six digits, while a call is on' }),
    verification_call_sids: z.array(z.string()),
  })
  .meta({ id: 'DependentHostedNumberOrder' });

export const orderSchema = dependentOrderSchema
  .extend({ url: z.url() })
  .meta({ id: 'HostedNumberOrder', description: 'An order to host a number' });

export function dependentOrderJson(order: OrderRow): z.infer<typeof dependentOrderSchema> {
  return {
    sid: order.sid,
    account_sid: order.accountSid,
    incoming_phone_number_sid: order.incomingPhoneNumberSid,
    address_sid: order.addressSid,
    signing_document_sid: order.signingDocumentSid,
    phone_number: order.phoneNumber,
    capabilities: { sms: true, voice: false },
    friendly_name: order.friendlyName,
    unique_name: order.uniqueName,
    status: order.status,
    failure_reason: order.failureReason,
    date_created: isoDate(order.dateCreated),
    date_updated: isoDate(order.dateUpdated),
    verification_attempts: order.verificationAttempts,
    email: order.email,
    cc_emails: [...order.ccEmails],
    verification_type: order.verificationType,
    verification_document_sid: order.verificationDocumentSid,
    extension: order.extension,
    call_delay: order.callDelay,
    verification_code: order.verificationCode,
    verification_call_sids: [...order.verificationCallSids],
  };
}

export function orderJson(order: OrderRow, publicUrl: string): z.infer<typeof orderSchema> {
  return { ...dependentOrderJson(order), url: `${publicUrl}/HostedNumbers/HostedNumberOrders/${order.sid}` };
}

export const documentSchema = z
  .object({
    sid: z.string().meta({ examples: ['PX0123456789abcdef0123456789abcdef'] }),
    address_sid: z.string().nullable(),
    status: z.enum(documentStatuses),
    failure_reason: z.string().nullable(),
    email: z.string(),
    cc_emails: z.array(z.string()),
    date_created: date,
    date_updated: date,
    url: z.url(),
    links: z.object({
      dependent_hosted_number_orders: z.url(),
      letter: z.url(),
      signed: z.url(),
      timeline: z.url(),
    }),
  })
  .meta({ id: 'AuthorizationDocument', description: 'A letter of authorization (LOA) and its signature' });

export function documentJson(document: DocumentRow, publicUrl: string): z.infer<typeof documentSchema> {
  const url = `${publicUrl}/HostedNumbers/AuthorizationDocuments/${document.sid}`;
  return {
    sid: document.sid,
    address_sid: document.addressSid,
    status: document.status,
    failure_reason: document.failureReason,
    email: document.email,
    cc_emails: [...document.ccEmails],
    date_created: isoDate(document.dateCreated),
    date_updated: isoDate(document.dateUpdated),
    url,
    links: {
      dependent_hosted_number_orders: `${url}/DependentHostedNumberOrders`,
      letter: `${url}/Letter.pdf`,
      signed: `${url}/Signed.pdf`,
      timeline: `${url}/Timeline`,
    },
  };
}

export const timelineEntrySchema = z
  .object({
    sequence: z.int(),
    date: date,
    actor: z
      .string()
      .meta({ description: `${actors.slice(0, -1).join(', ')} or ${actors.slice(-1).join()}` }),
    what: z.string(),
    why: z.string().nullable(),
    status: z.string().meta({ description: 'Status after the entry' }),
  })
  .meta({ id: 'TimelineEntry' });

export function timelineEntryJson(entry: TimelineRow): z.infer<typeof timelineEntrySchema> {
  return {
    sequence: entry.sequence,
    date: isoDate(entry.at),
    actor: entry.actor,
    what: entry.what,
    why: entry.why,
    status: entry.status,
  };
}
