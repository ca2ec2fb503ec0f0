/**
 * Activity contracts: what workflows may ask of the outside world. Types only; `activities/` satisfies them.
 * Every activity takes one object, is idempotent by the key its comment names, and returns expected outcomes as
 * values. It throws only when trying again may help, or a non-retryable ApplicationFailure when it never will.
 */
export type * from './bulk-ports.ts';
export type * from './delivery-ports.ts';
export type * from './document-ports.ts';
export type * from './message-ports.ts';
export type * from './order-ports.ts';
export type * from './timeline.ts';
