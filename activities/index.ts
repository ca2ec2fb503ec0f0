/** Every activity the workers register. */
import type {
  BulkActivities,
  DeliveryActivities,
  DocumentActivities,
  MessageActivities,
  OrderActivities,
  ReplayActivities,
} from '../domain/ports.ts';
import { createEndpointClient, type EndpointClient } from '../gateways/endpoint.ts';
import { createEndpointGuard } from '../gateways/endpoint-guard.ts';
import { createBulkActivities } from './bulk-requests.ts';
import { createDeliveryActivities } from './deliveries.ts';
import type { ActivityDeps } from './deps.ts';
import { createDocumentActivities } from './documents.ts';
import { createMessageActivities } from './messages.ts';
import { createOrderActivities } from './orders.ts';
import { maxTwimlBytes } from './sms-url-answer.ts';

export type Activities = OrderActivities &
  DocumentActivities &
  DeliveryActivities &
  ReplayActivities &
  BulkActivities &
  MessageActivities;

/** Throws when a font of `documents.fonts` cannot be read. */
export function createActivities(deps: ActivityDeps): Activities {
  return {
    ...createOrderActivities(deps),
    ...createDocumentActivities(deps),
    ...createDeliveryActivities(deps),
    ...createBulkActivities(deps),
    ...createMessageActivities({ ...deps, smsUrls: openSmsUrls(deps) }),
  };
}

/** The way to customers' SmsUrls: guarded like that to their endpoints, with a longer time and room for TwiML. */
function openSmsUrls({ settings, allowPrivateWebhooks }: ActivityDeps): EndpointClient {
  return createEndpointClient({
    guard: createEndpointGuard({ allowPrivate: allowPrivateWebhooks }),
    timeoutMs: settings.messages.smsUrlTimeout,
    headBytes: maxTwimlBytes,
  });
}
