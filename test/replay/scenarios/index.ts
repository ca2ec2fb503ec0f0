/** Every path that is recorded. A new path through workflow code belongs here. */
import { bulkScenarios } from './bulk.ts';
import { deliveryScenarios } from './deliveries.ts';
import { documentScenarios } from './documents.ts';
import { laterDocumentScenarios } from './documents-later.ts';
import { messageScenarios } from './messages.ts';
import { orderScenarios } from './orders.ts';
import { laterOrderScenarios } from './orders-later.ts';
import type { PastScenario, Scenario } from './scenario.ts';

export { historyOf, onServerFor, type Scenario } from './scenario.ts';
export const scenarios: readonly Scenario[] = [
  ...orderScenarios,
  ...laterOrderScenarios,
  ...documentScenarios,
  ...laterDocumentScenarios,
  ...deliveryScenarios,
  ...messageScenarios,
  ...bulkScenarios,
];

/** Paths that are replayed and cannot be played. */
export const pastScenarios: readonly PastScenario[] = [
  {
    name: 'order-next-call-while-hanging-up',
    past: 'Before `one-proof-at-a-time` a call could begin beside a bill under review, be ended by it, and meet the next.',
  },
];
