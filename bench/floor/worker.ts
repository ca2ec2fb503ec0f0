/** Worker of the floor's workflows, in a process of its own. Arguments: the server's address. */
import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
});
const [, , address = ''] = process.argv;
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue: 'bench-floor',
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  activities: { nothing: async () => {} },
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
await worker.run();
