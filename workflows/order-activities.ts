/** The activities of an order with their time-outs: each group waits as long as what it talks to may take. */
import { proxyActivities, proxyLocalActivities, type ActivityInterfaceFor } from '@temporalio/workflow';
import type { OrderActivities } from '../domain/ports.ts';
import { heartbeatTimeout } from './heartbeat.ts';

type Activities = ActivityInterfaceFor<OrderActivities>;

/** Trouble that passes is tried again without end: an order outlives any outage. The longest pause is a minute. */
const patient = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;

/** Part of the first workflow task, so that creating an order costs one round trip. Waits for the registry's budget inside. */
export const { placeOrder } = proxyLocalActivities<OrderActivities>({
  startToCloseTimeout: '20 seconds',
  retry: { ...patient, initialInterval: '200 milliseconds' },
});

/** Writes to our own database. The summary is what an operator reads beside the activity in the Web UI. */
export const recording = (summary: string): Activities =>
  proxyActivities<OrderActivities>({
    startToCloseTimeout: '20 seconds',
    heartbeatTimeout,
    retry: { ...patient, initialInterval: '200 milliseconds' },
    summary,
  });

/** Calls to the telephone network and texts to the carrier. */
export const network = (summary: string): Activities =>
  proxyActivities<OrderActivities>({
    startToCloseTimeout: '30 seconds',
    heartbeatTimeout,
    retry: patient,
    summary,
  });

/** A call is placed within `deadlineMs` or not at all, and no longer once nobody wants it. */
export const placing = (summary: string, deadlineMs: number): Activities =>
  proxyActivities<OrderActivities>({
    startToCloseTimeout: '30 seconds',
    heartbeatTimeout,
    scheduleToCloseTimeout: deadlineMs,
    // A try that is under way comes to its end, so that a call it placed is known and hung up.
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    retry: patient,
    summary,
  });

/** Questions to the registry, each tried for as long as `deadlineMs`; without one, until it answers. */
export const registry = (summary: string, deadlineMs?: number): Activities =>
  proxyActivities<OrderActivities>({
    startToCloseTimeout: '1 minute',
    heartbeatTimeout,
    ...(deadlineMs !== undefined && { scheduleToCloseTimeout: deadlineMs }),
    retry: patient,
    summary,
  });
