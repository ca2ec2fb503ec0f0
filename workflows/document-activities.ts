/** The activities of an authorization document with their time-outs. */
import { proxyActivities, type ActivityInterfaceFor } from '@temporalio/workflow';
import type { DocumentActivities } from '../domain/ports.ts';
import { heartbeatTimeout } from './heartbeat.ts';

type Activities = ActivityInterfaceFor<DocumentActivities>;

/** Writes to our own database, rendering included. The summary is what an operator reads in the Web UI. */
export const recording = (summary: string): Activities =>
  proxyActivities<DocumentActivities>({
    startToCloseTimeout: '30 seconds',
    heartbeatTimeout,
    retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
    summary,
  });

/** Mail is tried for as long as it is worth sending. */
export const mailActivities = (summary: string, deadlineMs: number): Activities =>
  proxyActivities<DocumentActivities>({
    startToCloseTimeout: '1 minute',
    heartbeatTimeout,
    scheduleToCloseTimeout: Math.max(1, deadlineMs),
    retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '10 minutes' },
    summary,
  });
