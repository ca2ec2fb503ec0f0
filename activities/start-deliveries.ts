/** Starts the workflows of deliveries that were stored. Doing it again changes nothing. */
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { RecordedDelivery } from '../db/writes/events.ts';
import type { DeliveryStart } from '../domain/ports.ts';
import type { EndpointLimits } from '../gateways/endpoint-limits.ts';
import { deliveryPolicy, type Settings } from '../settings.ts';
import { deliveryStart, deliveryWorkflowType } from '../workflows/messages.ts';
import type { FirstAttempts } from './deliveries-first-attempts.ts';

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
  const { firstAttempts, limits } = starter;
  const start = (recorded: RecordedDelivery): Promise<void> => {
    const delivery = recorded.start;
    const startDelay = startDelayOf(limits, delivery);
    const inTurn = startDelay === 0 && delivery.sequence === 1;
    // Where another call stored it, that one has begun.
    const begun = inTurn && (recorded.target === null || firstAttempts.begin(recorded.target, storedAt));
    const firstAttemptUntil = begun ? firstAttempts.reservedUntil(storedAt) : null;
    return startDelivery(starter, delivery, { startDelay, firstAttemptUntil });
  };
  await Promise.all(deliveries.map(start));
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
  const start = (delivery: DeliveryStart): Promise<void> => {
    const startDelay = startDelayOf(starter.limits, delivery);
    return startDelivery(starter, delivery, { startDelay, firstAttemptUntil: null });
  };
  await Promise.all(starts.map(start));
}

/** One that waits for the event before it has its turn when that has ended. */
function startDelayOf(limits: EndpointLimits, delivery: DeliveryStart): number {
  return delivery.sequence > 1 ? 0 : limits.delayOf(delivery);
}

async function startDelivery(
  { temporal, settings }: DeliveryStarter,
  delivery: DeliveryStart,
  { startDelay, firstAttemptUntil }: { readonly startDelay: number; readonly firstAttemptUntil: Date | null },
): Promise<void> {
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
