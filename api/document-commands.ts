/** What may be done to an authorization document, by its owner. The signer acts from the signing page. */
import { TypedSearchAttributes } from '@temporalio/common';
import { findAddress } from '../db/reads/addresses.ts';
import { type DocumentRow, findDocument } from '../db/reads/authorization-documents.ts';
import { findOrderOwners } from '../db/reads/hosted-number-orders.ts';
import { ApiError } from '../domain/errors.ts';
import type { DocumentDetails } from '../domain/ports.ts';
import { isSid } from '../domain/sid.ts';
import { documentTimers } from '../settings.ts';
import * as messages from '../workflows/messages.ts';
import { accountSidAttribute } from '../workflows/search-attributes.ts';
import type { ApiDeps } from './deps.ts';
import { callWorkflow, startWithCall, WorkflowEnded, type WorkflowCall } from './workflow-calls.ts';

export interface NewDocument extends DocumentDetails {
  readonly sid: string;
  /** The caller's account: the document belongs to the account of its orders, that one or a sub-account. */
  readonly callerSid: string;
  readonly orderSids: readonly string[];
}

/** Creates a document and mails it for signature. The same sid again changes nothing. Throws 22101 and 22109. */
export async function createDocument(deps: ApiDeps, document: NewDocument): Promise<DocumentRow> {
  const { sid, callerSid, orderSids: given, ...details } = document;
  const stored = await findDocument(deps.db, callerSid, sid);
  if (stored) return stored;
  const orderSids = [...new Set(given)];
  const accountSid = await requireOneOwner(deps, callerSid, orderSids);
  await requireAddress(deps, accountSid, details.addressSid);
  const input: messages.AuthorizationDocumentInput = {
    ...details,
    sid,
    accountSid,
    orderSids,
    timers: documentTimers(deps.config),
  };
  await startWithCall(deps, {
    workflowType: messages.documentWorkflowType,
    update: messages.createDocumentUpdate,
    options: {
      workflowId: messages.documentWorkflowId(sid),
      taskQueue: deps.config.temporal.taskQueues.orders,
      args: [input],
      staticSummary: `Letter of authorization for ${orderSids.length} number(s) of ${accountSid}`,
      staticDetails: `Orders: ${orderSids.slice(0, 20).join(', ')}${orderSids.length > 20 ? ', …' : ''}`,
      typedSearchAttributes: new TypedSearchAttributes([{ key: accountSidAttribute, value: accountSid }]),
    },
  });
  return requireDocument(deps, callerSid, sid);
}

/** Changes a document. Throws 22101, 22107, 22109. */
export async function updateDocument(
  deps: ApiDeps,
  document: DocumentRow,
  update: messages.DocumentUpdate,
  updateId?: string,
): Promise<DocumentRow> {
  if (update.orderSids) {
    const owner = await requireOneOwner(deps, document.accountSid, update.orderSids);
    if (owner !== document.accountSid) throw new ApiError(22101);
  }
  await requireAddress(deps, document.accountSid, update.changes.addressSid ?? null);
  await callDocument(
    deps,
    { ...toDocument(document.sid, messages.updateDocumentUpdate, [update]), updateId },
    22107,
  );
  return requireDocument(deps, document.accountSid, document.sid);
}

/** Cancels a document that is not signed; its orders go back. Throws 20409. */
export async function cancelDocument(deps: ApiDeps, documentSid: string): Promise<void> {
  await callDocument(deps, toDocument(documentSid, messages.cancelDocumentUpdate, []), 20409);
}

/** The account of all these orders, which have to be known, seen by the caller and of one account. Throws 22101. */
async function requireOneOwner(
  deps: ApiDeps,
  callerSid: string,
  orderSids: readonly string[],
): Promise<string> {
  if (orderSids.length === 0 || !orderSids.every((sid) => isSid('hostedNumberOrder', sid)))
    throw new ApiError(22101);
  const orders = await findOrderOwners(deps.db, callerSid, orderSids);
  const owners = new Set(orders.map((order) => order.accountSid));
  const [owner] = owners;
  if (owner === undefined || owners.size > 1 || orders.length < new Set(orderSids).size)
    throw new ApiError(22101);
  return owner;
}

async function requireAddress(deps: ApiDeps, accountSid: string, addressSid: string | null): Promise<void> {
  if (addressSid === null) return;
  if (!(await findAddress(deps.db, accountSid, addressSid))) throw new ApiError(22109);
}

async function requireDocument(deps: ApiDeps, accountSid: string, sid: string): Promise<DocumentRow> {
  const document = await findDocument(deps.db, accountSid, sid);
  if (!document) throw new ApiError(20404);
  return document;
}

function toDocument<T, Args extends unknown[]>(
  documentSid: string,
  update: WorkflowCall<T, Args>['update'],
  args: Args,
): WorkflowCall<T, Args> {
  return { workflowId: messages.documentWorkflowId(documentSid), update, args };
}

/** Calls the document; one that has come to its end refuses with `endedCode`. */
async function callDocument<T, Args extends unknown[]>(
  deps: ApiDeps,
  call: WorkflowCall<T, Args>,
  endedCode: 20409 | 22107,
): Promise<T> {
  try {
    return await callWorkflow(deps, call);
  } catch (error) {
    throw error instanceof WorkflowEnded ? new ApiError(endedCode) : error;
  }
}
