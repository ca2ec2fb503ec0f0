/** /v2/HostedNumber/AuthorizationDocuments: the newer shape of documents, over the same commands. Source: domain.md §1.11. */
import { z } from 'zod';
import { type DocumentRow, listDocuments } from '../db/reads/authorization-documents.ts';
import { listOrders } from '../db/reads/hosted-number-orders.ts';
import { createDocumentForm, documentByForm, documentFilterFields } from './authorization-documents.ts';
import { cancelDocument } from './document-commands.ts';
import * as field from './fields.ts';
import { orderFilterFields, orderFilterOf } from './hosted-number-order-forms.ts';
import { documentsPath as path, documentV2Json, documentV2Schema, orderV2Schema } from './numbers-v2-json.ts';
import { orderV2Writer } from './numbers-v2-orders.ts';
import { operation, type Operation } from './operation.ts';
import { pageRequest, pagingFields, previewList, previewListSchema } from './paging.ts';
import { requireDocument } from './required-rows.ts';

const common = { tag: 'Numbers v2', auth: 'account' } as const;
const documentAnswer = { description: 'The document', schema: documentV2Schema };
const { UniqueName: _noUniqueNames, ...filterFields } = orderFilterFields;

const createOperation = operation({
  ...common,
  id: 'createAuthorizationDocumentV2',
  method: 'POST',
  path,
  summary: 'Create a letter of authorization and mail it for signature',
  form: createDocumentForm.extend({
    AddressSid: field.sid('address', 22109),
    ContactPhoneNumber: field.telephone(),
  }),
  responses: { 201: documentAnswer },
  handler: async ({ ctx, deps, account, form, newSid }) => {
    const document = await documentByForm(deps, account.sid, form, newSid('authorizationDocument'));
    return ctx.json(documentV2Json(document, deps.config.env.publicUrl), 201);
  },
});

const fetchOperation = operation({
  ...common,
  id: 'fetchAuthorizationDocumentV2',
  method: 'GET',
  path: `${path}/{Sid}`,
  summary: 'Fetch a document',
  responses: { 200: documentAnswer },
  handler: async ({ ctx, deps, account, params }) =>
    ctx.json(documentV2Json(await requireDocument(deps, account.sid, params.Sid), deps.config.env.publicUrl)),
});

const deleteOperation = operation({
  ...common,
  id: 'deleteAuthorizationDocumentV2',
  method: 'DELETE',
  path: `${path}/{Sid}`,
  summary: 'Cancel a document that is not signed',
  responses: { 204: { description: 'Canceled' } },
  errors: [20409],
  handler: async ({ ctx, deps, account, params }) => {
    const document = await requireDocument(deps, account.sid, params.Sid);
    await cancelDocument(deps, document.sid);
    return ctx.body(null, 204);
  },
});

const listOperation = operation({
  ...common,
  id: 'listAuthorizationDocumentsV2',
  method: 'GET',
  path,
  summary: 'List documents, newest first',
  query: z.object({ ...documentFilterFields, ...pagingFields }),
  responses: { 200: { description: 'A page of documents', schema: previewListSchema(documentV2Schema) } },
  handler: async ({ ctx, deps, account, query }) => {
    const request = pageRequest(query);
    const { publicUrl } = deps.config.env;
    const filter = { email: query.Email, status: query.Status };
    const page = await listDocuments(deps.db, account.sid, filter, request);
    const toItem = (row: DocumentRow): z.infer<typeof documentV2Schema> => documentV2Json(row, publicUrl);
    const address = publicUrl + path;
    return ctx.json(previewList({ address, requestUrl: ctx.req.url, request, page, toItem }));
  },
});

const listDependents = operation({
  ...common,
  id: 'listDependentHostedNumberOrdersV2',
  method: 'GET',
  path: `${path}/{SigningDocumentSid}/DependentHostedNumberOrders`,
  summary: 'List the orders of a document',
  query: z.object({ ...filterFields, ...pagingFields }),
  responses: { 200: { description: 'A page of orders', schema: previewListSchema(orderV2Schema) } },
  handler: async ({ ctx, deps, account, params, query }) => {
    const document = await requireDocument(deps, account.sid, params.SigningDocumentSid);
    const request = pageRequest(query);
    const filter = { ...orderFilterOf(query), signingDocumentSid: document.sid };
    const page = await listOrders(deps.db, document.accountSid, filter, request);
    const toItem = await orderV2Writer(deps, page.rows);
    const address = `${deps.config.env.publicUrl}${path}/${document.sid}/DependentHostedNumberOrders`;
    return ctx.json(previewList({ address, requestUrl: ctx.req.url, request, page, toItem }));
  },
});

export const documentsV2Operations: readonly Operation[] = [
  createOperation,
  listOperation,
  fetchOperation,
  deleteOperation,
  listDependents,
];
