/** What may be done to an authorization document, by its owner. The signer acts from the signing page. */
import { setTimeout as delay } from 'node:timers/promises';
import { TypedSearchAttributes } from '@temporalio/common';
import {
  type DocumentRow,
  findDocument,
  hasOrdersToFree,
  listDocumentOrders,
} from '../db/reads/authorization-documents.ts';
import { ApiError } from '../domain/errors.ts';
import type { DocumentDetails } from '../domain/ports.ts';
import { documentTimers } from '../settings.ts';
import * as messages from '../workflows/messages.ts';
import type { ApiDeps } from './deps.ts';
import { addressOfOrders, joinRefusal, requireLetterAddress, requireOrders } from './document-orders.ts';
import { requireDocument } from './required-rows.ts';
import {
  callWorkflow,
  startWithCall,
  WorkflowEnded,
  type UpdateKey,
  type WorkflowCall,
} from './workflow-calls.ts';

/** How long a request waits for orders to be off a document. Milliseconds; one takes some 40. */
const freeingPatienceMs = 15_000;

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
  const orderSids = inOneOrder(given);
  const { accountSid, orders } = await requireOrders(deps, callerSid, orderSids);
  await requireLetterAddress(deps, accountSid, {
    own: details.addressSid,
    ofOrders: addressOfOrders(orders),
  });
  const input: messages.AuthorizationDocumentInput = {
    ...details,
    sid,
    accountSid,
    orderSids,
    timers: documentTimers(deps.config),
  };
  const start = {
    workflowType: messages.documentWorkflowType,
    update: messages.createDocumentUpdate,
    options: {
      workflowId: messages.documentWorkflowId(sid),
      taskQueue: deps.config.temporal.taskQueues.orders,
      workflowTaskTimeout: deps.config.temporal.workflowTaskTimeout,
      args: [input],
      staticSummary: `Letter of authorization for ${orderSids.length} number(s) of ${accountSid}`,
      staticDetails: `Orders: ${orderSids.slice(0, 20).join(', ')}${orderSids.length > 20 ? ', …' : ''}`,
      typedSearchAttributes: new TypedSearchAttributes([
        { key: messages.accountSidAttribute, value: accountSid },
      ]),
    },
  };
  await explained(deps, input, orderSids, () => startWithCall(deps, start));
  return requireDocument(deps, callerSid, sid);
}

/** Changes a document. Throws 22101, 22107, 22109. */
export async function updateDocument(
  deps: ApiDeps,
  document: DocumentRow,
  update: messages.DocumentUpdate,
  updateKey: UpdateKey = {},
): Promise<DocumentRow> {
  await requireUsable(deps, document, update);
  const asked = update.orderSids ? { ...update, orderSids: inOneOrder(update.orderSids) } : update;
  const call = { ...toDocument(document.sid, messages.updateDocumentUpdate, [asked]), ...updateKey };
  await explained(deps, document, update.orderSids ?? [], () => callDocument(deps, call, 22107));
  const changed = await requireDocument(deps, document.accountSid, document.sid);
  if (update.orderSids) await untilOrdersAreFree(deps, changed);
  return changed;
}

/** Of two documents at a time that want the same orders one gets them: both ask in the same order. */
const inOneOrder = (orderSids: readonly string[]): readonly string[] => [...new Set(orderSids)].sort();

/** Cancels a document that is not signed; its orders go back. Throws 20409. */
export async function cancelDocument(deps: ApiDeps, documentSid: string): Promise<void> {
  await callDocument(deps, toDocument(documentSid, messages.cancelDocumentUpdate, []), 20409);
  await untilOrdersAreFree(deps, { sid: documentSid, status: 'canceled' });
}

/** A document tells its orders one after another; who is answered finds them free to join another. */
async function untilOrdersAreFree(
  deps: ApiDeps,
  document: Pick<DocumentRow, 'sid' | 'status'>,
): Promise<void> {
  const patience = Date.now() + freeingPatienceMs;
  while (Date.now() < patience && (await hasOrdersToFree(deps.db, document))) await delay(50);
}

/** Refuses what could not become a letter before the workflow is asked. Throws 22101 and 22109. */
async function requireUsable(
  deps: ApiDeps,
  document: DocumentRow,
  { orderSids, changes, status }: messages.DocumentUpdate,
): Promise<void> {
  const given = orderSids && (await requireOrders(deps, document.accountSid, orderSids));
  if (given && given.accountSid !== document.accountSid) throw new ApiError(22101);
  const { accountSid } = document;
  if (changes.addressSid)
    return requireLetterAddress(deps, accountSid, { own: changes.addressSid, ofOrders: null });
  // The address may have been changed since; it is looked at again before it is mailed.
  if (status !== 'signing') return;
  const own = changes.addressSid === undefined ? document.addressSid : null;
  const orders = given?.orders ?? (await listDocumentOrders(deps.db, document.sid));
  await requireLetterAddress(deps, accountSid, { own, ofOrders: addressOfOrders(orders) });
}

/** Where the document would not take its orders, the answer says which of them and why. */
async function explained(
  deps: ApiDeps,
  document: { readonly sid: string; readonly accountSid: string },
  orderSids: readonly string[],
  call: () => Promise<unknown>,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    const refused = error instanceof ApiError && error.code === 22101;
    throw refused ? await joinRefusal(deps, document, orderSids) : error;
  }
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
