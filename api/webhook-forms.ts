/** What a customer sends about a webhook, and the rules its fields follow. Decision 0010. */
import { z } from 'zod';
import type { SubscriptionSettings } from '../db/writes/configuration.ts';
import { ApiError } from '../domain/errors.ts';
import { deliveryStates } from '../domain/delivery.ts';
import { deliveryKinds, eventTypes } from '../domain/events.ts';
import { isWebhookSecret } from '../security/webhook-signature.ts';
import {
  choice,
  coded,
  flag,
  httpUrl,
  integer,
  isoTime,
  list,
  moment,
  optional,
  phoneNumber,
  text,
} from './fields.ts';

/** Deliveries a second that may be asked for. */
const maxRate = 1_000;
const maxHeaders = 20;
/** Words a filter may hold, so that all of them fit into a query. */
const maxWords = 50;

const secretForm = '`whsec_` and 24 to 64 bytes in base64';
const secret = coded(z.string().refine(isWebhookSecret, secretForm), 20001, { description: secretForm });

/** ISO 8601 with offset, such as 2026-03-01T09:30:00Z. */
const since = coded(moment(z.iso.datetime({ offset: true, error: isoTime })), 20001);

const settingsFields = {
  Events: list(choice(eventTypes)).optional().meta({ description: 'Default: all of them' }),
  Method: choice(['POST', 'PUT', 'GET']).optional(),
  PhoneNumber: optional(phoneNumber(21421)).meta({ description: 'Only events of this line' }),
  FriendlyName: optional(text({ max: 64, code: 22116 })),
  Headers: list(text({ max: 2048 }), maxHeaders)
    .optional()
    .meta({ description: 'Sent with every request, each as `Name: value`; replaces those before' }),
  MaxPerSecond: optional(integer({ min: 1, max: maxRate })).meta({
    description:
      'Requests a second at most, counted by each process that delivers: the API and the worker are two. What is over ' +
      'waits its turn',
  }),
  Enabled: flag().optional(),
};

export const createWebhookForm = z.object({
  Url: httpUrl(21402).meta({ description: 'Events go to `{Url}/message/receive` and so on' }),
  Secret: optional(secret),
  ...settingsFields,
});
export const updateWebhookForm = z.object({ Url: httpUrl(21402).optional(), ...settingsFields });
export const rotateSecretForm = z.object({ Secret: optional(secret) });
export const testWebhookForm = z.object({ EventType: choice(eventTypes).optional() });
export const replayForm = z.object({
  Since: since,
  Status: list(choice(deliveryStates)).optional().meta({ description: 'Default: dead-letter and disabled' }),
});
export const deliveryActionForm = z.object({ Action: choice(['retry', 'cancel']) });

export const webhookFilterFields = {
  PhoneNumber: optional(phoneNumber(21421)),
  EventType: choice(eventTypes).optional(),
  Enabled: flag().optional(),
};
export const deliveryFilterFields = {
  Status: list(choice(deliveryStates), maxWords).optional(),
  EventType: list(choice(deliveryKinds), maxWords).optional(),
  Since: optional(since),
};

type SettingsForm = Omit<z.output<typeof updateWebhookForm>, 'Url'> & { readonly Url?: string | undefined };

/** Only what was sent. Throws 20001 for a header that cannot be sent. */
export function settingsOf(form: SettingsForm): Partial<SubscriptionSettings> {
  return {
    ...(form.Url === undefined ? {} : { url: form.Url }),
    ...(form.Method === undefined ? {} : { method: form.Method }),
    ...(form.Events === undefined ? {} : { events: eventsOf(form.Events) }),
    ...(form.PhoneNumber === undefined ? {} : { phoneNumber: form.PhoneNumber }),
    ...(form.FriendlyName === undefined ? {} : { friendlyName: form.FriendlyName }),
    ...(form.Headers === undefined ? {} : { headers: headersOf(form.Headers) }),
    ...(form.MaxPerSecond === undefined ? {} : { maxPerSecond: form.MaxPerSecond }),
    ...(form.Enabled === undefined ? {} : { enabled: form.Enabled }),
  };
}

/** Sent empty, the choice is taken away: the default is all of them. */
function eventsOf(chosen: SubscriptionSettings['events']): SubscriptionSettings['events'] {
  return chosen.length === 0 ? eventTypes : [...new Set(chosen)];
}

/** Headers that are ours, or that belong to the connection. */
const reserved =
  /^(host|user-agent|content-.*|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|proxy-.*|webhook-.*|x-twilio-signature|i-twilio-idempotency-token|__proto__)$/;

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of lines.filter((line) => line !== '').map(headerOf)) {
    if (headers.has(name)) throw new ApiError(20001, `Headers: ${name} is there twice`);
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

function headerOf(line: string): [string, string] {
  const [, name = '', value = ''] = /^([!#$%&'*+.^`|~\w-]{1,64}):[ \t]*([\x20-\x7e]*)$/.exec(line) ?? [];
  const lower = name.toLowerCase();
  if (lower === '') throw new ApiError(20001, 'Headers: each is sent as "Name: value", in printable ASCII');
  if (reserved.test(lower)) throw new ApiError(20001, `Headers: ${lower} is set by the service`);
  return [lower, value];
}
