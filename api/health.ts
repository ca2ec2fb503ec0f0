/** Whether the service is alive, and whether it can do its work: a database that takes changes, Temporal, a worker on the orders queue. */
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { pingDatabase } from '../db/reads/health.ts';
import type { ApiDeps } from './deps.ts';
import { operation, type Operation } from './operation.ts';

const tag = 'Health';
/** How long one part may take to answer. Milliseconds. */
const checkTimeoutMs = 2000;
/** A worker polls at least once a minute; one that has not is gone. Milliseconds. */
const pollerAgeMs = 70_000;

const partSchema = z.enum(['ok', 'down']);
const readySchema = z.object({
  status: z.enum(['ready', 'not-ready']),
  postgres: partSchema,
  temporal: partSchema,
  worker: partSchema,
});

const live = operation({
  id: 'checkLiveness',
  method: 'GET',
  path: '/health/live',
  tag,
  summary: 'The process answers',
  auth: 'none',
  responses: { 200: { description: 'Alive', schema: z.object({ status: z.literal('live') }) } },
  handler: ({ ctx }) => ctx.json({ status: 'live' }),
});

const ready = operation({
  id: 'checkReadiness',
  method: 'GET',
  path: '/health/ready',
  tag,
  summary: 'Database, Temporal and a worker are there',
  auth: 'none',
  responses: {
    200: { description: 'Ready', schema: readySchema },
    503: { description: 'Something is down', schema: readySchema },
  },
  handler: async ({ ctx, deps }) => {
    const [postgres, poller] = await Promise.all([
      within(pingDatabase(deps.db)).then(
        (state) => state === 'writable',
        () => false,
      ),
      within(findPoller(deps)).catch(() => 'no-temporal' as const),
    ]);
    const parts = {
      postgres: postgres ? 'ok' : 'down',
      temporal: poller === 'no-temporal' ? 'down' : 'ok',
      worker: poller === 'polling' ? 'ok' : 'down',
    };
    const isReady = postgres && poller === 'polling';
    return ctx.json({ status: isReady ? 'ready' : 'not-ready', ...parts }, isReady ? 200 : 503);
  },
});

export const healthOperations: readonly Operation[] = [live, ready];

async function findPoller({ temporal, config }: ApiDeps): Promise<'polling' | 'nobody'> {
  const { pollers } = await describeOrdersQueue(temporal, config.temporal.taskQueues.orders);
  const since = Date.now() - pollerAgeMs;
  const polling = pollers?.some(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000 > since);
  return polling ? 'polling' : 'nobody';
}

function describeOrdersQueue(
  temporal: Client,
  taskQueue: string,
): ReturnType<Client['workflowService']['describeTaskQueue']> {
  return temporal.withDeadline(Date.now() + checkTimeoutMs, () =>
    temporal.workflowService.describeTaskQueue({
      namespace: temporal.options.namespace,
      taskQueue: { name: taskQueue },
      // 1: the queue of workflow tasks.
      taskQueueType: 1,
    }),
  );
}

/** Rejects when the answer is late. */
function within<T>(answer: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer in time')), checkTimeoutMs).unref();
  });
  return Promise.race([answer, late]);
}
