/** What a delivery asks of the outside world. See `ports.ts`. */
import type { AttemptResult, DeliveryState } from './delivery.ts';
import type { EventType } from './events.ts';

/** What a `webhookDelivery` workflow is started with. Small and without customer data: the payload is in the database. */
export interface DeliveryStart {
  readonly deliverySid: string;
  readonly accountSid: string;
  readonly kind: string;
  /** Host of the endpoint, for the Web UI and the search attribute. */
  readonly endpointHost: string;
  /** Fairness key: subscription sid, or the callback's host. */
  readonly endpointKey: string;
  /** From 1 within its order key; only later ones look for predecessors. */
  readonly sequence: number;
}

export interface AttemptReport {
  readonly result: AttemptResult;
  readonly httpStatus: number | null;
  /** Why there was no proper answer, in our own words. */
  readonly error: string | null;
  /** What Retry-After asked for. Milliseconds. */
  readonly retryAfterMs: number | null;
  /** For `waiting`: when the endpoint's limit lets this delivery through. Milliseconds. */
  readonly waitMs: number | null;
  /** For `delivered`: the deliveries of the same order key that waited for this one. */
  readonly heldBack: readonly string[];
  /** This attempt switched the endpoint off; its account has to be told. */
  readonly switchedOff: boolean;
}

export interface DeliveryActivities {
  /**
   * Sends the event once and stores the attempt; a success ends the delivery in the same statement. An attempt that
   * is stored already is not made again: its report is repeated. Until `firstAttemptUntil` (ISO 8601) the attempt is
   * the process's that stored the delivery: what comes of it is waited for, and it fails where nothing does. Key:
   * delivery and attempt number.
   */
  attemptDelivery(input: {
    readonly deliverySid: string;
    readonly attemptNumber: number;
    readonly firstAttemptUntil?: string;
  }): Promise<AttemptReport>;
  /** Tells whether an earlier delivery of the same order key is unfinished. It wakes this one when it ends. */
  findPredecessor(input: { readonly deliverySid: string }): Promise<{ readonly unfinished: boolean }>;
  /** Stores when the next attempt is due. Key: delivery and attempt count. */
  recordNextAttempt(input: {
    readonly deliverySid: string;
    readonly attemptCount: number;
    readonly nextAttemptAt: string;
  }): Promise<void>;
  /** Stores the end of a delivery and names those it held back. Key: delivery. */
  settleDelivery(input: {
    readonly deliverySid: string;
    readonly state: DeliveryState;
    readonly attemptCount: number;
    readonly at: string;
  }): Promise<{ readonly heldBack: readonly string[] }>;
  /** Tells the account by mail that an endpoint was switched off. Key, as Message-ID: delivery. */
  announceSwitchOff(input: { readonly deliverySid: string }): Promise<void>;
}

/** Which deliveries of a subscription are sent again, or that a test event is made for it. */
export type ReplaySelection =
  /** One delivery that has ended, whoever its endpoint is. */
  | { readonly kind: 'one'; readonly deliverySid: string }
  /** Every delivery made at or after `since` that stands in one of these states. ISO 8601. */
  | { readonly kind: 'since'; readonly since: string; readonly states: readonly DeliveryState[] }
  | { readonly kind: 'test'; readonly eventType: EventType };

export interface ReplayPage {
  readonly replaySid: string;
  readonly accountSid: string;
  readonly subscriptionSid: string | null;
  readonly selection: ReplaySelection;
  /** Deliveries up to this position were started by earlier pages. */
  readonly after: number;
  /** ISO 8601, workflow time at which the replay began: nothing made later is part of it. */
  readonly until: string;
}

export interface ReplayActivities {
  /**
   * Makes all deliveries of a replay before it starts those of the first page. Key: replay and the delivery that is sent
   * again.
   */
  replayPage(input: ReplayPage): Promise<{
    readonly deliverySids: readonly string[];
    /** Where the next page begins; `null` at the end. */
    readonly next: number | null;
  }>;
}
