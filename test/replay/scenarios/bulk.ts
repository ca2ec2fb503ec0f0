/** Paths of bulkRequest. */
import { newSid } from '../../../security/derived-sid.ts';
import { bulkWorkflowType } from '../../../workflows/messages.ts';
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
    play: async ({ client, taskQueue }) => {
      const requestSid = newSid('bulkOrder');
      const args = [{ requestSid }];
      await client.workflow.execute(bulkWorkflowType, { workflowId: requestSid, taskQueue, args });
      return requestSid;
    },
  },
];
