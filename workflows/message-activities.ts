/** The activities of a message with their time-outs: each group waits as long as what it talks to may take. */
import { proxyActivities, proxyLocalActivities, type ActivityInterfaceFor } from '@temporalio/workflow';
import type { MessageActivities } from '../domain/ports.ts';
import { heartbeatTimeout } from './heartbeat.ts';

/** Trouble that passes is tried again without end; each caller's deadline is the end. */
const patient = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;
const ours = { ...patient, initialInterval: '200 milliseconds' } as const;

/** Writes to our own database, part of the workflow task: a message costs no round trip for them. */
export const record = proxyLocalActivities<MessageActivities>({
  startToCloseTimeout: '20 seconds',
  retry: ours,
});

/** Hands the message over, tried for as long as `validityMs`. */
export const carrier = (validityMs: number): ActivityInterfaceFor<MessageActivities> =>
  proxyActivities<MessageActivities>({
    startToCloseTimeout: '30 seconds',
    heartbeatTimeout,
    scheduleToCloseTimeout: validityMs,
    retry: patient,
    summary: 'hand the message to the carrier',
  });

/** Time an activity may spend beside the request it makes. Milliseconds. */
const marginMs = 10_000;

/** A call to the customer's SmsUrl. What the customer's server does wrong is a value; only our own trouble is retried. */
export const customer = (timeoutMs: number, summary: string): ActivityInterfaceFor<MessageActivities> =>
  proxyActivities<MessageActivities>({
    startToCloseTimeout: timeoutMs + marginMs,
    heartbeatTimeout,
    scheduleToCloseTimeout: '1 hour',
    retry: patient,
    summary,
  });
