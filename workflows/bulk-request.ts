/**
 * Many numbers in one request: orders to place, or numbers to ask the registry about. Its id is the request's sid. It
 * goes through them batch by batch; what became of each is in the database, so that a crash repeats nothing that is done.
 */
import {
  ActivityFailure,
  continueAsNew,
  log,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import { bulkBatchSize } from '../domain/bulk-request.ts';
import type { BulkActivities, BulkProgress } from '../domain/ports.ts';
import { heartbeatTimeout } from './heartbeat.ts';
import { shielded } from './cancellation.ts';
import type { BulkRequestInput } from './messages.ts';

const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;

const { workBulkBatch } = proxyActivities<BulkActivities>({
  // A hundred numbers, twenty at a time, each with the registry's slowest answer.
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout,
  retry,
});
const { finishBulkRequest } = proxyActivities<BulkActivities>({
  startToCloseTimeout: '20 seconds',
  heartbeatTimeout,
  retry,
});
/** A mail that cannot be sent for a day is not worth keeping the request open for. */
const { mailBulkResult } = proxyActivities<BulkActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '1 day',
  heartbeatTimeout,
  retry,
});

/** A request to cancel changes nothing: half of the numbers would be done, and nobody could take the rest up again. */
export function bulkRequest(input: BulkRequestInput): Promise<BulkProgress> {
  return shielded(
    () => work(input),
    async () => log.warn('a request about many numbers is not canceled', { requestSid: input.requestSid }),
  );
}

async function work(input: BulkRequestInput): Promise<BulkProgress> {
  const { requestSid } = input;
  let progress = await workBulkBatch({ requestSid, size: bulkBatchSize });
  while (progress.done < progress.total) {
    setCurrentDetails(`${progress.done} of ${progress.total} numbers are done.`);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof bulkRequest>(input);
    progress = await workBulkBatch({ requestSid, size: bulkBatchSize });
  }
  await finishBulkRequest({ requestSid, at: new Date().toISOString() });
  setCurrentDetails(`All ${progress.total} numbers are done.`);
  await mailResult(requestSid, progress);
  return progress;
}

/** The results are with the API whether or not the mail about them goes out: the request is done all the same. */
async function mailResult(requestSid: string, { total }: BulkProgress): Promise<void> {
  try {
    await mailBulkResult({ requestSid });
  } catch (err) {
    if (!(err instanceof ActivityFailure)) throw err;
    log.warn('the mail about a bulk request could not be sent', { requestSid });
    setCurrentDetails(`All ${total} numbers are done. The mail about them could not be sent.`);
  }
}
