/** What is done to subscriptions, whoever asks: the Webhooks resource, the Zipwhip calls, the console. */
import type { Queryable } from '../db/client.ts';
import type { SubscriptionRow } from '../db/reads/subscriptions.ts';
import {
  deleteSubscription,
  insertSubscription,
  rotateSecret,
  updateSubscription,
  type SubscriptionSettings,
} from '../db/writes/configuration.ts';
import { ApiError, apiErrors } from '../domain/errors.ts';
import { eventTypes } from '../domain/events.ts';
import { newWebhookSecret } from '../security/webhook-signature.ts';
import type { ApiDeps } from './deps.ts';

export interface NewWebhook extends Partial<SubscriptionSettings> {
  readonly sid: string;
  readonly accountSid: string;
  readonly url: string;
  /** `whsec_…`; one is made when absent. */
  readonly secret?: string | null | undefined;
}

interface WebhookKey {
  readonly accountSid: string;
  readonly sid: string;
}

/** Throws 21402 with the reason when the URL must not be called. */
export async function addWebhook(
  deps: ApiDeps,
  { secret, ...webhook }: NewWebhook,
): Promise<SubscriptionRow> {
  await requireCallableUrl(deps, webhook.url);
  const row = await insertSubscription(deps.db, {
    method: 'POST',
    events: eventTypes,
    phoneNumber: null,
    friendlyName: null,
    headers: {},
    maxPerSecond: null,
    enabled: true,
    ...webhook,
    secretSealed: deps.vault.seal(secret ?? newWebhookSecret()),
    at: new Date(),
  });
  if (!row) throw new ApiError(20409, 'The subscription that this request made was deleted since');
  return row;
}

export async function changeWebhook(
  deps: ApiDeps,
  key: WebhookKey,
  changes: Partial<SubscriptionSettings>,
): Promise<SubscriptionRow> {
  if (changes.url !== undefined) await requireCallableUrl(deps, changes.url);
  return found(await updateSubscription(deps.db, key, { ...changes, at: new Date() }));
}

/** The new secret signs at once; those before it sign as well, each until the overlap of temporal.yaml is over. */
export async function rotateWebhookSecret(
  deps: Pick<ApiDeps, 'vault' | 'config'> & { readonly db: Queryable },
  key: WebhookKey,
  secret?: string | null,
): Promise<SubscriptionRow> {
  const at = new Date();
  const rotation = {
    secretSealed: deps.vault.seal(secret ?? newWebhookSecret()),
    previousSecretUntil: new Date(at.getTime() + deps.config.deliveries.secretOverlap),
    at,
  };
  return found(await rotateSecret(deps.db, key, rotation));
}

/** Its pending deliveries end at their next attempt, without a request. */
export async function removeWebhook(deps: ApiDeps, key: WebhookKey): Promise<void> {
  if (!(await deleteSubscription(deps.db, key, new Date()))) throw new ApiError(20404);
}

async function requireCallableUrl(deps: ApiDeps, url: string): Promise<void> {
  const fault = await deps.checkUrl(url);
  if (fault !== null) throw new ApiError(21402, `${apiErrors[21402].message}: ${fault}`);
}

function found(row: SubscriptionRow | undefined): SubscriptionRow {
  if (!row) throw new ApiError(20404);
  return row;
}
