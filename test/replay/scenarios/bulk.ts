/** Paths of bulkRequest. */
import { ApplicationFailure } from '@temporalio/common';
import { newSid } from '../../../security/derived-sid.ts';
import { bulkWorkflowType } from '../../../workflows/messages.ts';
import type { FakeWorld } from '../../support/fake-world.ts';
import type { Scenario } from './scenario.ts';

export const bulkScenarios: readonly Scenario[] = [
  {
    name: 'bulk-request-in-three-batches',
    answers: {
      workBulkBatch: (() => {
        let batches = 0;
        return async () => ({ done: (batches += 1), total: 3 });
      })(),
    },
    play: request,
  },
  {
    name: 'bulk-request-without-its-mail',
    answers: { mailBulkResult: () => Promise.reject(ApplicationFailure.nonRetryable('no such server')) },
    play: request,
  },
];

async function request({ client, taskQueue }: FakeWorld): Promise<string> {
  const requestSid = newSid('bulkOrder');
  const args = [{ requestSid }];
  await client.workflow.execute(bulkWorkflowType, { workflowId: requestSid, taskQueue, args });
  return requestSid;
}
