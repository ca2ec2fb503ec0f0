/** Activities of a bulk request: its numbers, a batch at a time, and the mail at its end. */
import { cancellationSignal } from '@temporalio/activity';
import {
  countWaitingBulkItems,
  findAnyBulkRequest,
  listWaitingBulkItems,
  readBulkResults,
  type BulkItemRow,
  type BulkRequestRow,
} from '../db/reads/bulk-requests.ts';
import { startBulkRequest, writeBulkCompletion, writeBulkOutcome } from '../db/writes/bulk-requests.ts';
import type { BulkOutcome } from '../domain/bulk-request.ts';
import { eachOf } from '../domain/pool.ts';
import type { BulkActivities } from '../domain/ports.ts';
import { checkBulkItem } from './bulk-eligibility.ts';
import { bulkResultMail } from './bulk-mail.ts';
import { placeBulkItem } from './bulk-orders.ts';
import type { ActivityDeps } from './deps.ts';
import { permanentFailure } from './failures.ts';

/** Numbers that are worked on at the same time. */
const concurrency = 20;

export function createBulkActivities(deps: ActivityDeps): BulkActivities {
  const { db, gateways, log } = deps;
  return {
    async workBulkBatch({ requestSid, size }) {
      const request = await requireRequest(deps, requestSid);
      await startBulkRequest(db, requestSid, new Date());
      const items = await listWaitingBulkItems(db, requestSid, size);
      // The first failure ends it: the next try goes on with what is left.
      await eachOf(items, concurrency, async (item) => {
        // Given up by the server: another attempt is at it.
        cancellationSignal().throwIfAborted();
        await writeBulkOutcome(db, item, await outcomeOf(deps, request, item));
      });
      const left = await countWaitingBulkItems(db, requestSid);
      return { done: request.totalCount - left, total: request.totalCount };
    },

    async finishBulkRequest({ requestSid, at }) {
      await writeBulkCompletion(db, requestSid, new Date(at));
    },

    async mailBulkResult({ requestSid }) {
      const request = await requireRequest(deps, requestSid);
      if (request.notificationEmail === null) return;
      const results = await readBulkResults(db, requestSid);
      const answer = await gateways.mail.send(
        bulkResultMail({ ...request, notificationEmail: request.notificationEmail }, results, deps.publicUrl),
      );
      if ('refused' in answer)
        log.warn({ requestSid }, 'the mail server refused the address of a bulk request');
    },
  };
}

function outcomeOf(deps: ActivityDeps, request: BulkRequestRow, item: BulkItemRow): Promise<BulkOutcome> {
  return request.kind === 'order' ? placeBulkItem(deps, item) : checkBulkItem(deps, item);
}

async function requireRequest({ db }: ActivityDeps, sid: string): Promise<BulkRequestRow> {
  const request = await findAnyBulkRequest(db, sid);
  if (!request) throw permanentFailure('The bulk request is not in the database', 'BulkRequestNotFound');
  return request;
}
