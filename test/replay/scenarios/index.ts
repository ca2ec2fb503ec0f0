/** Every path that is recorded. A new path through workflow code belongs here. */
import { bulkScenarios } from './bulk.ts';
import { deliveryScenarios } from './deliveries.ts';
import { documentScenarios } from './documents.ts';
import { laterDocumentScenarios } from './documents-later.ts';
import { messageScenarios } from './messages.ts';
import { orderScenarios } from './orders.ts';
import { laterOrderScenarios } from './orders-later.ts';
import type { Scenario } from './scenario.ts';

export type { Scenario } from './scenario.ts';
export const scenarios: readonly Scenario[] = [
  ...orderScenarios,
  ...laterOrderScenarios,
  ...documentScenarios,
  ...laterDocumentScenarios,
  ...deliveryScenarios,
  ...messageScenarios,
  ...bulkScenarios,
];
