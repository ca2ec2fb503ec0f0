/** The clock of a request about many numbers. */
import { ApplicationFailure } from '@temporalio/common';
import { expect, it } from 'vitest';
import { newSid } from '../../security/derived-sid.ts';
import { bulkWorkflowType } from '../../workflows/messages.ts';
import { gate } from '../support/gate.ts';
import { describeInSkippedTime, worldsOf } from '../support/time-skipping.ts';
import { until } from '../support/until.ts';

describeInSkippedTime('a bulk request, as time goes by', (env) => {
  const inWorld = worldsOf(env);

  it('is done though its mail cannot be sent for a day', () => {
    // Further apart than the service's own tries, whose number the test server takes long over.
    const failure = { message: 'the mail server is down', nextRetryDelay: '5 hours' } as const;
    const mailBulkResult = () => Promise.reject(ApplicationFailure.create(failure));
    return inWorld(
      async ({ client, taskQueue, asked }) => {
        const requestSid = newSid('bulkOrder');
        const options = { workflowId: requestSid, taskQueue, args: [{ requestSid }] };
        expect(await client.workflow.execute(bulkWorkflowType, options)).toEqual({ done: 2, total: 2 });
        expect(asked('mailBulkResult').length).toBeGreaterThan(3);
      },
      { mailBulkResult },
    );
  });

  it('goes on to its end when Temporal is asked to cancel it: half of it could not be taken up again', () => {
    const { passed, open } = gate();
    return inWorld(
      async ({ client, taskQueue, asked }) => {
        const requestSid = newSid('bulkOrder');
        const options = { workflowId: requestSid, taskQueue, args: [{ requestSid }] };
        const handle = await client.workflow.start(bulkWorkflowType, options);
        await until(() => asked('workBulkBatch').length === 1);
        await handle.cancel();
        open();
        expect(await handle.result()).toEqual({ done: 2, total: 2 });
        expect(asked('finishBulkRequest')).toHaveLength(1);
      },
      { workBulkBatch: () => passed.then(() => ({ done: 2, total: 2 })) },
    );
  });
});
