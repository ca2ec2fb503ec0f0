/** Starts the workflows of deliveries that were stored. Doing it again changes nothing. */
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { RecordedDelivery } from '../db/writes/events.ts';
import type { DeliveryStart } from '../domain/ports.ts';
import type { EndpointLimits } from '../gateways/endpoint-limits.ts';
import { deliveryPolicy, type Settings } from '../settings.ts';
import type { FirstAttempts } from './deliveries-first-attempts.ts';
import { deliveryStart, deliveryWorkflowType } from '../workflows/messages.ts';

export interface DeliveryStarter {
  /** Shares its connection with a delivery worker where deliveries shall start eagerly. */
  readonly temporal: Client;
  readonly settings: Settings;
  /** Those of this process's own delivery worker. */
  readonly limits: EndpointLimits;
}

export interface RecordedStarter extends DeliveryStarter {
  readonly firstAttempts: FirstAttempts;
}

interface RecordedDeliveries {
  readonly deliveries: readonly RecordedDelivery[];
  /** When this call, or the one before it, stored them. */
  readonly storedAt: Date;
}

/**
 * Starts deliveries of an event that has just happened: the first attempt of each that this call stored begins at once,
 * beside its start.
 */
export async function startRecorded(
  starter: RecordedStarter,
  { deliveries, storedAt }: RecordedDeliveries,
): Promise<void> {
  const begun = ({ start: { sequence }, target }: RecordedDelivery): Date | null => {
    // One that waits for the event before it has its turn when that has ended.
    if (sequence > 1) return null;
    const reservedUntil = starter.firstAttempts.reservedUntil(storedAt);
    const attempted = target === null || starter.firstAttempts.begin(target, storedAt);
    return attempted ? reservedUntil : null;
  };
  await Promise.all(
    deliveries.map((delivery) => startDelivery(starter, delivery.start, () => begun(delivery))),
  );
}

/**
 * Starts them all and waits until the server has them: from then on none is lost. Eager start saves a round trip where
 * the client shares its connection with a delivery worker. One whose endpoint is busy for longer sleeps at the server
 * until its turn: what a customer's hanging endpoint piles up costs the others nothing but the start. Throws when the
 * server cannot be reached.
 */
export async function startDeliveries(
  starter: DeliveryStarter,
  starts: readonly DeliveryStart[],
): Promise<void> {
  await Promise.all(starts.map((start) => startDelivery(starter, start, () => null)));
}

async function startDelivery(
  { temporal, settings, limits }: DeliveryStarter,
  delivery: DeliveryStart,
  begin: () => Date | null,
): Promise<void> {
  // One that waits for the event before it has its turn when that has ended.
  const startDelay = delivery.sequence > 1 ? 0 : limits.delayOf(delivery);
  const firstAttemptUntil = startDelay > 0 ? null : begin();
  try {
    await temporal.workflow.start(deliveryWorkflowType, {
      ...deliveryStart(delivery, deliveryPolicy(settings), firstAttemptUntil),
      workflowIdConflictPolicy: 'USE_EXISTING',
      ...(startDelay > 0 ? { startDelay } : { requestEagerStart: true }),
    });
  } catch (err) {
    // It has run and ended: the same event came once more.
    if (!(err instanceof WorkflowExecutionAlreadyStartedError)) throw err;
  }
}
