/** The workers: one per task queue, with the slots, polls and caches that `temporal.yaml` gives them. */
import type { DataConverter } from '@temporalio/common';
import { Worker, type NativeConnection, type WorkerOptions, type WorkflowBundle } from '@temporalio/worker';
import { failureInterceptor } from './activities/failures.ts';
import { heartbeatInterceptor } from './activities/heartbeat.ts';
import type { Activities } from './activities/index.ts';
import type { DeliveryActivities } from './domain/ports.ts';
import type { Settings } from './settings.ts';

export interface WorkersOptions<T extends object> {
  readonly connection: NativeConnection;
  readonly activities: T;
  readonly settings: Settings;
  /** See `workflowBundle`; the same for every worker of a process. */
  readonly bundle: WorkflowBundle;
  /** The same as the clients'. */
  readonly dataConverter: DataConverter;
}

/** Every worker of the service: orders (documents too), messages, deliveries. */
export async function createWorkers(options: WorkersOptions<Activities>): Promise<readonly Worker[]> {
  const { taskQueues, orderWorker } = options.settings.temporal;
  return Promise.all([
    createWorker(options, taskQueues.orders, orderWorker),
    createWorker(options, taskQueues.messages, orderWorker),
    createDeliveryWorker(options),
  ]);
}

/**
 * The worker of the delivery queue alone: in a process that starts deliveries, the first attempt needs no round trip
 * to the server (eager start), when the starting client uses this worker's connection.
 */
export function createDeliveryWorker(options: WorkersOptions<DeliveryActivities>): Promise<Worker> {
  const { taskQueues, deliveryWorker } = options.settings.temporal;
  return createWorker(options, taskQueues.deliveries, deliveryWorker);
}

type Slots = Settings['temporal']['orderWorker'];

function createWorker(options: WorkersOptions<object>, taskQueue: string, slots: Slots): Promise<Worker> {
  const { connection, activities, settings, bundle, dataConverter } = options;
  const { namespace, stickyQueueTimeout, maxCachedWorkflows } = settings.temporal;
  const workerOptions: WorkerOptions = {
    connection,
    namespace,
    taskQueue,
    activities,
    dataConverter,
    workflowBundle: bundle,
    interceptors: { activity: [failureInterceptor, heartbeatInterceptor] },
    stickyQueueScheduleToStartTimeout: stickyQueueTimeout,
    // The SDK carries out no more workflow tasks at a time than it may keep workflows.
    maxCachedWorkflows: Math.max(maxCachedWorkflows, slots.workflowTasks),
    maxConcurrentWorkflowTaskExecutions: slots.workflowTasks,
    maxConcurrentWorkflowTaskPolls: slots.workflowTaskPolls,
    maxConcurrentActivityTaskExecutions: slots.activities,
    maxConcurrentActivityTaskPolls: slots.activityTaskPolls,
    maxConcurrentLocalActivityExecutions: slots.localActivities,
    shutdownGraceTime: '5 seconds',
    shutdownForceTime: '10 seconds',
  };
  return Worker.create(workerOptions);
}
