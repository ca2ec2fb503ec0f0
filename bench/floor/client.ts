/** Starts the floor's workflows, in a process of its own, and prints a LoadResult. Arguments: address, shape, load as JSON. */
import { randomUUID } from 'node:crypto';
import { Client, WithStartWorkflowOperation } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { closedLoop, type ClosedLoad } from '../load.ts';
import { answerUpdate, type oneActivity, type oneUpdate } from './workflows.ts';

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
});
const taskQueue = 'bench-floor';
const [, , address = '', shape, load = '{}'] = process.argv;
// The product's clients use the native connection, too.
const connection = await NativeConnection.connect({ address });
const { workflow } = new Client({ connection });

const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  'one-activity': () =>
    workflow.execute<typeof oneActivity>('oneActivity', { workflowId: randomUUID(), taskQueue }),
  'update-with-start': () =>
    workflow.executeUpdateWithStart(answerUpdate, {
      startWorkflowOperation: new WithStartWorkflowOperation<typeof oneUpdate>('oneUpdate', {
        workflowId: randomUUID(),
        taskQueue,
        workflowIdConflictPolicy: 'USE_EXISTING',
      }),
    }),
};
const call = calls[shape ?? ''];
if (!call) throw new Error(`no such shape: ${shape}`);
process.once('message', () => {
  void closedLoop(JSON.parse(load) as ClosedLoad, call).then((result) => {
    process.send?.(result, () => process.exit(0));
  });
});
// Warm: caches filled, code compiled.
await closedLoop({ concurrency: 16, count: 200 }, call);
process.send?.('ready');
