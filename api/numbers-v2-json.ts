/** Orders and documents as the numbers v2 API words them: the preview's resources with other names. Source: domain.md §1.11. */
import { z } from 'zod';
import type { DocumentRow } from '../db/reads/authorization-documents.ts';
import type { OrderRow } from '../db/reads/hosted-number-orders.ts';
import type { OrderSurroundings } from '../db/reads/order-state.ts';
import { factsOf } from '../domain/order-facts.ts';
import { nextStep } from '../domain/order-next-step.ts';
import { dependentOrderJson, dependentOrderSchema, documentJson, documentSchema } from './representations.ts';

export const ordersPath = '/v2/HostedNumber/Orders';
export const documentsPath = '/v2/HostedNumber/AuthorizationDocuments';

/** What v2 keeps of an order beyond the preview; stored with the number's other settings. */
export interface ContactSettings {
  readonly ContactTitle?: string;
  readonly ContactPhoneNumber?: string;
  readonly BulkHostingRequestSid?: string;
}

export const orderV2Schema = dependentOrderSchema
  .omit({ unique_name: true, verification_document_sid: true, extension: true, call_delay: true })
  .extend({
    contact_title: z.string().nullable(),
    contact_phone_number: z.string().nullable(),
    bulk_hosting_request_sid: z.string().nullable(),
    next_step: z.string().meta({ description: 'What has to happen next, in plain words' }),
    verification_call_delay: z.int(),
    verification_call_extension: z.string().nullable(),
    url: z.url(),
  })
  .meta({ id: 'HostedNumberOrderV2' });

export function orderV2Json(
  order: OrderRow & OrderSurroundings,
  publicUrl: string,
): z.infer<typeof orderV2Schema> {
  const {
    unique_name: _noName,
    verification_document_sid: _noProof,
    extension,
    call_delay,
    ...common
  } = dependentOrderJson(order);
  const contact: ContactSettings = order.otherSettings;
  return {
    ...common,
    contact_title: contact.ContactTitle ?? null,
    contact_phone_number: contact.ContactPhoneNumber ?? null,
    bulk_hosting_request_sid: contact.BulkHostingRequestSid ?? null,
    next_step: nextStep(factsOf(order)),
    verification_call_delay: call_delay,
    verification_call_extension: extension,
    url: `${publicUrl}${ordersPath}/${order.sid}`,
  };
}

export const documentV2Schema = documentSchema
  .extend({ links: z.object({ dependent_hosted_number_orders: z.url() }) })
  .meta({ id: 'AuthorizationDocumentV2' });

export function documentV2Json(document: DocumentRow, publicUrl: string): z.infer<typeof documentV2Schema> {
  const url = `${publicUrl}${documentsPath}/${document.sid}`;
  const links = { dependent_hosted_number_orders: `${url}/DependentHostedNumberOrders` };
  return { ...documentJson(document, publicUrl), url, links };
}
