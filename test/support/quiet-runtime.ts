/** Temporal's SDK says only what went wrong. Imported for its effect, once per test process, before any connection. */
import { DefaultLogger, Runtime } from '@temporalio/worker';

Runtime.install({
  shutdownSignals: [],
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
});
