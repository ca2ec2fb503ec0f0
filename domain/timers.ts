/** Durations and limits that workflows are started with. All come from `temporal.yaml`; milliseconds throughout. */
import type { RetryPolicy } from './delivery.ts';

export interface OrderTimers {
  /** How long the create request waits for the registry before it answers twilio-processing. */
  readonly eligibilityBudgetMs: number;
  /** How long the registry may take in all before the order fails. */
  readonly eligibilityDeadlineMs: number;
  /** Time after which a call without a final callback is looked up at the provider. */
  readonly callDeadlineMs: number;
  /** Time in action-required before the order fails. Source: service.md §8: 7 days. */
  readonly actionRequiredMs: number;
  /** How old a signed letter may be while ownership is not verified. Source: domain.md §5.4: 30 days. */
  readonly letterValidMs: number;
  readonly registryPollMs: number;
  readonly registryPollMaximumMs: number;
  /** How long the registry may take to accept or reject. */
  readonly registryDeadlineMs: number;
  readonly routeTestRounds: number;
  readonly routeTestRoundMs: number;
  /** Time between the release of a number and its retirement. Source: service.md §8: 3 days. */
  readonly retirementMs: number;
  /** Task queue and policy for the status callbacks the order starts. */
  readonly delivery: DeliveryPolicy;
}

export interface DocumentTimers {
  /** Life of a signing link. Source: domain.md §5.4: a letter older than 30 days is refused. */
  readonly signatureMs: number;
  /** Times after the mailing at which the signer is reminded. */
  readonly reminderMs: readonly number[];
}

export interface MessageTimers {
  /** How long a message may wait for the carrier to take it, unless it says so itself. */
  readonly validityMs: number;
  /** How long the carrier's receipt is waited for. Source: domain.md §6.4. */
  readonly receiptTimeoutMs: number;
  /** Time the customer's SmsUrl has to answer. Source: domain.md §2.5: 15 seconds. */
  readonly smsUrlTimeoutMs: number;
  /** Task queue and policy for the events and status callbacks. */
  readonly delivery: DeliveryPolicy;
}

export interface DeliveryPolicy {
  readonly taskQueue: string;
  /** Time an endpoint has to answer completely. Source: service.md §7 rule 2: 7 seconds. */
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
}
