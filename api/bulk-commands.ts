/** What may be done with bulk requests: one command for both kinds. */
import { TypedSearchAttributes } from '@temporalio/common';
import { findBulkRequest, type BulkRequestRow } from '../db/reads/bulk-requests.ts';
import { insertBulkRequest, type NewBulkItem, type NewBulkRequest } from '../db/writes/configuration.ts';
import { ApiError } from '../domain/errors.ts';
import * as messages from '../workflows/messages.ts';
import type { ApiDeps } from './deps.ts';
import { startOnce } from './workflow-calls.ts';

/** Stores a request with its numbers and starts its workflow. The same sid again changes nothing. */
export async function createBulkRequest(
  deps: ApiDeps,
  request: Omit<NewBulkRequest, 'at'>,
  items: readonly NewBulkItem[],
): Promise<BulkRequestRow> {
  const { sid, accountSid, kind } = request;
  const stored = await findBulkRequest(deps.db, { accountSid, sid, kind });
  if (!stored) await insertBulkRequest(deps.db, { ...request, at: new Date() }, items);
  const input: messages.BulkRequestInput = { requestSid: sid };
  await startOnce(deps, messages.bulkWorkflowType, {
    workflowId: messages.bulkWorkflowId(sid),
    taskQueue: deps.config.temporal.taskQueues.orders,
    args: [input],
    staticSummary: `${kind === 'order' ? 'Host' : 'Check'} ${items.length} numbers for ${accountSid}`,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: messages.accountSidAttribute, value: accountSid },
    ]),
  });
  return requireBulkRequest(deps, { accountSid, sid, kind });
}

/** Throws 20404. */
export async function requireBulkRequest(
  deps: ApiDeps,
  question: Pick<BulkRequestRow, 'accountSid' | 'sid' | 'kind'>,
): Promise<BulkRequestRow> {
  const request = await findBulkRequest(deps.db, question);
  if (!request) throw new ApiError(20404);
  return request;
}
