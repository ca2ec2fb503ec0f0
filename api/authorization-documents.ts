/** /HostedNumbers/AuthorizationDocuments. Source: service.md §4, domain.md §1.4; DELETE is the v2 API's. */
import { z } from 'zod';
import { type DocumentRow, listDocuments } from '../db/reads/authorization-documents.ts';
import { listOrders } from '../db/reads/hosted-number-orders.ts';
import { readTimeline } from '../db/reads/timeline.ts';
import { documentStatuses } from '../domain/authorization-document.ts';
import type { DocumentDetails } from '../domain/ports.ts';
import type { ApiDeps } from './deps.ts';
import { cancelDocument, createDocument, updateDocument } from './document-commands.ts';
import * as field from './fields.ts';
import { orderFilterFields, orderFilterOf } from './hosted-number-order-forms.ts';
import { operation, type Operation } from './operation.ts';
import { pageRequest, pagingFields, previewList, previewListSchema } from './paging.ts';
import {
  dependentOrderJson,
  dependentOrderSchema,
  documentJson,
  documentSchema,
  timelineEntryJson,
  timelineEntrySchema,
} from './representations.ts';
import { requireDocument } from './required-rows.ts';

const path = '/HostedNumbers/AuthorizationDocuments';
const tag = 'Authorization documents';
const documentAnswer = { description: 'The document', schema: documentSchema };

const detailFields = {
  AddressSid: field.optional(field.sid('address', 22109)),
  ContactTitle: field.optional(field.line({ max: 128 })),
  ContactPhoneNumber: field.optional(field.telephone()),
  CcEmails: field.list(field.email(), 50).optional(),
};

/** Orders of one document: it takes them in one after another while the request waits. Decision 0021. */
const maxOrders = 200;
const orderSidsField = field.list(field.sid('hostedNumberOrder', 22101), maxOrders);

export const createDocumentForm = z.object({
  HostedNumberOrderSids: orderSidsField,
  Email: field.email(),
  ...detailFields,
});

export const documentFilterFields = {
  Email: field.optional(field.text({ max: 254 })),
  Status: field.optional(field.choice(documentStatuses, 22122)),
};

const updateForm = z.object({
  HostedNumberOrderSids: orderSidsField.optional(),
  Email: field.optional(field.email()),
  ...detailFields,
  Status: field.optional(field.choice(['opened', 'signing'], 22122)),
});

const createOperation = operation({
  id: 'createAuthorizationDocument',
  method: 'POST',
  path,
  tag,
  summary: 'Create a letter of authorization and mail it for signature',
  description:
    'The letter is made from the address of the document, else of its orders; what is missing the signer fills in.',
  auth: 'account',
  form: createDocumentForm,
  responses: { 201: documentAnswer },
  handler: async ({ ctx, deps, account, form, newSid }) => {
    const document = await documentByForm(deps, account.sid, form, newSid('authorizationDocument'));
    return ctx.json(documentJson(document, deps.config.env.publicUrl), 201);
  },
});

const fetchOperation = operation({
  id: 'fetchAuthorizationDocument',
  method: 'GET',
  path: `${path}/{Sid}`,
  tag,
  summary: 'Fetch a document',
  auth: 'account',
  responses: { 200: documentAnswer },
  handler: async ({ ctx, deps, account, params }) =>
    ctx.json(documentJson(await requireDocument(deps, account.sid, params.Sid), deps.config.env.publicUrl)),
});

const updateOperation = operation({
  id: 'updateAuthorizationDocument',
  method: 'POST',
  path: `${path}/{Sid}`,
  tag,
  summary: 'Change a document, reopen it or mail it again',
  description:
    'A document in signing has to be set back to `opened` before its data may change; `signing` mails it again.',
  auth: 'account',
  form: updateForm,
  responses: { 200: documentAnswer },
  errors: [22107],
  handler: async ({ ctx, deps, account, params, form, updateKey }) => {
    const document = await requireDocument(deps, account.sid, params.Sid);
    const changes = changesOf(form);
    const update = {
      changes,
      ...(form.Status ? { status: form.Status } : {}),
      ...(form.HostedNumberOrderSids ? { orderSids: form.HostedNumberOrderSids } : {}),
    };
    const nothing = Object.keys(update).length === 1 && Object.keys(changes).length === 0;
    const changed = nothing ? document : await updateDocument(deps, document, update, updateKey);
    return ctx.json(documentJson(changed, deps.config.env.publicUrl));
  },
});

const deleteOperation = operation({
  id: 'deleteAuthorizationDocument',
  method: 'DELETE',
  path: `${path}/{Sid}`,
  tag,
  summary: 'Cancel a document that is not signed',
  description:
    'Its orders go back to verified, pending-verification (while a call or a phone bill is under way) or received; one in ' +
    'action-required stays there.',
  auth: 'account',
  responses: { 204: { description: 'Canceled' } },
  errors: [20409],
  handler: async ({ ctx, deps, account, params }) => {
    const document = await requireDocument(deps, account.sid, params.Sid);
    await cancelDocument(deps, document.sid);
    return ctx.body(null, 204);
  },
});

const listOperation = operation({
  id: 'listAuthorizationDocuments',
  method: 'GET',
  path,
  tag,
  summary: 'List documents, newest first',
  auth: 'account',
  query: z.object({ ...documentFilterFields, ...pagingFields }),
  responses: { 200: { description: 'A page of documents', schema: previewListSchema(documentSchema) } },
  handler: async ({ ctx, deps, account, query }) => {
    const request = pageRequest(query);
    const { publicUrl } = deps.config.env;
    const filter = { email: query.Email, status: query.Status };
    const page = await listDocuments(deps.db, account.sid, filter, request);
    const toItem = (row: DocumentRow): z.infer<typeof documentSchema> => documentJson(row, publicUrl);
    return ctx.json(
      previewList({ address: publicUrl + path, requestUrl: ctx.req.url, request, page, toItem }),
    );
  },
});

const listDependents = operation({
  id: 'listDependentHostedNumberOrders',
  method: 'GET',
  path: `${path}/{SigningDocumentSid}/DependentHostedNumberOrders`,
  tag,
  summary: 'List the orders of a document',
  auth: 'account',
  query: z.object({ ...orderFilterFields, ...pagingFields }),
  responses: { 200: { description: 'A page of orders', schema: previewListSchema(dependentOrderSchema) } },
  handler: async ({ ctx, deps, account, params, query }) => {
    const document = await requireDocument(deps, account.sid, params.SigningDocumentSid);
    const request = pageRequest(query);
    const filter = { ...orderFilterOf(query), signingDocumentSid: document.sid };
    const page = await listOrders(deps.db, document.accountSid, filter, request);
    const address = `${deps.config.env.publicUrl}${path}/${document.sid}/DependentHostedNumberOrders`;
    return ctx.json(
      previewList({ address, requestUrl: ctx.req.url, request, page, toItem: dependentOrderJson }),
    );
  },
});

const fetchTimeline = operation({
  id: 'fetchAuthorizationDocumentTimeline',
  method: 'GET',
  path: `${path}/{Sid}/Timeline`,
  tag,
  summary: 'The life of a document: mailed, opened, signed and by whom',
  auth: 'account',
  responses: {
    200: {
      description: 'All entries, oldest first',
      schema: z.object({ sid: z.string(), timeline: z.array(timelineEntrySchema) }),
    },
  },
  handler: async ({ ctx, deps, account, params }) => {
    const document = await requireDocument(deps, account.sid, params.Sid);
    const entries = await readTimeline(deps.db, document.sid);
    return ctx.json({ sid: document.sid, timeline: entries.map(timelineEntryJson) });
  },
});

export const authorizationDocumentOperations: readonly Operation[] = [
  createOperation,
  listOperation,
  fetchOperation,
  updateOperation,
  deleteOperation,
  listDependents,
  fetchTimeline,
];

/** Creates the document a form words, whichever API it came through. Throws as `createDocument`. */
export function documentByForm(
  deps: ApiDeps,
  callerSid: string,
  form: z.output<typeof createDocumentForm>,
  sid: string,
): Promise<DocumentRow> {
  return createDocument(deps, {
    sid,
    callerSid,
    orderSids: form.HostedNumberOrderSids,
    email: form.Email,
    ccEmails: form.CcEmails ?? [],
    addressSid: form.AddressSid ?? null,
    contactTitle: form.ContactTitle ?? null,
    contactPhoneNumber: form.ContactPhoneNumber ?? null,
  });
}

/** Only what was sent: an absent field stays as it is, an empty one is taken away. The e-mail address cannot be. */
function changesOf(form: z.output<typeof updateForm>): Partial<DocumentDetails> {
  return {
    ...(form.Email ? { email: form.Email } : {}),
    ...(form.AddressSid === undefined ? {} : { addressSid: form.AddressSid }),
    ...(form.ContactTitle === undefined ? {} : { contactTitle: form.ContactTitle }),
    ...(form.ContactPhoneNumber === undefined ? {} : { contactPhoneNumber: form.ContactPhoneNumber }),
    ...(form.CcEmails === undefined ? {} : { ccEmails: form.CcEmails }),
  };
}
