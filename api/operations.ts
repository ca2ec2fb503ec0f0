/** Every operation of the service, in the order of the reference. */
import { accountOperations } from './accounts.ts';
import { addressOperations } from './addresses.ts';
import { adminImportOperations } from './admin-import.ts';
import { adminOperations } from './admin.ts';
import { authorizationDocumentFileOperations } from './authorization-document-files.ts';
import { authorizationDocumentOperations } from './authorization-documents.ts';
import { bulkEligibilityOperations } from './bulk-eligibility.ts';
import { bulkOrderOperations } from './bulk-orders.ts';
import { callOperations } from './calls.ts';
import { carrierOperations } from './carrier.ts';
import { deliveryOperations } from './deliveries.ts';
import { eligibilityOperations } from './eligibility.ts';
import { healthOperations } from './health.ts';
import { hostedNumberOrderOperations } from './hosted-number-orders.ts';
import { incomingPhoneNumberOperations } from './incoming-phone-numbers.ts';
import { mediaOperations } from './media.ts';
import { messageOperations } from './messages.ts';
import { documentsV2Operations } from './numbers-v2-documents.ts';
import { ordersV2Operations } from './numbers-v2-orders.ts';
import { ordersV3Operations } from './numbers-v3-orders.ts';
import type { Operation } from './operation.ts';
import { signingKeyOperations } from './signing-key.ts';
import { verificationDocumentOperations } from './verification-documents.ts';
import { voiceOperations } from './voice.ts';
import { webhookActionOperations } from './webhook-actions.ts';
import { webhookOperations } from './webhooks.ts';
import { zipwhipMessageOperations } from './zipwhip-messages.ts';
import { zipwhipWebhookOperations } from './zipwhip-webhooks.ts';

export const operations: readonly Operation[] = [
  ...hostedNumberOrderOperations,
  ...authorizationDocumentOperations,
  ...authorizationDocumentFileOperations,
  ...signingKeyOperations,
  ...verificationDocumentOperations,
  ...incomingPhoneNumberOperations,
  ...messageOperations,
  ...mediaOperations,
  ...webhookOperations,
  ...webhookActionOperations,
  ...deliveryOperations,
  ...addressOperations,
  ...accountOperations,
  ...callOperations,
  ...bulkOrderOperations,
  ...ordersV2Operations,
  ...documentsV2Operations,
  ...eligibilityOperations,
  ...bulkEligibilityOperations,
  ...ordersV3Operations,
  ...adminOperations,
  ...adminImportOperations,
  ...zipwhipMessageOperations,
  ...zipwhipWebhookOperations,
  ...carrierOperations,
  ...voiceOperations,
  ...healthOperations,
];
