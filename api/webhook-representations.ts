/** Subscriptions, deliveries and attempts on the wire. */
import { z } from 'zod';
import type { DeliveryAttemptRow, DeliveryDetails, DeliveryRow } from '../db/reads/deliveries.ts';
import type { SubscriptionRow } from '../db/reads/subscriptions.ts';
import { deliveryStates } from '../domain/delivery.ts';
import { deliveryKinds, eventTypes } from '../domain/events.ts';
import { isoDate } from './dates.ts';
import type { ApiDeps } from './deps.ts';

const date = z.string().meta({ format: 'date-time', examples: ['2026-03-01T09:30:00Z'] });

export const webhookSchema = z
  .object({
    sid: z.string().meta({ examples: ['WH0123456789abcdef0123456789abcdef'] }),
    account_sid: z.string(),
    url: z.string(),
    method: z.enum(['POST', 'PUT', 'GET']),
    events: z.array(z.enum(eventTypes)),
    phone_number: z.string().nullable(),
    friendly_name: z.string().nullable(),
    enabled: z.boolean(),
    disabled_reason: z.string().nullable().meta({
      description:
        'Why the service switched it off. The account is mailed; without an e-mail address nobody is told',
    }),
    failing_since: date.nullable().meta({
      description: 'First failure since the last success, or since a day without any attempt that failed',
    }),
    headers: z.record(z.string(), z.string()),
    max_per_second: z.int().nullable(),
    previous_secret_until: date.nullable().meta({
      description: 'Until then deliveries carry signatures of the secrets before as well',
    }),
    date_created: date,
    date_updated: date,
    links: z.record(z.string(), z.url()),
  })
  .meta({ id: 'Webhook', description: 'An endpoint and the events it wants' });

export const secretSchema = webhookSchema
  .extend({ secret: z.string().meta({ examples: ['whsec_…'] }) })
  .meta({ id: 'WebhookWithSecret' });

export function webhookAddress(publicUrl: string, sid: string): string {
  return `${publicUrl}/Webhooks/${sid}`;
}

/** The one that was rotated away last stays valid longest. */
function lastOverlapEnd({ previousSecrets: [last] }: SubscriptionRow): Date | null {
  return last ? new Date(last.until) : null;
}

export function webhookJson(row: SubscriptionRow, publicUrl: string): z.infer<typeof webhookSchema> {
  const address = webhookAddress(publicUrl, row.sid);
  return {
    sid: row.sid,
    account_sid: row.accountSid,
    url: row.url,
    method: row.method,
    events: [...row.events],
    phone_number: row.phoneNumber,
    friendly_name: row.friendlyName,
    enabled: row.enabled,
    disabled_reason: row.disabledReason,
    failing_since: isoDate(row.failingSince),
    headers: row.headers,
    max_per_second: row.maxPerSecond,
    previous_secret_until: isoDate(lastOverlapEnd(row)),
    date_created: isoDate(row.dateCreated),
    date_updated: isoDate(row.dateUpdated),
    links: {
      self: address,
      deliveries: `${address}/Deliveries`,
      replay: `${address}/Replay`,
      secret: `${address}/Secret`,
      test: `${address}/Test`,
    },
  };
}

export function secretJson(
  row: SubscriptionRow,
  { vault, config }: Pick<ApiDeps, 'vault' | 'config'>,
): z.infer<typeof secretSchema> {
  return { ...webhookJson(row, config.env.publicUrl), secret: vault.open(row.secretSealed) };
}

export const deliverySchema = z
  .object({
    sid: z.string().meta({ examples: ['DL0123456789abcdef0123456789abcdef'] }),
    account_sid: z.string(),
    webhook_sid: z.string().nullable().meta({ description: 'Null for status callbacks' }),
    event_sid: z.string().meta({ description: 'The `webhook-id` header' }),
    event_type: z.enum(deliveryKinds),
    status: z.enum(deliveryStates),
    method: z.enum(['POST', 'PUT', 'GET']),
    callback_url: z.string().nullable(),
    sequence: z.int().meta({ description: 'Among the events of the message or order' }),
    line_sequence: z.int().nullable().meta({ description: 'Among the events of the line' }),
    attempt_count: z.int(),
    last_status_code: z.int().nullable(),
    last_error: z.string().nullable(),
    first_attempt_at: date.nullable(),
    next_attempt_at: date.nullable(),
    finished_at: date.nullable(),
    replay_of: z.string().nullable(),
    date_created: date,
  })
  .meta({ id: 'Delivery', description: 'One event on its way to one endpoint' });

export function deliveryJson(row: DeliveryRow): z.infer<typeof deliverySchema> {
  return {
    sid: row.sid,
    account_sid: row.accountSid,
    webhook_sid: row.subscriptionSid,
    event_sid: row.eventSid,
    event_type: row.kind,
    status: row.state,
    method: row.method,
    callback_url: row.url,
    sequence: row.sequence,
    line_sequence: row.lineSequence,
    attempt_count: row.attemptCount,
    last_status_code: row.lastHttpStatus,
    last_error: row.lastError,
    first_attempt_at: isoDate(row.firstAttemptAt),
    next_attempt_at: isoDate(row.nextAttemptAt),
    finished_at: isoDate(row.finishedAt),
    replay_of: row.replayOf,
    date_created: isoDate(row.dateCreated),
  };
}

const attemptSchema = z
  .object({
    number: z.int(),
    at: date.meta({ description: 'With milliseconds' }),
    duration_ms: z.int(),
    url: z.string().meta({ description: 'Without the fields that `Method=GET` sends in the query' }),
    status_code: z.int().nullable(),
    error: z.string().nullable().meta({ description: 'Why there was no proper answer' }),
    response: z.string().nullable().meta({
      description: "First bytes of the answer's body; null once the message's text had to be forgotten",
    }),
  })
  .meta({ id: 'DeliveryAttempt' });

function attemptJson(row: DeliveryAttemptRow): z.infer<typeof attemptSchema> {
  return {
    number: row.number,
    at: row.at.toISOString(),
    duration_ms: row.durationMs,
    url: row.url,
    status_code: row.httpStatus,
    error: row.error,
    response: row.responseHead,
  };
}

export const deliveryDetailsSchema = deliverySchema
  .extend({
    payload: z.string().meta({
      description:
        'The exact text that is sent. Its `body` is empty once the message was redacted or removed',
    }),
    attempts: z.array(attemptSchema),
    replayed_by: z.string().nullable().meta({ description: 'The last delivery that sends it again' }),
  })
  .meta({ id: 'DeliveryDetails' });

export function deliveryDetailsJson(details: DeliveryDetails): z.infer<typeof deliveryDetailsSchema> {
  return {
    ...deliveryJson(details.delivery),
    payload: details.payload,
    attempts: details.attempts.map(attemptJson),
    replayed_by: details.replay?.sid ?? null,
  };
}
